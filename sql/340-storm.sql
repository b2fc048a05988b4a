-- 340-storm.sql - bursts of topology requests and connects.
--
-- Reads: command_rate, temp.same_wire (115).  Makes:
--   storm	one row: one burst of one command at one endpoint, against that
--		endpoint's own baseline (the median of its seconds with any)

CREATE TABLE storm (
	storm_id	INTEGER PRIMARY KEY,
	incident	TEXT NOT NULL,
	at		INTEGER NOT NULL,
	until		INTEGER NOT NULL,
	endpoint_id	INTEGER NOT NULL,
	command		TEXT NOT NULL,
	clients		INTEGER NOT NULL,	-- connections at its peak, at least
	requests	INTEGER NOT NULL,
	peak_per_s	INTEGER NOT NULL,
	window_id	INTEGER			-- the window that set it off
) STRICT;

INSERT INTO storm (incident, at, until, endpoint_id, command, clients, requests, peak_per_s, window_id)
WITH t AS (
	-- of captures of the same traffic, which may be a second apart, the most that
	-- one of them has
	SELECT incident, endpoint_id, command, at, sum(n) AS n, sum(conns) AS conns FROM (
		SELECT s.incident, c.endpoint_id, c.command, CASE WHEN g.first_id IS NULL THEN c.at + k.offset_us
			ELSE (c.at + k.offset_us + 500000) / 1000000 * 1000000 END AS at, max(c.requests) AS n, max(c.connections) AS conns
		  FROM command_rate c JOIN source s USING (source_id) JOIN source_clock k USING (source_id) LEFT JOIN temp.same_wire g USING (source_id)
		 WHERE c.command <> 'other'
		 GROUP BY s.incident, c.endpoint_id, c.command, 4, c.observer_id, coalesce(g.first_id, s.source_id))
	 GROUP BY incident, endpoint_id, command, at),
r AS (SELECT t.*, row_number() OVER (PARTITION BY endpoint_id, command ORDER BY n, at) AS i, count(*) OVER (PARTITION BY endpoint_id, command) AS m FROM t),
b AS (SELECT endpoint_id, command, max(n) AS base FROM r WHERE i = (m + 1) / 2 GROUP BY endpoint_id, command),
h AS (SELECT t.*, CASE WHEN t.at - lag(t.at) OVER (PARTITION BY t.endpoint_id, t.command ORDER BY t.at) <= 2000000 THEN 0 ELSE 1 END AS ch
	FROM t JOIN b USING (endpoint_id, command)
	WHERE t.n >= (SELECT value FROM parameter WHERE name = 'storm_floor')
	  AND t.n >= (SELECT value FROM parameter WHERE name = 'storm_factor') *
	    CASE WHEN b.base >= (SELECT value FROM parameter WHERE name = 'storm_floor') THEN 1 ELSE b.base END
	  AND (b.base < (SELECT value FROM parameter WHERE name = 'storm_floor')
	    OR (SELECT count(*) FROM t t2 WHERE t2.endpoint_id = t.endpoint_id AND t2.command = t.command) = 1
	    OR t.n >= (SELECT value FROM parameter WHERE name = 'storm_factor') * b.base)),
i AS (SELECT h.*, sum(ch) OVER (PARTITION BY endpoint_id, command ORDER BY at ROWS UNBOUNDED PRECEDING) AS isl FROM h)
SELECT incident, min(at), max(at) + 1000000, endpoint_id, command, max(conns), sum(n), max(n),
	NULL
  FROM i GROUP BY incident, endpoint_id, command, isl ORDER BY incident, min(at), endpoint_id, command;
UPDATE storm SET window_id = (
	SELECT w.window_id FROM divergence_window w WHERE w.incident = storm.incident AND w.opened_by <= storm.at + 1000000
	   AND coalesce(w.converged_by, w.opened_by) >= storm.at - 10000000 ORDER BY w.opened_by DESC, w.window_id LIMIT 1);
