-- 105-clock-measure.sql - clock offsets, measured from what two sources both saw.
--
-- Reads: the base tables (times as found), source_clock.  Makes: the measured
-- rows of source_clock.  A declared offset is never touched.
--
-- A sighting is one thing that one clock dates: it happened between lo and hi.
-- Two sightings of one key, by two clocks, say that the offset lies between
-- ref.lo - own.hi and ref.hi - own.lo, give or take a jitter.  The offset of a
-- clock is where most of these intervals overlap; each sighting counts once,
-- with however many partners.  That needs no order, no completeness and no
-- equal resolution: lost and repeated events only lower the count, and a poll
-- every 50 ms only widens an interval.
--
-- Four jitters are tried: 2 ms (where redirects are dense), 10, 50 and 250 ms (a
-- slow drift smears the overlap); the smallest that is beyond doubt is taken.  Beyond doubt is:
--   at least three keys, seen at three different times, agree;
--   half of the sightings at least that could agree do;
--   no other place has half as many;
--   the spread is below the jitter, or, where polls alone tell, the place is
--   known within 10 ms.
-- Where redirects are dense chance alone gives half: there ten sightings, nine
-- in ten of all that could agree, and no other place with three quarters of
-- them, all within 2 ms, are beyond doubt too.
-- An offset beyond doubt is applied if it exceeds its own uncertainty by 50 ms;
-- else the clocks agree as they are.  A clock that has no such offset, but
-- whose sightings contradict the reference as found, is doubtful: nothing is
-- applied, and its uncertainty becomes what would make it agree.
--
-- The quarters of a source are measured in the same way, as clocks of their own
-- (unit -(4 * unit + quarter)).  Where the first ones agree on one offset and
-- the others on another, the clock was set in between; where three or four lie
-- on a line, it runs fast or slow.

-- One row: one clock.  The files of a rotated set share one.
DROP TABLE IF EXISTS temp.clock_unit;
CREATE TEMP TABLE clock_unit (source_id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, incident TEXT NOT NULL, kind TEXT NOT NULL);
INSERT INTO clock_unit
SELECT s.source_id, coalesce(s.group_id, s.source_id), s.incident, s.kind
  FROM main.source s
 WHERE s.kind IN ('client-log', 'server-log', 'topology-dump', 'capture') AND s.first_at IS NOT NULL;
CREATE INDEX temp.clock_unit_i ON clock_unit (incident, kind, unit);

-- Which node an observer is.
DROP TABLE IF EXISTS temp.clock_node;
CREATE TEMP TABLE clock_node (observer_id INTEGER PRIMARY KEY, node_id INTEGER NOT NULL);
INSERT INTO clock_node
SELECT o.observer_id, coalesce(o.node_id, a.node_id)
  FROM main.observer o
  LEFT JOIN (SELECT endpoint_id, min(node_id) AS node_id FROM main.view_node WHERE node_id IS NOT NULL
	      GROUP BY endpoint_id HAVING min(node_id) = max(node_id)) a USING (endpoint_id)
 WHERE o.kind = 'node' AND coalesce(o.node_id, a.node_id) IS NOT NULL;

DROP TABLE IF EXISTS temp.sighting;
CREATE TEMP TABLE sighting (sighting_id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, key, lo INTEGER NOT NULL, hi INTEGER NOT NULL,
	position INTEGER NOT NULL);
-- Redirects: slot, target and code.  Where one clock alone captured, only those
-- that a log has too.
DROP VIEW IF EXISTS temp.clock_redirect;
CREATE TEMP VIEW clock_redirect AS
SELECT u.unit, u.incident, u.kind, (r.target_id * 16384 + r.slot) * 2 + (r.code = 'ASK') AS key, r.at,
    r.at + CASE WHEN r.precision_us > 1000 THEN r.precision_us ELSE 0 END AS hi, r.position
  FROM main.redirect r JOIN clock_unit u USING (source_id)
 WHERE r.at IS NOT NULL AND r.slot IS NOT NULL AND r.target_id IS NOT NULL AND r.code IN ('MOVED', 'ASK')
   AND r.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time');
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT unit, key, at, hi, min(position) FROM clock_redirect r
 WHERE kind = 'client-log' AND EXISTS (SELECT 1 FROM clock_unit c WHERE c.incident = r.incident AND c.kind = 'capture')
 GROUP BY unit, key, at ORDER BY 1, 3, 2;
DROP TABLE IF EXISTS temp.clock_logged;
CREATE TEMP TABLE clock_logged (key INTEGER PRIMARY KEY);
INSERT INTO clock_logged SELECT DISTINCT key FROM sighting;
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT unit, key, at, hi, min(position) FROM clock_redirect r
 WHERE kind = 'capture' AND (key IN (SELECT key FROM clock_logged)
	OR EXISTS (SELECT 1 FROM clock_unit c WHERE c.incident = r.incident AND c.kind = 'capture' AND c.unit <> r.unit))
 GROUP BY unit, key, at ORDER BY 1, 3, 2;
-- What one node says of another, and when that changed: 'c' it leads with this
-- epoch, 'y' it follows this master, 'f' it failed, 'k' it failed no more, 'n' it
-- owns so many slots (of several changes at once the first node's).  Polls see it between two answers.
DROP TABLE IF EXISTS temp.clock_slots;
CREATE TEMP TABLE clock_slots (view_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, slots INTEGER NOT NULL, PRIMARY KEY (view_id, ordinal)) WITHOUT ROWID;
INSERT INTO clock_slots
SELECT view_id, ordinal, sum(slot_to - slot_from + 1) FROM main.view_slots WHERE state = 'owned' GROUP BY view_id, ordinal;
DROP TABLE IF EXISTS temp.clock_word;
CREATE TEMP TABLE clock_word AS
WITH w AS (
	SELECT u.unit, o.node_id AS who, n.node_id AS whom, v.view_id, v.position, v.first_at, v.last_at,
	    v.first_at + coalesce(v.rtt_us, 3000) + CASE WHEN v.precision_us > 1000 THEN v.precision_us ELSE 0 END AS hi,
	    -- a stamp may stand well before its answer
    v.first_at + CASE WHEN v.kind = 'dump' THEN coalesce(v.rtt_us, 0) ELSE 0 END AS asked_by,
    v.kind <> 'bus' AS poll,
	    CASE WHEN n.role = 'master' THEN 'c ' || n.node_id || ' ' || n.config_epoch
		ELSE 'y ' || n.node_id || ' ' || n.master_id END AS word,
	    (',' || coalesce(n.flags, '') || ',') LIKE '%,fail,%' AS failed,
	    CASE WHEN n.role = 'master' THEN coalesce(x.slots, 0) END AS slots
	  FROM main.view v JOIN clock_unit u USING (source_id) JOIN clock_node o USING (observer_id)
	  JOIN main.view_node n USING (view_id) LEFT JOIN clock_slots x USING (view_id, ordinal)
	 WHERE v.first_at IS NOT NULL AND n.node_id IS NOT NULL AND v.partial = 0
	   AND ((v.kind IN ('dump', 'reply') AND v.form = 'nodes') OR (v.kind = 'bus' AND n.node_id = o.node_id))
	   AND v.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time')
	   AND coalesce(n.flags, '') NOT LIKE '%handshake%')
SELECT *, lag(word) OVER t AS word0, lag(failed) OVER t AS failed0, lag(slots) OVER t AS slots0,
    max(last_at) OVER (PARTITION BY unit, who, whom, poll ORDER BY first_at, view_id
	ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS lo
  FROM w WINDOW t AS (PARTITION BY unit, who, whom, poll ORDER BY first_at, view_id);
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT unit, who || ' ' || word, min(lo, first_at), hi, position FROM clock_word WHERE word <> word0
UNION ALL
SELECT unit, who || CASE WHEN failed THEN ' f ' ELSE ' k ' END || whom, min(lo, first_at), hi, position
  FROM clock_word WHERE poll AND failed <> failed0
UNION ALL
SELECT unit, who || ' n ' || min(whom) || ' ' || slots, min(lo, first_at), hi, position FROM clock_word WHERE slots <> slots0 AND word = word0
 GROUP BY unit, who, view_id
 ORDER BY 1, 3, 2, 5;
-- The same polls, seen in a file and on the wire, agree to the millisecond where
-- the file's stamp stands right before the answer.
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT unit, 'poll ' || who || ' ' || word, first_at, asked_by, position FROM clock_word WHERE poll AND word <> word0
UNION ALL
SELECT unit, 'poll ' || who || CASE WHEN failed THEN ' f ' ELSE ' k ' END || whom, first_at, asked_by, position
  FROM clock_word WHERE poll AND failed <> failed0
UNION ALL
SELECT unit, 'poll ' || who || ' n ' || min(whom) || ' ' || slots, first_at, asked_by, position FROM clock_word WHERE poll AND slots <> slots0 AND word = word0
 GROUP BY unit, who, view_id
 ORDER BY 1, 3, 2, 5;
-- Server logs, and what their nodes said on the bus.
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT unit, key, at, at + CASE WHEN precision_us > 1000 THEN precision_us ELSE 0 END, min(position)
  FROM (SELECT u.unit, e.at, e.precision_us, e.position, CASE e.kind
		WHEN 'promotion' THEN o.node_id || ' c ' || o.node_id || ' ' || coalesce(e.epoch,
		    (SELECT max(n.epoch) FROM main.server_event n WHERE n.source_id = e.source_id AND n.kind = 'epoch'
			AND n.position BETWEEN e.position - 5 AND e.position + 5))
		WHEN 'demotion' THEN o.node_id || ' y ' || o.node_id || ' ' || e.other_id
		WHEN 'fail' THEN o.node_id || CASE e.event WHEN 'fail-cleared' THEN ' k ' ELSE ' f ' END || e.subject_id
		WHEN 'vote' THEN 'v ' || CASE e.event WHEN 'vote-requested' THEN o.node_id ELSE e.other_id END || ' ' || e.epoch
		ELSE 'v ' || o.node_id || ' ' || e.epoch END AS key
	  FROM main.server_event e JOIN clock_unit u USING (source_id) JOIN clock_node o USING (observer_id)
	 WHERE e.at IS NOT NULL AND e.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time')
	   AND (u.kind = 'server-log' OR e.kind = 'vote' OR e.event = 'fail-marked')
	   AND (e.kind IN ('promotion', 'demotion', 'vote') OR e.event IN ('fail-marked', 'fail-received', 'fail-cleared', 'election-started')))
 WHERE key IS NOT NULL
 GROUP BY unit, key, at ORDER BY unit, at, key;
-- A FAIL message reaches everybody at once.
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT u.unit, 'F ' || e.subject_id, e.at, e.at + CASE WHEN e.precision_us > 1000 THEN e.precision_us ELSE 0 END, min(e.position)
  FROM main.server_event e JOIN clock_unit u USING (source_id)
 WHERE e.at IS NOT NULL AND e.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time') AND e.subject_id IS NOT NULL
   AND e.event IN ('fail-marked', 'fail-received')
 GROUP BY u.unit, e.subject_id, e.at ORDER BY 1, 3, 2;
-- When a dump had its answers.
DROP TABLE IF EXISTS temp.clock_poll;
CREATE TEMP TABLE clock_poll (source_id INTEGER NOT NULL, last_at INTEGER NOT NULL, rtt_us INTEGER NOT NULL, PRIMARY KEY (source_id, last_at)) WITHOUT ROWID;
INSERT INTO clock_poll
SELECT v.source_id, v.last_at, max(coalesce(v.rtt_us, 0)) FROM main.view v JOIN clock_unit u USING (source_id)
 WHERE u.kind = 'topology-dump' AND v.last_at IS NOT NULL GROUP BY v.source_id, v.last_at;
-- Refused connections: a span begins with the first, of polls somewhere between
-- the last answer and it.
INSERT INTO sighting (unit, key, lo, hi, position)
SELECT u.unit, 'x ' || c.endpoint_id,
	coalesce((SELECT max(p.last_at) FROM clock_poll p WHERE p.source_id = c.source_id AND p.last_at <= c.first_at), c.first_at),
	c.first_at + CASE WHEN c.precision_us > 1000 THEN c.precision_us ELSE 0 END
	    + coalesce((SELECT p.rtt_us FROM clock_poll p WHERE p.source_id = c.source_id AND p.last_at <= c.first_at ORDER BY p.last_at DESC LIMIT 1), 0), min(c.position)
  FROM main.contact c JOIN clock_unit u USING (source_id)
 WHERE c.outcome = 'refused' AND c.first_at IS NOT NULL AND c.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time')
 GROUP BY u.unit, c.endpoint_id, c.first_at ORDER BY 1, 3, 2;
CREATE INDEX temp.sighting_k ON sighting (key, unit);
DROP TABLE IF EXISTS temp.clock_has;
CREATE TEMP TABLE clock_has (unit INTEGER NOT NULL, key, PRIMARY KEY (unit, key));
INSERT INTO clock_has SELECT DISTINCT unit, key FROM sighting;
CREATE INDEX temp.clock_has_k ON clock_has (key, unit);
CREATE INDEX temp.sighting_u ON sighting (unit, key);
CREATE INDEX temp.clock_unit_u ON clock_unit (unit);

-- The reference: a capture, else the server logs together (each of them is
-- measured against the others), else whatever shares most with the others.
-- clock_ref has one row an incident, the first of its reference; clock_by all.
DROP TABLE IF EXISTS temp.clock_ref;
CREATE TEMP TABLE clock_ref (incident TEXT PRIMARY KEY, unit INTEGER NOT NULL, kind TEXT NOT NULL, first_at INTEGER, last_at INTEGER);
INSERT INTO clock_ref (incident, unit, kind)
SELECT incident, unit, kind FROM (
	SELECT u.incident, u.unit, u.kind, row_number() OVER (PARTITION BY u.incident ORDER BY u.kind = 'capture' DESC,
	    u.kind = 'server-log' AND EXISTS (SELECT 1 FROM clock_has a WHERE a.unit = u.unit) DESC,
	    (SELECT count(*) FROM clock_has a JOIN clock_has b ON b.key = a.key AND b.unit <> a.unit
		WHERE a.unit = u.unit AND u.kind <> 'capture') DESC,
	    (SELECT count(*) FROM sighting a WHERE a.unit = u.unit) DESC, u.unit) AS place
	  FROM clock_unit u WHERE u.source_id = u.unit)
 WHERE place = 1;
DROP TABLE IF EXISTS temp.clock_by;
CREATE TEMP TABLE clock_by (incident TEXT NOT NULL, unit INTEGER NOT NULL, PRIMARY KEY (incident, unit)) WITHOUT ROWID;
INSERT INTO clock_by
SELECT incident, unit FROM clock_ref
UNION SELECT u.incident, u.unit FROM clock_unit u JOIN clock_ref r ON r.incident = u.incident AND r.kind = 'server-log' WHERE u.kind = 'server-log';
UPDATE clock_ref SET (first_at, last_at) = (SELECT min(s.first_at), max(s.last_at)
	FROM main.source s JOIN clock_unit u USING (source_id) JOIN clock_by b ON b.unit = u.unit WHERE b.incident = clock_ref.incident);
-- Dumps of one folder are mostly one sampler's, and each alone shares little
-- with its node's log: they are measured together as well (unit: the pool).
DROP TABLE IF EXISTS temp.clock_pool;
CREATE TEMP TABLE clock_pool (unit INTEGER PRIMARY KEY, pool INTEGER NOT NULL, incident TEXT NOT NULL);
INSERT INTO clock_pool
SELECT u.unit, (SELECT max(source_id) FROM main.source) + dense_rank() OVER (ORDER BY u.incident, rtrim(s.name, replace(s.name, '/', ''))), u.incident
  FROM clock_unit u JOIN main.source s USING (source_id) JOIN clock_ref r ON r.incident = u.incident AND r.kind = 'server-log'
 WHERE u.kind = 'topology-dump' AND u.source_id = u.unit;

-- Keys that both have, the rarest first, as many as give 5,000 pairs a clock:
-- what recurs often tells least.
DROP TABLE IF EXISTS temp.clock_key;
CREATE TEMP TABLE clock_key AS
SELECT * FROM (
	SELECT *, sum(n * m) OVER (PARTITION BY unit ORDER BY n * m, key, ref ROWS UNBOUNDED PRECEDING) AS cost
	  FROM (SELECT a.unit, f.unit AS ref, a.key, a.n, b.n AS m
		  FROM (SELECT unit, key, count(*) AS n FROM sighting GROUP BY key, unit) a
		  JOIN (SELECT DISTINCT unit, incident FROM clock_unit) u ON u.unit = a.unit
		  JOIN clock_by f ON f.incident = u.incident AND f.unit <> a.unit
		  JOIN (SELECT unit, key, count(*) AS n FROM sighting WHERE unit IN (SELECT unit FROM clock_by) GROUP BY key, unit) b
			ON b.unit = f.unit AND b.key = a.key))
 WHERE cost <= 5000;
DROP TABLE IF EXISTS temp.clock_pair;
CREATE TEMP TABLE clock_pair (unit INTEGER NOT NULL, key, own INTEGER NOT NULL, lo INTEGER NOT NULL, hi INTEGER NOT NULL,
	at INTEGER NOT NULL, position INTEGER NOT NULL);
INSERT INTO clock_pair
SELECT k.unit, k.key, a.sighting_id, b.lo - a.hi, b.hi - a.lo, a.lo, a.position
  FROM clock_key k JOIN sighting a ON a.key = k.key AND a.unit = k.unit JOIN sighting b ON b.key = k.key AND b.unit = k.ref
 ORDER BY k.unit, a.sighting_id, b.lo - a.hi, b.hi, b.sighting_id;
INSERT INTO clock_pair
SELECT -(4 * p.unit + q.quarter), p.key, p.own, p.lo, p.hi, p.at, p.position
  FROM clock_pair p JOIN (
	SELECT unit, own, ntile(4) OVER (PARTITION BY unit ORDER BY position, own) - 1 AS quarter, count(*) OVER (PARTITION BY unit) AS n
	  FROM (SELECT DISTINCT unit, own, position FROM clock_pair)
	 WHERE unit IN (SELECT unit FROM clock_unit GROUP BY unit HAVING count(*) = 1)) q USING (unit, own)
 WHERE q.n >= 12;
INSERT INTO clock_pair
SELECT o.pool, p.key, p.own, p.lo, p.hi, p.at, p.position FROM clock_pair p JOIN clock_pool o USING (unit);
CREATE INDEX temp.clock_pair_i ON clock_pair (unit, lo);

-- Where most sightings agree, for each jitter.  Partners of one sighting that
-- lie together count once.
DROP TABLE IF EXISTS temp.clock_edge;
CREATE TEMP TABLE clock_edge AS
WITH j(jitter) AS (VALUES (2000), (10000), (50000), (250000)),
p AS (SELECT unit, jitter, own, lo - jitter AS lo, hi + jitter AS hi FROM clock_pair JOIN j),
q AS (SELECT *, max(hi) OVER w AS reach FROM p
	WINDOW w AS (PARTITION BY unit, jitter, own ORDER BY lo, hi ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
r AS (SELECT *, sum(reach IS NULL OR lo > reach) OVER (PARTITION BY unit, jitter, own ORDER BY lo, hi ROWS UNBOUNDED PRECEDING) AS island FROM q),
i AS (SELECT unit, jitter, own, min(lo) AS lo, max(hi) AS hi FROM r GROUP BY unit, jitter, own, island),
e AS (SELECT unit, jitter, lo AS x, 1 AS up FROM i UNION ALL SELECT unit, jitter, hi, -1 FROM i),
d AS (SELECT unit, jitter, x, sum(up) AS up FROM e GROUP BY unit, jitter, x)
SELECT unit, jitter, x, sum(up) OVER (PARTITION BY unit, jitter ORDER BY x ROWS UNBOUNDED PRECEDING) AS depth,
    lead(x) OVER (PARTITION BY unit, jitter ORDER BY x) AS x1
  FROM d;
CREATE INDEX temp.clock_edge_i ON clock_edge (unit, jitter, depth);
-- The best place of each, the nearest to none on a tie, and what agrees there.
DROP TABLE IF EXISTS temp.clock_mode;
CREATE TEMP TABLE clock_mode (unit INTEGER NOT NULL, jitter INTEGER NOT NULL, depth INTEGER NOT NULL, lo INTEGER NOT NULL, hi INTEGER NOT NULL,
	could INTEGER, keys INTEGER, times INTEGER, sharp INTEGER, offset_us INTEGER, spread_us INTEGER, width INTEGER, second INTEGER,
	as_found INTEGER, from_at INTEGER, to_at INTEGER, PRIMARY KEY (unit, jitter)) WITHOUT ROWID;
INSERT INTO clock_mode (unit, jitter, depth, lo, hi)
SELECT unit, jitter, depth, x, x1 FROM (
	SELECT *, row_number() OVER (PARTITION BY unit, jitter ORDER BY depth DESC, max(x, -x1, 0), x) AS place
	  FROM clock_edge WHERE x1 IS NOT NULL)
 WHERE place = 1;
-- The pairs that agree there: of one sighting the one in the middle.  Sharp
-- pairs give the offset and the spread, if there are three, else the place.
DROP TABLE IF EXISTS temp.clock_agree;
CREATE TEMP TABLE clock_agree AS
SELECT * FROM (
	SELECT m.unit, m.jitter, p.key, p.own, p.at, p.position, (p.lo + p.hi) / 2 AS mid, p.hi - p.lo AS width,
	    row_number() OVER (PARTITION BY m.unit, m.jitter, p.own ORDER BY p.hi - p.lo, abs((p.lo + p.hi) / 2 - (m.lo + m.hi) / 2), p.lo) AS place
	  FROM clock_mode m JOIN clock_pair p ON p.unit = m.unit AND p.lo - m.jitter <= (m.lo + m.hi) / 2 AND p.hi + m.jitter >= (m.lo + m.hi) / 2)
 WHERE place = 1;
UPDATE clock_mode SET
	(keys, times, sharp, width) = (SELECT count(DISTINCT CASE WHEN substr(a.key, 1, 5) = 'poll ' THEN substr(a.key, 6) ELSE a.key END),
	    min(count(DISTINCT a.at / 20000), count(DISTINCT a.position)), coalesce(sum(a.width <= 2000), 0), CAST(avg(min(a.width, 10000000)) AS INTEGER)
	    FROM clock_agree a WHERE a.unit = clock_mode.unit AND a.jitter = clock_mode.jitter);
UPDATE clock_mode SET (from_at, to_at) = (SELECT f.first_at, f.last_at FROM clock_ref f
	WHERE f.incident = coalesce((SELECT u.incident FROM clock_unit u
		WHERE u.unit = CASE WHEN clock_mode.unit < 0 THEN -clock_mode.unit / 4 ELSE clock_mode.unit END LIMIT 1),
	    (SELECT o.incident FROM clock_pool o WHERE o.pool = clock_mode.unit LIMIT 1)));
UPDATE clock_mode SET offset_us = (lo + hi) / 2, spread_us = (hi - lo) / 2;
UPDATE clock_mode SET offset_us = (SELECT x.mid FROM (
	SELECT a.mid, row_number() OVER (ORDER BY a.mid, a.own) AS place FROM clock_agree a
	 WHERE a.unit = clock_mode.unit AND a.jitter = clock_mode.jitter AND a.width <= 2000) x WHERE x.place = (clock_mode.sharp + 1) / 2)
 WHERE sharp >= 3;
UPDATE clock_mode SET spread_us = (SELECT x.off FROM (
	SELECT abs(a.mid - clock_mode.offset_us) AS off, row_number() OVER (ORDER BY abs(a.mid - clock_mode.offset_us), a.own) AS place FROM clock_agree a
	 WHERE a.unit = clock_mode.unit AND a.jitter = clock_mode.jitter AND a.width <= 2000) x WHERE x.place = (clock_mode.sharp * 9 + 9) / 10)
 WHERE sharp >= 3;
-- What could agree: what the reference was there to see.
UPDATE clock_mode SET
	could = (SELECT count(DISTINCT p.own) FROM clock_pair p WHERE p.unit = clock_mode.unit
	    AND p.at BETWEEN clock_mode.from_at - clock_mode.offset_us AND clock_mode.to_at - clock_mode.offset_us),
	second = coalesce((SELECT max(e.depth) FROM clock_edge e WHERE e.unit = clock_mode.unit AND e.jitter = clock_mode.jitter
	    AND (e.x > clock_mode.hi + 2 * clock_mode.jitter + clock_mode.width OR e.x1 < clock_mode.lo - 2 * clock_mode.jitter - clock_mode.width)), 0),
	as_found = coalesce((SELECT max(e.depth) FROM clock_edge e WHERE e.unit = clock_mode.unit AND e.jitter = clock_mode.jitter
	    AND e.x <= 50000 AND e.x1 >= -50000), 0);

-- What is beyond doubt, and what is doubtful.
DROP TABLE IF EXISTS temp.clock_found;
CREATE TEMP TABLE clock_found (unit INTEGER PRIMARY KEY, offset_us INTEGER NOT NULL, spread_us INTEGER NOT NULL, pairs INTEGER NOT NULL,
	could INTEGER NOT NULL, keys INTEGER NOT NULL, sure INTEGER NOT NULL, zone_us INTEGER NOT NULL, fits INTEGER NOT NULL);
INSERT INTO clock_found
SELECT unit, offset_us, CASE WHEN jitter > 10000 THEN max(spread_us, jitter) ELSE spread_us END, depth, could, keys, 1, 0, as_found * 10 >= depth * 9 FROM (
	SELECT *, row_number() OVER (PARTITION BY unit ORDER BY jitter) AS place FROM clock_mode
	 WHERE keys >= 3 AND times >= 3 AND (spread_us <= jitter OR sharp < 3 AND jitter = 2000 AND spread_us <= 10000)
	   AND (depth * 2 >= could AND second * 2 <= depth
		OR jitter = 2000 AND sharp >= 10 AND depth * 10 >= could * 9 AND second * 4 <= depth * 3))
 WHERE place = 1;
-- Where redirects are dense a wide jitter is beyond doubt and blurred: the best
-- place of the least jitter inside it is the offset.
UPDATE clock_found SET (offset_us, spread_us, pairs) = (
	SELECT m.offset_us, m.spread_us, m.depth FROM clock_mode m
	 WHERE m.unit = clock_found.unit AND m.jitter = 2000)
 WHERE spread_us >= 50000 AND EXISTS (SELECT 1 FROM clock_mode m WHERE m.unit = clock_found.unit AND m.jitter = 2000
	AND m.sharp >= 3 AND m.depth * 10 >= clock_found.pairs * 9 AND m.second < m.depth
	AND abs(m.offset_us - clock_found.offset_us) <= clock_found.spread_us + 50000);
-- The quarters that were measured sharply, and what they say of the whole.
DROP TABLE IF EXISTS temp.clock_part;
CREATE TEMP TABLE clock_part (unit INTEGER NOT NULL, part INTEGER NOT NULL, offset_us INTEGER NOT NULL, spread_us INTEGER NOT NULL,
	pairs INTEGER NOT NULL, could INTEGER NOT NULL, keys INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (unit, part)) WITHOUT ROWID;
INSERT INTO clock_part
SELECT -f.unit / 4, -f.unit % 4, f.offset_us, f.spread_us, f.pairs, f.could, f.keys,
	(SELECT CAST(avg(a.at) AS INTEGER) FROM clock_agree a WHERE a.unit = f.unit AND a.jitter = 10000)
  FROM clock_found f WHERE f.unit < 0 AND f.spread_us <= 10000;
DELETE FROM clock_found WHERE unit < 0;
-- One row: one clock that was set anew.  The first quarters agree with the first
-- one, the others with the last one; a sighting that agrees with one of the two
-- only says on which side of the step it lies.
DROP TABLE IF EXISTS temp.clock_step;
CREATE TEMP TABLE clock_step (unit INTEGER PRIMARY KEY, offset_us INTEGER NOT NULL, step_us INTEGER NOT NULL, spread_us INTEGER NOT NULL,
	pairs INTEGER NOT NULL, could INTEGER NOT NULL, keys INTEGER NOT NULL, step_after INTEGER, step_by INTEGER, misfits INTEGER, n INTEGER);
INSERT INTO clock_step (unit, offset_us, step_us, spread_us, pairs, could, keys)
SELECT p.unit, a.offset_us, b.offset_us - a.offset_us, max(p.spread_us), sum(p.pairs), sum(p.could), sum(p.keys)
  FROM clock_part p
  JOIN clock_part a ON a.unit = p.unit AND a.part = (SELECT min(x.part) FROM clock_part x WHERE x.unit = p.unit)
  JOIN clock_part b ON b.unit = p.unit AND b.part = (SELECT max(x.part) FROM clock_part x WHERE x.unit = p.unit)
 GROUP BY p.unit
HAVING abs(b.offset_us - a.offset_us) > 50000 + 2 * max(p.spread_us)
   AND sum(abs(p.offset_us - a.offset_us) > 5000 + max(p.spread_us, a.spread_us) AND abs(p.offset_us - b.offset_us) > 5000 + max(p.spread_us, b.spread_us)) = 0
   AND max(CASE WHEN abs(p.offset_us - a.offset_us) <= 5000 + max(p.spread_us, a.spread_us) THEN p.part END)
	< min(CASE WHEN abs(p.offset_us - b.offset_us) <= 5000 + max(p.spread_us, b.spread_us) THEN p.part END);
DROP TABLE IF EXISTS temp.clock_side;
CREATE TEMP TABLE clock_side AS
WITH s AS (
	SELECT p.unit, p.own, p.position, max(p.lo - 10000 <= k.offset_us AND p.hi + 10000 >= k.offset_us) AS a,
	    max(p.lo - 10000 <= k.offset_us + k.step_us AND p.hi + 10000 >= k.offset_us + k.step_us) AS b
	  FROM clock_step k CROSS JOIN clock_pair p ON p.unit = k.unit GROUP BY p.unit, p.own, p.position)
SELECT unit, own, position, b,
    -- misfits of a step just before this one
    coalesce(sum(b) OVER (PARTITION BY unit ORDER BY position, own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
	+ sum(a) OVER (PARTITION BY unit ORDER BY position, own ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS misfits,
    count(*) OVER (PARTITION BY unit) AS n
  FROM s WHERE a <> b;
UPDATE clock_step SET (step_by, misfits, n) = (SELECT s.position, s.misfits, s.n FROM clock_side s WHERE s.unit = clock_step.unit AND s.b
	ORDER BY s.misfits, s.position LIMIT 1);
DELETE FROM clock_step WHERE step_by IS NULL OR misfits * 10 > n;
UPDATE clock_step SET step_after = (SELECT max(s.position) FROM clock_side s WHERE s.unit = clock_step.unit AND NOT s.b AND s.position < clock_step.step_by);
DELETE FROM clock_found WHERE unit IN (SELECT unit FROM clock_step);
INSERT INTO clock_found
SELECT unit, offset_us, spread_us, pairs, could, keys, 1, 0, abs(offset_us) <= spread_us + 50000 FROM clock_step;
-- One row: one clock that runs fast or slow, by the line through its quarters:
-- none of them is more than 5 ms from it, and the quarters are 10 ms apart at least.
DROP TABLE IF EXISTS temp.clock_drift;
CREATE TEMP TABLE clock_drift AS
WITH m AS (
	SELECT unit, avg(at) AS at, avg(offset_us) AS mean, sum(pairs) AS pairs, sum(could) AS could, sum(keys) AS keys,
	    max(spread_us) AS spread_us, max(offset_us) - min(offset_us) AS width
	  FROM clock_part WHERE unit NOT IN (SELECT unit FROM clock_step) GROUP BY unit HAVING count(*) >= 3),
l AS (
	SELECT m.*, (SELECT sum((p.at - m.at) * (p.offset_us - m.mean)) / sum((p.at - m.at) * (p.at - m.at)) FROM clock_part p WHERE p.unit = m.unit) AS slope
	  FROM m WHERE m.width > 10000)
SELECT unit, CAST(mean AS INTEGER) AS offset_us, CAST(at AS INTEGER) AS drift_from, CAST(round(slope * 1e9) AS INTEGER) AS drift_ppb, pairs, could, keys,
    max(spread_us, (SELECT CAST(max(abs(p.offset_us - l.mean - l.slope * (p.at - l.at))) AS INTEGER) FROM clock_part p WHERE p.unit = l.unit)) AS spread_us
  FROM l
 WHERE abs(slope) <= 1e-3
   AND NOT EXISTS (SELECT 1 FROM clock_part p WHERE p.unit = l.unit AND abs(p.offset_us - l.mean - l.slope * (p.at - l.at)) > 5000);
DELETE FROM clock_found WHERE unit IN (SELECT unit FROM clock_drift);
INSERT INTO clock_found
SELECT unit, offset_us, spread_us, pairs, could, keys, 1, 0, abs(offset_us) <= spread_us + 50000 FROM clock_drift;
-- In dense traffic something always agrees somewhere near: less sharp than
-- 20 ms, a small offset is noise, and a large one only a suspicion, unless all
-- agrees as found as well.
DELETE FROM clock_found WHERE spread_us > 20000 AND (abs(offset_us) < 1000000 OR fits);
UPDATE clock_found SET sure = 0 WHERE spread_us > 20000;
-- Doubtful: nothing agrees as found and half of it agrees elsewhere.  Refused
-- connections begin for each client when it first tries: they prove nothing.
INSERT INTO clock_found
SELECT m.unit, m.offset_us, m.jitter, m.depth, m.could, m.keys, 0, 0, 0 FROM clock_mode m
 WHERE m.unit > 0 AND m.jitter = 250000 AND m.as_found = 0 AND m.depth * 2 >= m.could AND abs(m.offset_us) > 1000000
   AND NOT EXISTS (SELECT 1 FROM clock_found f WHERE f.unit = m.unit)
   AND EXISTS (SELECT 1 FROM clock_agree a WHERE a.unit = m.unit AND a.jitter = m.jitter AND a.key NOT LIKE 'x %');
-- Or: nothing agrees as found and all of it, two things at least, agrees elsewhere.
INSERT INTO clock_found
SELECT m.unit, m.offset_us, m.jitter, m.depth, m.could, m.keys, 0, 0, 0 FROM clock_mode m
 WHERE m.unit > 0 AND m.jitter = 10000 AND m.as_found = 0 AND m.keys >= 2 AND m.depth = m.could
   AND NOT EXISTS (SELECT 1 FROM clock_found f WHERE f.unit = m.unit)
   AND EXISTS (SELECT 1 FROM clock_agree a WHERE a.unit = m.unit AND a.jitter = m.jitter AND a.key NOT LIKE 'x %');
-- What is known more sharply than that, of other things than redirects.
UPDATE clock_found SET (offset_us, spread_us, pairs, could, keys) = (
	SELECT m.offset_us, m.jitter, m.depth, m.could, m.keys FROM clock_mode m WHERE m.unit = clock_found.unit AND m.jitter = 10000)
 WHERE NOT sure AND spread_us = 250000 AND unit IN (SELECT m.unit FROM clock_mode m
	WHERE m.jitter = 10000 AND m.as_found = 0 AND m.keys >= 2 AND m.depth = m.could AND abs(m.offset_us - clock_found.offset_us) <= 250000
	  AND NOT EXISTS (SELECT 1 FROM clock_agree a WHERE a.unit = m.unit AND a.jitter = m.jitter AND (typeof(a.key) = 'integer' OR a.key LIKE 'x %')));
-- Or: half of it at most agrees as found, and all of ten or more elsewhere.
INSERT INTO clock_found
SELECT m.unit, m.offset_us, m.jitter, m.depth, m.could, m.keys, 0, 0, 0 FROM clock_mode m
 WHERE m.unit > 0 AND m.jitter = 2000 AND m.depth >= 10 AND m.as_found * 2 <= m.depth AND m.depth * 10 >= m.could * 9 AND m.second * 4 <= m.depth * 3
   AND NOT EXISTS (SELECT 1 FROM clock_found f WHERE f.unit = m.unit);
-- Or: the few polls that a dump and a capture both have, sharp as they are, are
-- all off by one amount.
INSERT INTO clock_found
SELECT unit, offset_us, 2000, n, n, n, 0, 0, 0 FROM (
	SELECT unit, CAST(avg(lo) AS INTEGER) AS offset_us, count(DISTINCT own) AS n, max(lo) - min(lo) AS width, min(abs(lo)) AS least
	  FROM clock_pair WHERE unit > 0 AND lo = hi AND typeof(key) = 'text' AND key LIKE 'poll %' GROUP BY unit)
 WHERE width <= 4000 AND least > 20000 AND unit NOT IN (SELECT unit FROM clock_found);
-- A server log that is off by one amount both against the other logs and
-- against a dump is the one that is off, not the dump.
DROP TABLE IF EXISTS temp.clock_witness;
CREATE TEMP TABLE clock_witness AS
SELECT l.unit AS log, d.unit AS dump
  FROM clock_found l JOIN clock_by b ON b.unit = l.unit JOIN clock_pool o USING (incident) JOIN clock_found d ON d.unit = o.unit
 WHERE max(l.spread_us, d.spread_us) <= 20000 AND abs(l.offset_us + d.offset_us) <= 20000 AND abs(l.offset_us) > 50000
   AND EXISTS (SELECT 1 FROM clock_has x JOIN clock_has y ON y.key = x.key AND y.unit = d.unit WHERE x.unit = l.unit);
UPDATE clock_found SET sure = 1 WHERE unit IN (SELECT log FROM clock_witness);
DELETE FROM clock_found WHERE unit IN (SELECT dump FROM clock_witness);
-- What a pool of dumps is off by beyond doubt, each of them is, unless its own
-- events say otherwise.
DELETE FROM clock_found WHERE NOT sure AND unit IN (
	SELECT o.unit FROM clock_pool o JOIN clock_found p ON p.unit = o.pool JOIN clock_mode m ON m.unit = o.unit AND m.jitter = 250000
	 WHERE p.sure AND p.offset_us BETWEEN m.lo AND m.hi);
INSERT OR IGNORE INTO clock_found
SELECT o.unit, p.offset_us, p.spread_us, p.pairs, p.could, p.keys, p.sure, 0, 0 FROM clock_pool o JOIN clock_found p ON p.unit = o.pool
 WHERE abs(p.offset_us) > p.spread_us + 50000;
DELETE FROM clock_found WHERE unit IN (SELECT pool FROM clock_pool);
-- Where all that is measured is off by one amount, two clocks at least, and
-- nothing agrees with the reference as found, it is the reference that is off.
-- Server logs are many clocks, unless they were read in a wrong zone.
DROP TABLE IF EXISTS temp.clock_ref_off;
CREATE TEMP TABLE clock_ref_off AS
WITH f AS (
	SELECT r.incident, r.kind, f.* FROM clock_found f JOIN (SELECT DISTINCT unit, incident FROM clock_unit) u USING (unit)
	  JOIN clock_ref r USING (incident) WHERE NOT EXISTS (SELECT 1 FROM clock_by b WHERE b.incident = r.incident AND b.unit = f.unit)),
m AS (
	SELECT a.*, row_number() OVER (PARTITION BY a.incident ORDER BY a.spread_us, a.unit) AS place FROM f a
	 WHERE a.sure AND abs(a.offset_us) > a.spread_us + 50000
	   AND (a.kind <> 'server-log' OR (abs(a.offset_us) > 800000000 AND abs(a.offset_us - CAST(round(a.offset_us / 9e8) AS INTEGER) * 900000000) < 5000000))
	   AND NOT EXISTS (SELECT 1 FROM f b WHERE b.incident = a.incident AND b.sure AND abs(b.offset_us - a.offset_us) > 50000)
	   AND (SELECT count(*) FROM f b WHERE b.incident = a.incident AND b.sure) >= 2)
SELECT m.incident, b.unit AS ref, m.unit, m.offset_us, m.spread_us, m.pairs, m.could, m.keys FROM m JOIN clock_by b USING (incident)
  JOIN source_clock k ON k.source_id = b.unit AND k.basis = 'as-found' WHERE m.place = 1;
DELETE FROM clock_found WHERE unit IN (SELECT ref FROM clock_ref_off) AND NOT sure;
UPDATE clock_found SET offset_us = offset_us - (SELECT o.offset_us FROM clock_ref_off o JOIN clock_unit u USING (incident) WHERE u.unit = clock_found.unit LIMIT 1),
	fits = sure AND unit NOT IN (SELECT ref FROM clock_ref_off)
 WHERE unit IN (SELECT u.unit FROM clock_unit u JOIN clock_ref_off o USING (incident));
INSERT OR IGNORE INTO clock_found
SELECT ref, -offset_us, spread_us, pairs, could, keys, 1, 0, 0 FROM clock_ref_off;
-- A zone mistake is a multiple of a quarter of an hour, and nothing else.
UPDATE clock_found SET zone_us = CAST(round(offset_us / 9e8) AS INTEGER) * 900000000
 WHERE sure AND abs(offset_us) >= 900000000 - 5000000
   AND abs(offset_us - CAST(round(offset_us / 9e8) AS INTEGER) * 900000000) < 5000000;

UPDATE source_clock SET (against_id, pairs, measured_us, spread_us) = (
	SELECT coalesce((SELECT o.unit FROM clock_ref_off o WHERE o.ref = u.unit),
		CASE WHEN u.unit <> r.unit THEN r.unit ELSE (SELECT min(b.unit) FROM clock_by b WHERE b.incident = u.incident AND b.unit <> u.unit) END), f.pairs, f.offset_us, f.spread_us
	  FROM clock_unit u JOIN clock_found f USING (unit) JOIN clock_ref r USING (incident) WHERE u.source_id = source_clock.source_id)
 WHERE source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_found f USING (unit));
UPDATE source_clock SET (offset_us, uncertainty_us, basis, applied) = (
	SELECT f.offset_us, max(source_clock.uncertainty_us, f.spread_us), CASE WHEN f.zone_us <> 0 THEN 'zone' ELSE 'measured' END, 1
	  FROM clock_unit u JOIN clock_found f USING (unit) WHERE u.source_id = source_clock.source_id)
 WHERE basis = 'as-found' AND coalesce((SELECT value FROM main.parameter WHERE name = 'clock_correction'), 1) <> 0
   AND source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_found f USING (unit)
	WHERE f.sure AND abs(f.offset_us) > f.spread_us + 50000);
-- What is measured and not applied is uncertainty, unless the times fit as found.
UPDATE source_clock SET uncertainty_us = max(uncertainty_us, abs(measured_us) + spread_us)
 WHERE basis = 'as-found' AND source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_found f USING (unit) WHERE NOT f.fits);
UPDATE source_clock SET doubtful = 1
 WHERE basis = 'as-found' AND source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_found f USING (unit) WHERE NOT f.sure);
-- A dump that has its node's own changes when that node's log has them, as found,
-- and would not by where the log was measured to be, was taken on that node's
-- host: its clock is as much off, as it seems.
DROP TABLE IF EXISTS temp.clock_host;
CREATE TEMP TABLE clock_host AS
SELECT a.unit, max(abs(f.offset_us) + f.spread_us) AS off_us
  FROM clock_found f JOIN (SELECT DISTINCT unit FROM clock_unit WHERE kind = 'server-log') l ON l.unit = f.unit
  JOIN sighting b ON b.unit = f.unit JOIN sighting a ON a.key = b.key AND a.unit <> b.unit
  JOIN (SELECT DISTINCT unit FROM clock_unit WHERE kind = 'topology-dump') d ON d.unit = a.unit
 WHERE abs(f.offset_us) > f.spread_us + 50000 AND typeof(a.key) = 'text'
   AND a.unit NOT IN (SELECT unit FROM clock_found WHERE abs(offset_us) > spread_us + 50000)
 GROUP BY a.unit, f.unit
HAVING count(DISTINCT CASE WHEN a.lo - 50000 <= b.hi AND a.hi + 50000 >= b.lo THEN a.sighting_id END)
	> 2 * count(DISTINCT CASE WHEN a.lo - 50000 <= b.hi + f.offset_us AND a.hi + 50000 >= b.lo + f.offset_us THEN a.sighting_id END);
UPDATE source_clock SET doubtful = 1, uncertainty_us = max(uncertainty_us, (SELECT max(h.off_us) FROM clock_unit u JOIN clock_host h USING (unit)
	WHERE u.source_id = source_clock.source_id))
 WHERE basis = 'as-found' AND source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_host h USING (unit));
-- A step and a drift are applied beside the offset.
UPDATE source_clock SET (step_after, step_by, step_us) = (
	SELECT s.step_after, s.step_by, s.step_us FROM clock_unit u JOIN clock_step s USING (unit) WHERE u.source_id = source_clock.source_id),
	basis = 'measured', applied = 1
 WHERE basis IN ('as-found', 'measured', 'zone') AND coalesce((SELECT value FROM main.parameter WHERE name = 'clock_correction'), 1) <> 0
   AND source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_step s USING (unit));
UPDATE source_clock SET (drift_from, drift_ppb, offset_us) = (
	SELECT d.drift_from, d.drift_ppb, d.offset_us FROM clock_unit u JOIN clock_drift d USING (unit) WHERE u.source_id = source_clock.source_id),
	basis = 'measured', applied = 1
 WHERE basis IN ('as-found', 'measured', 'zone') AND coalesce((SELECT value FROM main.parameter WHERE name = 'clock_correction'), 1) <> 0
   AND source_id IN (SELECT u.source_id FROM clock_unit u JOIN clock_drift d USING (unit));
-- Where all that corrects the dumps is the server logs, a client's clock, which
-- nothing ties to either, may be like the one as well as like the other: its
-- errors are judged by both.
UPDATE source_clock SET either_us = coalesce((
	SELECT k.offset_us FROM clock_unit u JOIN clock_ref r ON r.incident = u.incident AND r.kind = 'server-log'
	  JOIN clock_unit v ON v.incident = u.incident AND v.kind = 'topology-dump' JOIN source_clock k ON k.source_id = v.source_id AND k.basis = 'measured'
	 WHERE u.source_id = source_clock.source_id ORDER BY abs(k.offset_us) DESC, k.source_id LIMIT 1), 0)
 WHERE basis = 'as-found' AND pairs IS NULL AND source_id IN (SELECT source_id FROM clock_unit WHERE kind = 'client-log');
UPDATE source_clock SET widen_us = max(0, uncertainty_us - (SELECT value FROM main.parameter WHERE name = 'clock_floor_us'));
UPDATE source_clock SET detail = (
	SELECT printf('%+.3f s against ', source_clock.measured_us / 1e6) || s.name
	    || CASE WHEN (SELECT count(*) FROM clock_by b WHERE b.incident = u.incident AND b.unit <> u.unit) > 1
		AND u.unit NOT IN (SELECT ref FROM clock_ref_off) THEN ' and the other server logs' ELSE '' END
	    || CASE WHEN f.zone_us <> 0 THEN printf(': a time zone of %+.2f h', f.zone_us / 3.6e9)
		|| CASE WHEN abs(f.offset_us - f.zone_us) > f.spread_us + 50000 THEN printf(' and %+.3f s', (f.offset_us - f.zone_us) / 1e6) ELSE '' END ELSE '' END
	    || coalesce((SELECT printf(', from %s %d on %+.3f s: its clock was set', CASE u.kind WHEN 'capture' THEN 'frame' ELSE 'line' END, p.step_by, (p.offset_us + p.step_us) / 1e6)
		FROM clock_step p WHERE p.unit = u.unit), '')
	    || coalesce((SELECT printf(', and it runs %s by %.1f ms a minute', CASE WHEN d.drift_ppb > 0 THEN 'slow' ELSE 'fast' END, abs(d.drift_ppb) * 60 / 1e6)
		FROM clock_drift d WHERE d.unit = u.unit), '')
	    || printf('; %d of %d events agree within %.1f ms', f.pairs, f.could, f.spread_us / 1e3)
	    || CASE WHEN NOT f.sure THEN ': too few, not applied' WHEN source_clock.basis = 'declared' THEN ': not applied, another is declared'
		WHEN abs(f.offset_us) <= f.spread_us + 50000 AND source_clock.basis = 'as-found' AND NOT EXISTS (SELECT 1 FROM clock_step p WHERE p.unit = u.unit)
		    AND NOT EXISTS (SELECT 1 FROM clock_drift d WHERE d.unit = u.unit) THEN ': the clocks agree'
		WHEN source_clock.basis = 'as-found' THEN ': not applied' ELSE '' END
	  FROM clock_unit u JOIN clock_found f USING (unit) JOIN main.source s ON s.source_id = source_clock.against_id
	 WHERE u.source_id = source_clock.source_id)
 WHERE against_id IS NOT NULL;
