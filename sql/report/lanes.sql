-- lanes.sql - the drawing of an incident: a lane for each node and each client,
-- and what is drawn on it, as fractions of the width (0 to 1000).
--
-- Reads the query surface and the digest.  Makes temp.extent (one row: t0, t1),
-- temp.error_member, temp.group_condition, temp.lane, temp.shade (a row a window) and temp.mark (a row a
-- shape).  Marks that would fall on one another are counted, so the drawing stays
-- small.

DROP TABLE IF EXISTS temp.error_member;
DROP TABLE IF EXISTS temp.extent;
DROP TABLE IF EXISTS temp.lane;
DROP TABLE IF EXISTS temp.shade;
DROP TABLE IF EXISTS temp.mark;
DROP TABLE IF EXISTS temp.lane_event;
DROP TABLE IF EXISTS temp.claim_span;

-- One row: an error and the number of those that it is alike, as in error_group.
CREATE TEMP TABLE error_member AS
SELECT error_id, dense_rank() OVER (ORDER BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS alike
FROM failover_error;
CREATE INDEX temp.error_member_alike ON error_member (alike, error_id);
CREATE UNIQUE INDEX temp.error_member_error ON error_member (error_id);

-- One row: a condition of the first error of a group.
DROP TABLE IF EXISTS temp.group_condition;
CREATE TEMP TABLE group_condition AS
SELECT * FROM error_condition WHERE error_id IN (SELECT error_id FROM error_group);
CREATE INDEX temp.group_condition_error ON group_condition (error_id);

-- From a little before the first thing that happened to a little after the
-- last; without any, all that was seen.
CREATE TEMP TABLE extent AS
WITH happened (at) AS (
	SELECT coalesce(opened_after, opened_by) FROM window WHERE cause <> 'migration'
	UNION ALL SELECT coalesce(converged_by, closed_by, opened_by) FROM window WHERE cause <> 'migration'
	-- not of a log whose times lie elsewhere, unless there is nothing else
	UNION ALL SELECT at FROM failover_error e WHERE NOT EXISTS (SELECT 1 FROM astray x WHERE x.incident = e.incident AND x.name = e.source)
	    OR NOT EXISTS (SELECT 1 FROM failover_error f WHERE f.at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM astray x WHERE x.incident = f.incident AND x.name = f.source))
	UNION ALL SELECT at FROM connect_storm
), fell (at) AS (	-- who died, where there is nothing of all that
	SELECT at FROM health UNION ALL SELECT at FROM fate
), seen (at) AS (
	SELECT at FROM happened WHERE at IS NOT NULL
	UNION ALL SELECT at FROM fell WHERE at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM happened WHERE at IS NOT NULL)
	UNION ALL SELECT first_at FROM slot_owner WHERE NOT EXISTS (SELECT 1 FROM happened WHERE at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM fell WHERE at IS NOT NULL)
	UNION ALL SELECT last_at FROM slot_owner WHERE NOT EXISTS (SELECT 1 FROM happened WHERE at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM fell WHERE at IS NOT NULL)
)
SELECT min(at) - max((max(at) - min(at)) / 20, 100000) AS t0, max(at) + max((max(at) - min(at)) / 20, 100000) AS t1 FROM seen;

CREATE TEMP TABLE lane (lane_id INTEGER PRIMARY KEY, kind TEXT, key TEXT, label TEXT, detail TEXT, incident TEXT);
-- Nodes that took part in a window first, and no more than fit on a page.
INSERT INTO lane (kind, key, label, detail, incident)
SELECT 'node', id, addr, id, incident FROM (
	SELECT l.*, EXISTS (SELECT 1 FROM window w WHERE w.incident = l.incident AND w.cause <> 'migration' AND l.id IN (w.old_owner_id, w.new_owner_id)) AS took_part
	FROM node_label l ORDER BY took_part DESC, incident, addr, id LIMIT 200)
ORDER BY incident, addr, id;
INSERT INTO lane (kind, key, label, detail, incident)
SELECT 'client', client, client, coalesce(library, '') || CASE WHEN first_at > (SELECT t1 FROM extent) OR last_at < (SELECT t0 FROM extent)
           THEN ': its log lies outside of these times' ELSE '' END, incident FROM (
	SELECT client, min(library) AS library, incident, count(*) AS n, min(at) AS first_at, max(at) AS last_at FROM failover_error
	GROUP BY incident, client ORDER BY n DESC, client LIMIT 200)
ORDER BY incident, client;

CREATE TEMP TABLE shade AS
SELECT window_id, incident, (max(a, t0) - t0) * 1000.0 / (t1 - t0) AS x0, (max(b, t0) - t0) * 1000.0 / (t1 - t0) AS x1,
       (max(b, min(c, t1)) - t0) * 1000.0 / (t1 - t0) AS x2, (max(b, min(d, t1)) - t0) * 1000.0 / (t1 - t0) AS x3, title
FROM (SELECT window_id, incident, coalesce(opened_after, opened_by) AS a, opened_by AS b, coalesce(closed_after, closed_by, t1) AS c, coalesce(converged_by, closed_by, t1) AS d, t0, t1,
             printf('window %d: %s, slots %s, %s', window_id, cause_said, coalesce(nullif(slots, ''), 'not known'), lasted) AS title
      FROM window JOIN (SELECT window_id, lasted, cause_said FROM window_lasted) USING (window_id), extent
      WHERE cause <> 'migration' AND opened_by IS NOT NULL ORDER BY window_id LIMIT 200);

CREATE TEMP TABLE mark (mark_id INTEGER PRIMARY KEY, lane_id INT, shape TEXT, x0 REAL, x1 REAL, title TEXT, target TEXT);

-- One row: where a node spoke of another one only (UPDATE): of what it owns itself
-- that says nothing.
DROP TABLE IF EXISTS temp.of_another;
CREATE TEMP TABLE of_another AS
SELECT DISTINCT incident, source, position FROM c_view WHERE kind = 'update';
CREATE INDEX temp.of_another_place ON of_another (source, position);

-- What a node said of itself: spans of equal claims, joined over what repeats
-- but not over a second of silence: it may have been gone.
CREATE TEMP TABLE claim_span AS
WITH said AS (
	SELECT l.lane_id, o.first_at, o.last_at, o.source, o.position,
	       CASE WHEN o.owner_id = l.key THEN 'owns ' || o.slots || coalesce(' at epoch ' || o.config_epoch, '') ELSE '' END AS claim
	FROM lane l JOIN slot_owner o ON l.kind = 'node' AND o.observer = l.key AND o.incident = l.incident, extent x
	WHERE o.last_at >= x.t0 AND o.first_at <= x.t1
	  AND NOT EXISTS (SELECT 1 FROM of_another a WHERE a.source = o.source AND a.position = o.position AND a.incident = o.incident)
	  -- A bus header is as old as its sender's queue: what a node claims with
	  -- its old epoch after it yielded is no news, unless it came back so.
	  AND NOT (o.owner_id = l.key AND EXISTS (
	      SELECT 1 FROM window w WHERE w.incident = l.incident AND w.old_owner_id = l.key AND w.old_epoch = o.config_epoch AND w.close_reason = 'old-owner-yielded'
	        AND w.cause IN ('manual-failover', 'automatic-failover', 'takeover') AND o.first_at > w.closed_by
	        AND NOT EXISTS (SELECT 1 FROM window r WHERE r.incident = w.incident AND r.old_owner_id = l.key AND r.old_epoch = w.old_epoch AND r.opened_by > w.closed_by)))
), one AS (	-- a full view has a row an owner: its own claim counts
	SELECT lane_id, first_at, max(last_at) AS last_at, max(claim) AS claim FROM said GROUP BY lane_id, first_at
), edge AS (
	SELECT *, claim IS NOT lag(claim) OVER (PARTITION BY lane_id ORDER BY first_at) OR
	    first_at - max(last_at) OVER (PARTITION BY lane_id ORDER BY first_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > 1000000 AS starts FROM one
), numbered AS (
	SELECT *, sum(starts) OVER (PARTITION BY lane_id ORDER BY first_at ROWS UNBOUNDED PRECEDING) AS n FROM edge
)
SELECT lane_id, n, claim, min(first_at) AS first_at, max(last_at) AS last_at,
       lead(min(first_at)) OVER (PARTITION BY lane_id ORDER BY n) AS next_at, lead(claim) OVER (PARTITION BY lane_id ORDER BY n) AS next_claim, row_number() OVER (PARTITION BY lane_id ORDER BY n) AS nth
FROM numbered GROUP BY lane_id, n;
INSERT INTO mark (lane_id, shape, x0, x1, title)
SELECT lane_id, CASE claim WHEN '' THEN 'alive' ELSE 'own' END, (max(first_at, t0) - t0) * 1000.0 / (t1 - t0),
       (min(last_at, t1, coalesce(next_at, t1)) - t0) * 1000.0 / (t1 - t0), CASE claim WHEN '' THEN 'owns nothing' ELSE claim END
FROM claim_span, extent WHERE nth <= 300 AND min(last_at, t1, coalesce(next_at, t1)) >= t0 ORDER BY lane_id, n;
INSERT INTO mark (lane_id, shape, x0, x1, title)
SELECT lane_id, 'gap', (max(last_at, t0) - t0) * 1000.0 / (t1 - t0), (min(next_at, t1) - t0) * 1000.0 / (t1 - t0),
       printf(CASE WHEN next_claim = claim THEN 'not heard of for %.1f ms' ELSE 'changed within %.1f ms: nothing was seen between' END, (next_at - last_at) / 1000.0)
FROM claim_span, extent WHERE nth <= 300 AND next_at > last_at AND last_at < t1 AND next_at > t0 AND (claim <> '' OR next_claim <> '') ORDER BY lane_id, n;

CREATE TEMP TABLE lane_event AS
SELECT l.lane_id, t.kind, (t.at - x.t0) * 500 / (x.t1 - x.t0) AS bin, count(*) AS n, min(t.at_utc) AS at_utc, min(t.detail) AS detail
FROM extent x, timeline t JOIN lane l ON l.incident = t.incident AND l.key = t.observer
WHERE t.at BETWEEN x.t0 AND x.t1
  AND t.kind IN ('moved', 'ask', 'tryagain', 'clusterdown', 'promotion', 'demotion', 'connect-refused', 'connect-timeout', 'read-timeout', 'reset', 'unreachable')
GROUP BY l.lane_id, t.kind, bin;
INSERT INTO mark (lane_id, shape, x0, x1, title)
SELECT lane_id, CASE WHEN kind IN ('moved', 'ask', 'tryagain', 'clusterdown') THEN 'redirect' WHEN kind IN ('promotion', 'demotion') THEN kind ELSE 'failed' END,
       bin * 2.0, bin * 2.0 + 2, kind || CASE WHEN n > 1 THEN ' x' || n ELSE '' END || ', ' || at_utc || CASE WHEN n > 1 THEN '' ELSE coalesce(': ' || substr(detail, 1, 120), '') END
FROM lane_event ORDER BY lane_id, CASE WHEN kind IN ('promotion', 'demotion') THEN 1 ELSE 0 END, bin, kind;
-- FAIL and PFAIL: a mark on the lane of the node that says so, another on that
-- of the node that it is about.
INSERT INTO mark (lane_id, shape, x0, x1, title)
SELECT lane_id, shape, bin * 2.0, bin * 2.0 + 2, sentence || CASE WHEN n > 1 THEN ' (and ' || (n - 1) || ' more), ' ELSE ', ' END || at_utc
FROM (SELECT l.lane_id, CASE WHEN l.key = h.observer THEN 'fail' WHEN h.down THEN 'down' ELSE 'back' END AS shape, (h.at - x.t0) * 500 / (x.t1 - x.t0) AS bin,
             min(h.at_utc) AS at_utc, h.sentence, count(*) AS n
      FROM extent x, health h JOIN lane l ON l.kind = 'node' AND l.incident = h.incident AND l.key IN (h.observer, h.about)
      WHERE h.at BETWEEN x.t0 AND x.t1 GROUP BY l.lane_id, shape, bin)
ORDER BY lane_id, bin, shape;
INSERT INTO mark (lane_id, shape, x0, x1, title, target)
SELECT l.lane_id, 'storm', (c.at - x.t0) * 1000.0 / (x.t1 - x.t0), (min(c.at + 1000000, x.t1) - x.t0) * 1000.0 / (x.t1 - x.t0),
       printf('storm: %s, %d requests of %d clients, peak %d a second', c.command, c.requests, c.clients, c.peak_per_s), 'storms'
FROM extent x, connect_storm c JOIN lane l ON l.kind = 'node' AND l.label = c.endpoint AND l.incident = c.incident
ORDER BY l.lane_id, c.at, c.command LIMIT 200;
-- Where a log states whole seconds: the time that the error may have come in.
INSERT INTO mark (lane_id, shape, x0, x1, title)
SELECT l.lane_id, 'unsure', (max(e.at, x.t0) - x.t0) * 1000.0 / (x.t1 - x.t0), (min(e.at + t.precision_us, x.t1) - x.t0) * 1000.0 / (x.t1 - x.t0),
       'within ' || CASE WHEN t.precision_us >= 60000000 THEN 'the minute ' ELSE 'the second ' END || t.said_at || 'Z: its log does not say when'
FROM extent x, failover_error e JOIN error_time t USING (error_id) JOIN lane l ON l.kind = 'client' AND l.key = e.client AND l.incident = e.incident
WHERE t.precision_us >= 1000000 AND e.at < x.t1 AND e.at + t.precision_us > x.t0
GROUP BY l.lane_id, e.at ORDER BY l.lane_id, e.at LIMIT 500;
INSERT INTO mark (lane_id, shape, x0, x1, title, target)
SELECT lane_id, verdict, bin * 8.0, bin * 8.0 + 8, verdict || CASE WHEN n > 1 THEN ' x' || n || ' from ' ELSE ' ' END || at_utc,
       (SELECT m.name FROM error_name m WHERE m.error_id = first_id)
FROM (SELECT l.lane_id, e.verdict, (e.at - x.t0) * 125 / (x.t1 - x.t0) AS bin, count(*) AS n, min(e.at_utc) AS at_utc, min(e.error_id) AS first_id
      FROM extent x, failover_error e JOIN lane l ON l.kind = 'client' AND l.key = e.client AND l.incident = e.incident
      WHERE e.at BETWEEN x.t0 AND x.t1 GROUP BY l.lane_id, e.verdict, bin)
ORDER BY lane_id, bin, verdict;
