-- 110-slot-owner.sql - who owned what, as whom saw it.
--
-- Reads: the corrected views of 100-clock.sql, temp.clock_slots (who owned slots
-- in which view).  Makes, for the later steps:
--   temp.addr	 an address and the one node that it meant (or that it was two, of addr_node)
--   temp.who	 an observer and the node it is; negative where the node is unknown
--   temp.seg_live slots that every view names alike: seg_slots has their ranges
--   temp.said	 one row: one party said, of one segment, over one span, one owner
--   temp.belief one row: one party held one owner and epoch of one segment;
--		 sure over [sf, st], possible over (mf, mt)
-- Owners: a node_id; 0 nobody; -1 "not me" (a bus header that does not claim);
-- below -1000 an address that no node is known for.

-- Events, for look-ups by incident, source and observer.
DROP TABLE IF EXISTS temp.c_event;
CREATE TEMP TABLE c_event AS
SELECT * FROM c_server_event ORDER BY server_event_id;
CREATE INDEX temp.c_event_i ON c_event (incident, event, at);
CREATE INDEX temp.c_event_k ON c_event (incident, kind, at);
CREATE INDEX temp.c_event_s ON c_event (source_id, position);
CREATE INDEX temp.c_event_t ON c_event (source_id, kind, at);
CREATE INDEX temp.c_event_o ON c_event (observer_id, at);

-- An address as a client is given it, and the nodes that it meant, by views or
-- by what a log says of a change.
DROP TABLE IF EXISTS temp.addr_node;
CREATE TEMP TABLE addr_node (endpoint_id INTEGER NOT NULL, node_id INTEGER NOT NULL, PRIMARY KEY (endpoint_id, node_id)) WITHOUT ROWID;
INSERT INTO addr_node
SELECT n.endpoint_id, n.node_id
  FROM main.view_node n JOIN main.endpoint e USING (endpoint_id)
 WHERE n.node_id IS NOT NULL AND e.host <> '' AND e.port > 0
   AND coalesce(n.flags, '') NOT LIKE '%handshake%' AND coalesce(n.flags, '') NOT LIKE '%noaddr%'
UNION
SELECT v.subject_endpoint_id, v.subject_id FROM main.server_event v
 WHERE v.event = 'address-changed' AND v.subject_id IS NOT NULL AND v.subject_endpoint_id IS NOT NULL;
DROP TABLE IF EXISTS temp.addr;
CREATE TEMP TABLE addr (endpoint_id INTEGER PRIMARY KEY, node_id INTEGER, nodes INTEGER NOT NULL);
INSERT INTO addr
SELECT endpoint_id, max(node_id), count(*) FROM addr_node GROUP BY endpoint_id;

DROP TABLE IF EXISTS temp.who;
CREATE TEMP TABLE who (observer_id INTEGER PRIMARY KEY, who INTEGER NOT NULL);
INSERT INTO who
SELECT o.observer_id, coalesce(o.node_id,
	(SELECT a.node_id FROM addr a WHERE a.endpoint_id = o.endpoint_id AND a.nodes = 1), -o.observer_id)
  FROM main.observer o WHERE o.kind = 'node';

-- The configEpoch of a node as anybody knew it, for views that print none.  A
-- former master that a peer has not yet seen to follow the new one stands there
-- without slots and with the new one's epoch: not its own.
DROP TABLE IF EXISTS temp.follows;
CREATE TEMP TABLE follows (node_id INTEGER NOT NULL, master_id INTEGER NOT NULL, at INTEGER, PRIMARY KEY (node_id, master_id)) WITHOUT ROWID;
INSERT INTO follows
SELECT n.node_id, n.master_id, min(v.first_at) FROM main.view_node n JOIN c_view v USING (view_id)
 WHERE n.role = 'replica' AND n.node_id IS NOT NULL AND n.master_id IS NOT NULL GROUP BY n.node_id, n.master_id;
DROP TABLE IF EXISTS temp.node_epoch;
CREATE TEMP TABLE node_epoch (node_id INTEGER NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (node_id, at, epoch)) WITHOUT ROWID;
INSERT OR IGNORE INTO node_epoch
SELECT n.node_id, n.config_epoch, min(v.first_at)
  FROM main.view_node n JOIN c_view v USING (view_id)
 WHERE n.role = 'master' AND n.config_epoch IS NOT NULL AND n.node_id IS NOT NULL AND v.first_at IS NOT NULL
   AND coalesce(n.flags, '') NOT LIKE '%handshake%'
   AND (n.myself OR EXISTS (SELECT 1 FROM clock_slots x WHERE x.view_id = n.view_id AND x.ordinal = n.ordinal)
	OR NOT EXISTS (SELECT 1 FROM main.view_node o JOIN clock_slots x USING (view_id, ordinal)
	    WHERE o.view_id = n.view_id AND o.ordinal <> n.ordinal AND o.config_epoch = n.config_epoch
	      AND EXISTS (SELECT 1 FROM follows f WHERE f.node_id = n.node_id AND f.master_id = o.node_id)))
 GROUP BY n.node_id, n.config_epoch;

CREATE INDEX temp.node_epoch_e ON node_epoch (node_id, epoch, at);

-- A server log that never says who it is.  Surest: it won an election, and one
-- node alone ever had that configEpoch, or was voted for in that epoch.  Else:
-- its name holds the port of one node alone.  Never a node that the log speaks of as somebody else.
DROP TABLE IF EXISTS temp.unnamed;
CREATE TEMP TABLE unnamed (observer_id INTEGER PRIMARY KEY, node_id INTEGER NOT NULL);
INSERT OR IGNORE INTO unnamed
SELECT e.observer_id, min(n.node_id)
  FROM c_event e JOIN main.observer o USING (observer_id)
  JOIN c_event p ON p.observer_id = e.observer_id AND p.kind = 'promotion' AND p.at BETWEEN e.at - 1000000 AND e.at + 100000
  JOIN node_epoch n ON n.epoch = e.epoch JOIN main.node x ON x.node_id = n.node_id AND x.incident = e.incident
 WHERE o.kind = 'node' AND o.node_id IS NULL AND e.event IN ('epoch-set', 'epoch-bumped') AND e.epoch > 0
 GROUP BY e.observer_id HAVING count(DISTINCT n.node_id) = 1;
INSERT OR IGNORE INTO unnamed
SELECT e.observer_id, min(v.other_id)
  FROM c_event e JOIN main.observer o USING (observer_id)
  JOIN c_event p ON p.observer_id = e.observer_id AND p.kind = 'promotion' AND p.at BETWEEN e.at - 1000000 AND e.at + 100000
  JOIN c_event v ON v.incident = e.incident AND v.event = 'vote-granted' AND v.epoch = e.epoch AND v.other_id IS NOT NULL
 WHERE o.kind = 'node' AND o.node_id IS NULL AND e.event IN ('epoch-set', 'epoch-bumped') AND e.epoch > 0
 GROUP BY e.observer_id HAVING count(DISTINCT v.other_id) = 1;
INSERT OR IGNORE INTO unnamed
SELECT o.observer_id, min(a.node_id)
  FROM main.observer o JOIN main.endpoint e ON e.incident = o.incident JOIN addr a ON a.endpoint_id = e.endpoint_id
 WHERE o.kind = 'node' AND o.node_id IS NULL AND o.endpoint_id IS NULL AND e.port >= 1000
   AND (o.name GLOB '*[^0-9]' || e.port OR o.name GLOB '*[^0-9]' || e.port || '[^0-9]*' OR o.name GLOB e.port || '[^0-9]*' OR o.name = CAST(e.port AS TEXT))
 GROUP BY o.observer_id HAVING count(DISTINCT a.node_id) = 1;
-- Or: it was demoted by a node that one node alone follows ever after.
INSERT OR IGNORE INTO unnamed
SELECT e.observer_id, min(n.node_id)
  FROM main.server_event e JOIN main.observer o USING (observer_id) JOIN main.view_node n ON n.master_id = e.other_id
 WHERE o.kind = 'node' AND o.node_id IS NULL AND e.event = 'demoted' AND n.role = 'replica' AND n.node_id IS NOT NULL
 GROUP BY e.observer_id HAVING count(DISTINCT n.node_id) = 1 AND count(DISTINCT e.other_id) = 1;
DELETE FROM unnamed WHERE EXISTS (SELECT 1 FROM main.server_event e WHERE e.observer_id = unnamed.observer_id
	AND (e.other_id = unnamed.node_id OR e.subject_id = unnamed.node_id));
INSERT OR REPLACE INTO who SELECT observer_id, node_id FROM unnamed;
CREATE INDEX temp.who_w ON who (who);

-- When a node's process began anew, or its host refused (its memory is gone).
-- A timeout is no such thing: a stopped process keeps its view.
DROP TABLE IF EXISTS temp.outage;
CREATE TEMP TABLE outage (who INTEGER NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL);
INSERT INTO outage
SELECT w.who, e.at, e.at FROM c_event e JOIN who w USING (observer_id)
 WHERE e.event IN ('started', 'restarted') AND e.at IS NOT NULL;
DROP TABLE IF EXISTS temp.refusal;
CREATE TEMP TABLE refusal (endpoint_id INTEGER NOT NULL, observer_id INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL);
INSERT INTO refusal
SELECT c.endpoint_id, c.observer_id, c.first_at, c.last_at
  FROM c_contact c JOIN main.observer o USING (observer_id)
 WHERE c.outcome = 'refused' AND o.kind = 'sampler' AND c.first_at IS NOT NULL;
-- Spans of contacts are 60 s long at most.
DROP TABLE IF EXISTS temp.answer;
CREATE TEMP TABLE answer (endpoint_id INTEGER NOT NULL, last_at INTEGER NOT NULL, first_at INTEGER NOT NULL, observer_id INTEGER NOT NULL);
INSERT INTO answer
SELECT c.endpoint_id, c.last_at, c.first_at, c.observer_id FROM c_contact c
 WHERE c.outcome = 'ok' AND c.last_at IS NOT NULL AND c.endpoint_id IN (SELECT endpoint_id FROM refusal);
CREATE INDEX temp.answer_i ON answer (endpoint_id, last_at);
INSERT INTO outage
SELECT a.node_id, c.first_at, c.last_at
  FROM refusal c JOIN addr a ON a.endpoint_id = c.endpoint_id AND a.nodes = 1
 WHERE NOT EXISTS (SELECT 1 FROM answer k WHERE k.endpoint_id = c.endpoint_id
	AND k.last_at BETWEEN c.first_at AND c.last_at + 70000000 AND k.first_at <= c.last_at AND k.observer_id <> c.observer_id);
CREATE INDEX temp.outage_i ON outage (who, from_at);

-- Segments: cut wherever any view but a redirect or a served slot has an edge.
DROP TABLE IF EXISTS temp.seg;
CREATE TEMP TABLE seg (seg_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, s0 INTEGER NOT NULL, s1 INTEGER NOT NULL);
INSERT INTO seg (incident, s0, s1)
SELECT incident, s0, lead(s0, 1, 16384) OVER (PARTITION BY incident ORDER BY s0) - 1
  FROM (SELECT v.incident, x.slot_from AS s0 FROM main.view_slots x JOIN c_view v USING (view_id)
	 WHERE x.state = 'owned' AND v.kind <> 'served'
	UNION SELECT v.incident, x.slot_to + 1 FROM main.view_slots x JOIN c_view v USING (view_id)
	 WHERE x.state = 'owned' AND v.kind <> 'served' AND x.slot_to < 16383
	UNION SELECT DISTINCT incident, 0 FROM main.source)
 ORDER BY incident, s0;
CREATE INDEX temp.seg_i ON seg (incident, s0);

-- Owners as the views name them, by view and slot range.
DROP TABLE IF EXISTS temp.named;
CREATE TEMP TABLE named (view_id INTEGER NOT NULL, slot_from INTEGER NOT NULL, slot_to INTEGER NOT NULL,
	owner INTEGER NOT NULL, epoch INTEGER, PRIMARY KEY (view_id, slot_from, owner)) WITHOUT ROWID;
INSERT OR IGNORE INTO named
SELECT x.view_id, x.slot_from, x.slot_to,
	coalesce(n.node_id, (SELECT a.node_id FROM addr a WHERE a.endpoint_id = n.endpoint_id AND a.nodes = 1),
	    -1000 - coalesce(n.endpoint_id, 0)), n.config_epoch
  FROM main.view_slots x JOIN main.view_node n USING (view_id, ordinal)
 WHERE x.state = 'owned';

-- Segments that every view names alike are one, wherever their slots lie:
-- alternating slots of two masters are two segments, not thousands.  A slot that
-- a view marks as migrating or importing stays by itself.
DROP TABLE IF EXISTS temp.seg_word;
CREATE TEMP TABLE seg_word (seg_id INTEGER NOT NULL, view_id INTEGER NOT NULL, owner INTEGER NOT NULL, epoch INTEGER, complete INTEGER NOT NULL,
	PRIMARY KEY (seg_id, view_id, owner)) WITHOUT ROWID;
INSERT OR IGNORE INTO seg_word
SELECT g.seg_id, m.view_id, m.owner, m.epoch, v.complete AND NOT v.partial
  FROM named m JOIN c_view v USING (view_id)
  JOIN seg g ON g.incident = v.incident AND g.s0 BETWEEN m.slot_from AND m.slot_to
 WHERE v.kind <> 'served'
 ORDER BY g.seg_id, m.view_id, m.owner;
-- When a view marked a slot as on its way to or from another node.
DROP TABLE IF EXISTS temp.moving;
CREATE TEMP TABLE moving (incident TEXT NOT NULL, slot INTEGER NOT NULL, first_at INTEGER, last_at INTEGER, state TEXT NOT NULL,
	view_id INTEGER NOT NULL, observer_id INTEGER NOT NULL, peer_id INTEGER);
INSERT INTO moving
SELECT v.incident, x.slot_from, v.first_at, v.last_at, x.state, v.view_id, v.observer_id, x.peer_id
  FROM main.view_slots x JOIN c_view v USING (view_id) WHERE x.state <> 'owned';
CREATE INDEX temp.moving_i ON moving (incident, slot, first_at);
-- views: complete ones that name an owner (each one, where none differ)
DROP TABLE IF EXISTS temp.seg_alike;
CREATE TEMP TABLE seg_alike (seg_id INTEGER PRIMARY KEY, as_id INTEGER NOT NULL, differ INTEGER NOT NULL, views INTEGER NOT NULL);
INSERT INTO seg_alike
SELECT seg_id, min(seg_id) OVER (PARTITION BY incident, words, marked), differ, views FROM (
	SELECT g.seg_id, g.incident, k.words, coalesce(k.differ, 0) AS differ, coalesce(k.views, 0) AS views,
	    CASE WHEN EXISTS (SELECT 1 FROM moving m WHERE m.incident = g.incident AND m.slot BETWEEN g.s0 AND g.s1) THEN g.seg_id END AS marked
	  FROM seg g LEFT JOIN (
		SELECT seg_id, group_concat(view_id || ' ' || owner || coalesce(' ' || epoch, '')) AS words, min(owner) <> max(owner) AS differ,
		    sum(complete) AS views
		  FROM seg_word GROUP BY seg_id) k USING (seg_id));
DROP TABLE temp.seg_word;

-- Segments that matter: where owners differ, or an error fell.  s0: the first of
-- its slots, which stands for all; seg_slots has them all.
DROP TABLE IF EXISTS temp.full_views;
CREATE TEMP TABLE full_views (incident TEXT PRIMARY KEY, views INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO full_views SELECT incident, count(*) FROM c_view WHERE complete AND NOT partial GROUP BY incident;
DROP TABLE IF EXISTS temp.promoted;
CREATE TEMP TABLE promoted (incident TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO promoted SELECT DISTINCT incident FROM c_event WHERE kind = 'promotion';
DROP TABLE IF EXISTS temp.spoken;
CREATE TEMP TABLE spoken (incident TEXT NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (incident, slot)) WITHOUT ROWID; -- -1: not said which
INSERT INTO spoken
SELECT s.incident, coalesce(e.slot, -1) FROM main.client_error e JOIN main.source s USING (source_id) WHERE s.incident NOT IN (SELECT incident FROM promoted)
UNION
SELECT s.incident, r.slot FROM main.redirect r JOIN main.source s USING (source_id)
 WHERE s.incident NOT IN (SELECT incident FROM promoted) AND r.slot IS NOT NULL AND r.code IN ('MOVED', 'ASK');
DROP TABLE IF EXISTS temp.seg_live;
CREATE TEMP TABLE seg_live (seg_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, s0 INTEGER NOT NULL, contested INTEGER NOT NULL);
INSERT INTO seg_live
SELECT k.as_id, g.incident, min(g.s0),
	-- a complete view that leaves the segment out says that it is nobody's
	max(k.differ OR k.views < coalesce(t.views, 0)) AS contested
  FROM seg_alike k JOIN seg g USING (seg_id) LEFT JOIN full_views t USING (incident)
 GROUP BY k.as_id, g.incident
HAVING contested
    OR g.incident IN (SELECT incident FROM promoted) OR EXISTS (SELECT 1 FROM spoken e WHERE e.incident = g.incident AND e.slot = -1)
    OR max(EXISTS (SELECT 1 FROM spoken e WHERE e.incident = g.incident AND e.slot BETWEEN g.s0 AND g.s1));
CREATE INDEX temp.seg_live_i ON seg_live (incident, s0);
DROP TABLE IF EXISTS temp.seg_slots;
CREATE TEMP TABLE seg_slots (incident TEXT NOT NULL, s0 INTEGER NOT NULL, s1 INTEGER NOT NULL, seg_id INTEGER NOT NULL, PRIMARY KEY (incident, s0)) WITHOUT ROWID;
INSERT INTO seg_slots
SELECT g.incident, g.s0, g.s1, k.as_id FROM seg g JOIN seg_alike k USING (seg_id) WHERE k.as_id IN (SELECT seg_id FROM seg_live);
CREATE INDEX temp.seg_slots_i ON seg_slots (seg_id);

-- The same by segment, each range asked once which segments it covers; and
-- which segments a node ever claimed in a bus header.
DROP TABLE IF EXISTS temp.named_seg;
CREATE TEMP TABLE named_seg (view_id INTEGER NOT NULL, seg_id INTEGER NOT NULL, owner INTEGER NOT NULL, epoch INTEGER,
	PRIMARY KEY (view_id, seg_id, owner)) WITHOUT ROWID;
INSERT OR IGNORE INTO named_seg
SELECT m.view_id, g.seg_id, m.owner, m.epoch
  FROM named m JOIN c_view v USING (view_id)
  JOIN seg_live g ON g.incident = v.incident AND g.s0 BETWEEN m.slot_from AND m.slot_to
 WHERE v.kind NOT IN ('gossip', 'served', 'log');
DROP TABLE IF EXISTS temp.bus_claim;
CREATE TEMP TABLE bus_claim (observer_id INTEGER NOT NULL, seg_id INTEGER NOT NULL, PRIMARY KEY (observer_id, seg_id)) WITHOUT ROWID;
INSERT INTO bus_claim
SELECT DISTINCT v.observer_id, m.seg_id FROM named_seg m JOIN c_view v USING (view_id) WHERE v.kind = 'bus';

-- Tracks: views of one party from sources of one kind, kept apart because
-- spans of two sources of one node overlap.  2 direct replies with epochs,
-- 3 direct replies without, 4 nodes.conf, 5 bus headers, 6 UPDATE messages;
-- 1 (server log marks) is added below.
DROP TABLE IF EXISTS temp.said;
CREATE TEMP TABLE said (said_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, who INTEGER NOT NULL,
	seg_id INTEGER NOT NULL, track INTEGER NOT NULL, owner INTEGER NOT NULL, epoch INTEGER,
	first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, slack_us INTEGER NOT NULL,
	gap_us INTEGER NOT NULL DEFAULT 0, source_id INTEGER NOT NULL, position INTEGER NOT NULL, last_position INTEGER NOT NULL,
	widen_us INTEGER NOT NULL DEFAULT 0);
INSERT INTO said (incident, who, seg_id, track, owner, epoch, first_at, last_at, slack_us, gap_us, source_id, position, last_position, widen_us)
SELECT v.incident, w.who, g.seg_id,
	CASE v.kind WHEN 'bus' THEN 5 WHEN 'update' THEN 6 WHEN 'conf' THEN 4
	    ELSE CASE WHEN v.form IN ('slots', 'shards') THEN 3 ELSE 2 END END,
	-- a former owner whose header says that it follows a claimant names that one
	CASE WHEN m.owner IS NOT NULL THEN m.owner
	    WHEN v.kind = 'bus' THEN coalesce((SELECT n.master_id FROM main.view_node n WHERE n.view_id = v.view_id AND n.myself AND n.role = 'replica'
		AND EXISTS (SELECT 1 FROM who o JOIN bus_claim k USING (observer_id) WHERE o.who = n.master_id AND k.seg_id = g.seg_id) LIMIT 1), -1)
	    ELSE 0 END,
	coalesce(m.epoch, CASE WHEN v.kind = 'bus' THEN (SELECT n.config_epoch FROM main.view_node n WHERE n.view_id = v.view_id AND n.myself LIMIT 1) END),
	-- a clock that may be off: the earliest time, and from there to the latest
	v.first_at - v.widen_us, v.last_at - v.widen_us,
	CASE WHEN v.kind IN ('dump', 'reply', 'conf')
	    THEN coalesce(v.rtt_us, (SELECT value FROM parameter WHERE name = 'dump_rtt_us')) ELSE 0 END
	+ v.blur_us + 2 * v.widen_us,
	coalesce(v.max_gap_us, 0), v.source_id, v.position, v.last_position, v.widen_us
  FROM c_view v JOIN who w USING (observer_id)
  JOIN seg_live g ON g.incident = v.incident
  LEFT JOIN named_seg m ON m.view_id = v.view_id AND m.seg_id = g.seg_id
 WHERE v.first_at IS NOT NULL AND v.kind NOT IN ('gossip', 'served', 'log')
   AND (m.owner IS NOT NULL OR (v.complete AND NOT v.partial)
	OR (v.kind = 'bus' AND EXISTS (SELECT 1 FROM bus_claim k WHERE k.observer_id = v.observer_id AND k.seg_id = g.seg_id)))
 ORDER BY v.incident, w.who, g.seg_id, v.first_at, v.view_id;
-- A view without epochs that seems to last while its owner's epoch rises was
-- another one in between: only its ends are sure.
DROP TABLE IF EXISTS temp.torn;
CREATE TEMP TABLE torn (said_id INTEGER PRIMARY KEY);
INSERT INTO torn
SELECT s.said_id FROM said s
 WHERE s.epoch IS NULL AND s.owner > 0
   AND EXISTS (SELECT 1 FROM node_epoch e WHERE e.node_id = s.owner AND e.at > s.first_at AND e.at <= s.last_at)
   AND EXISTS (SELECT 1 FROM node_epoch e WHERE e.node_id = s.owner AND e.at <= s.first_at);
INSERT INTO said (incident, who, seg_id, track, owner, epoch, first_at, last_at, slack_us, source_id, position, last_position, widen_us)
SELECT incident, who, seg_id, track, owner, epoch, last_at, last_at, slack_us, source_id, last_position, last_position, widen_us
  FROM said JOIN torn USING (said_id) ORDER BY said_id;
UPDATE said SET last_at = first_at, last_position = position WHERE said_id IN (SELECT said_id FROM torn);
UPDATE said SET epoch = coalesce(
	(SELECT e.epoch FROM node_epoch e WHERE e.node_id = said.owner AND e.at <= said.last_at + said.slack_us ORDER BY e.at DESC, e.epoch DESC LIMIT 1),
	(SELECT e.epoch FROM node_epoch e WHERE e.node_id = said.owner ORDER BY e.at, e.epoch LIMIT 1))
 WHERE epoch IS NULL AND owner > 0;
CREATE INDEX temp.said_i ON said (who, seg_id, first_at);
CREATE INDEX temp.said_s ON said (seg_id, first_at);

-- Server log marks.  A mark is two instants a log's resolution apart: the old
-- owner up to the line, the new one from it on.
DROP TABLE IF EXISTS temp.mark;
CREATE TEMP TABLE mark (mark_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, who INTEGER NOT NULL, kind TEXT NOT NULL,
	event TEXT NOT NULL, at INTEGER NOT NULL, owner INTEGER NOT NULL, epoch INTEGER, precision_us INTEGER NOT NULL,
	source_id INTEGER NOT NULL, position INTEGER NOT NULL, widen_us INTEGER NOT NULL);
INSERT INTO mark (incident, who, kind, event, at, owner, epoch, precision_us, source_id, position, widen_us)
SELECT e.incident, w.who, e.kind, e.event, e.at - e.widen_us,
	CASE e.kind WHEN 'promotion' THEN w.who ELSE e.other_id END,
	CASE e.kind WHEN 'promotion' THEN coalesce(e.epoch,
	    (SELECT n.epoch FROM c_event n INDEXED BY c_event_t WHERE n.source_id = e.source_id AND n.kind = 'epoch' AND n.epoch IS NOT NULL
		AND n.position > e.position AND n.at BETWEEN e.at AND e.at + 100000 ORDER BY n.position LIMIT 1)) END,
	max(e.precision_us, 1000) + 2 * e.widen_us, e.source_id, e.position, e.widen_us
  FROM c_event e JOIN who w USING (observer_id)
 WHERE e.at IS NOT NULL AND e.source_kind <> 'capture'
   AND (e.kind = 'promotion' OR (e.kind = 'demotion' AND e.other_id IS NOT NULL))
   AND NOT EXISTS (SELECT 1 FROM c_event p INDEXED BY c_event_t WHERE p.source_id = e.source_id AND p.kind = e.kind
	AND p.observer_id = e.observer_id AND p.position < e.position AND p.at BETWEEN e.at - 500000 AND e.at + 500000
	AND (e.kind = 'promotion' OR p.other_id = e.other_id)
	AND NOT EXISTS (SELECT 1 FROM c_event q INDEXED BY c_event_s WHERE q.source_id = e.source_id AND q.observer_id = e.observer_id
	    AND q.kind IN ('promotion', 'demotion') AND q.kind <> e.kind AND q.position BETWEEN p.position AND e.position))
 ORDER BY e.incident, e.at, e.source_id, e.position;

CREATE INDEX temp.mark_w ON mark (who, at);
CREATE INDEX temp.mark_i ON mark (incident, kind, owner, at);

-- The segments of a mark: the ones whose owner, by the logger's own views (else
-- anybody's), is another before it and the named one after it.
DROP TABLE IF EXISTS temp.mark_seg;
CREATE TEMP TABLE mark_seg (mark_id INTEGER NOT NULL, seg_id INTEGER NOT NULL, before_owner INTEGER, before_epoch INTEGER,
	after_owner INTEGER, after_epoch INTEGER, PRIMARY KEY (mark_id, seg_id)) WITHOUT ROWID;
INSERT INTO mark_seg
SELECT k.mark_id, g.seg_id, b.owner, b.epoch, a.owner, a.epoch
  FROM mark k JOIN seg_live g ON g.incident = k.incident AND k.who > 0
  LEFT JOIN said b ON b.said_id = coalesce(
	(SELECT s.said_id FROM said s WHERE s.who = k.who AND s.seg_id = g.seg_id AND s.track <= 3 AND s.first_at <= k.at
	    ORDER BY s.first_at DESC, s.said_id DESC LIMIT 1),
	(SELECT s.said_id FROM said s WHERE s.who = k.who AND s.seg_id = g.seg_id AND s.owner > 0 AND s.first_at <= k.at
	    ORDER BY s.first_at DESC, s.said_id DESC LIMIT 1))
  LEFT JOIN said a ON a.said_id = coalesce(
	(SELECT s.said_id FROM said s WHERE s.who = k.who AND s.seg_id = g.seg_id AND s.track <= 3
	    AND s.last_at > k.at AND s.first_at > k.at ORDER BY s.first_at, s.said_id LIMIT 1),
	(SELECT s.said_id FROM said s WHERE s.who = k.who AND s.seg_id = g.seg_id AND s.owner > 0 AND s.first_at > k.at
	    ORDER BY s.first_at, s.said_id LIMIT 1));
-- Where the logger itself was never asked: what others name after a promotion.
UPDATE mark_seg SET (after_owner, after_epoch) = (
	SELECT s.owner, s.epoch FROM mark k JOIN said s ON s.seg_id = mark_seg.seg_id AND s.first_at > k.at
	 WHERE k.mark_id = mark_seg.mark_id AND s.owner > 0 ORDER BY s.owner <> k.owner, s.first_at, s.said_id LIMIT 1)
 WHERE after_owner IS NULL;
UPDATE mark_seg SET (before_owner, before_epoch) = (
	SELECT s.owner, s.epoch FROM mark k JOIN said s ON s.seg_id = mark_seg.seg_id AND s.first_at <= k.at
	 WHERE k.mark_id = mark_seg.mark_id AND s.owner > 0 ORDER BY s.first_at DESC, s.said_id DESC LIMIT 1)
 WHERE before_owner IS NULL;
-- Whom a promoted node followed, where no view tells: the node that it demoted.
UPDATE mark_seg SET before_owner = (
	SELECT d.who FROM mark k JOIN mark d ON d.incident = k.incident AND d.kind = 'demotion' AND d.owner = k.who AND d.at BETWEEN k.at - 1000000 AND k.at + 3600000000
	 WHERE k.mark_id = mark_seg.mark_id AND k.kind = 'promotion' ORDER BY d.at, d.mark_id LIMIT 1)
 WHERE before_owner IS NULL;
UPDATE mark_seg SET before_owner = (SELECT k.who FROM mark k WHERE k.mark_id = mark_seg.mark_id AND k.event = 'demoted')
 WHERE before_owner IS NULL;
-- A logger's next mark comes before its next view: the chain of marks decides
-- (two changes may lie between two samples).
DROP TABLE IF EXISTS temp.mark_pick;
CREATE TEMP TABLE mark_pick AS
SELECT k.mark_id, k.incident, k.who, k.at, k.owner, k.precision_us, k.source_id, k.position, k.widen_us, m.seg_id,
	m.before_owner, m.before_epoch,
	coalesce(k.epoch, CASE WHEN m.after_owner = k.owner THEN m.after_epoch END,
	    (SELECT e.epoch FROM node_epoch e WHERE e.node_id = k.owner AND e.at <= k.at + 1000000 ORDER BY e.at DESC, e.epoch DESC LIMIT 1)) AS epoch
  FROM mark k JOIN mark_seg m USING (mark_id)
 WHERE (m.after_owner = k.owner AND (m.before_owner IS NULL OR m.before_owner <> k.owner))
    OR (m.after_owner = k.owner AND EXISTS (SELECT 1 FROM mark p JOIN mark_seg pm USING (mark_id)
	WHERE p.who = k.who AND pm.seg_id = m.seg_id AND p.at < k.at AND p.owner <> k.owner
	AND p.at > coalesce((SELECT max(s.first_at) FROM said s WHERE s.who = k.who AND s.seg_id = m.seg_id AND s.first_at <= k.at AND s.track <= 3), -1)))
    OR (m.before_owner <> k.owner AND EXISTS (SELECT 1 FROM mark p
	WHERE p.who = k.who AND p.at > k.at AND p.owner = m.before_owner
	AND p.at < coalesce((SELECT min(s.first_at) FROM said s WHERE s.who = k.who AND s.seg_id = m.seg_id AND s.first_at > k.at AND s.track <= 3), 9223372036854775807))
	AND m.after_owner = m.before_owner);
UPDATE seg_live SET contested = 1 WHERE seg_id IN (SELECT seg_id FROM mark_pick);
CREATE INDEX temp.mark_pick_i ON mark_pick (who, seg_id, at);
CREATE INDEX temp.mark_pick_m ON mark_pick (mark_id);
-- Where the logger was never asked before (after) the mark, its log carries the
-- old (new) owner from its first line (to its last), whatever its age.
INSERT INTO said (incident, who, seg_id, track, owner, epoch, first_at, last_at, slack_us, source_id, position, last_position, widen_us)
SELECT p.incident, p.who, p.seg_id, 1,
	coalesce(z.owner, p.before_owner), CASE WHEN z.mark_id IS NULL THEN p.before_epoch ELSE z.epoch END,
	CASE WHEN EXISTS (SELECT 1 FROM said x WHERE x.who = p.who AND x.seg_id = p.seg_id AND x.first_at < p.at) THEN p.at
	    ELSE min(p.at, coalesce((SELECT max(q.at + q.precision_us) FROM mark_pick q WHERE q.who = p.who AND q.seg_id = p.seg_id AND q.at < p.at),
		(SELECT max(o.to_at) FROM outage o WHERE o.who = p.who AND o.to_at <= p.at),
		(SELECT min(v.at) FROM c_event v WHERE v.source_id = p.source_id AND v.observer_id IN (SELECT w.observer_id FROM who w WHERE w.who = p.who)), p.at)) END,
	p.at, 0, p.source_id, p.position, p.position, p.widen_us
  FROM mark_pick p
  -- its previous mark, unless a view of it came since
  LEFT JOIN mark_pick z ON z.rowid = (SELECT q.rowid FROM mark_pick q WHERE q.who = p.who AND q.seg_id = p.seg_id AND q.at < p.at
	AND NOT EXISTS (SELECT 1 FROM said x WHERE x.who = p.who AND x.seg_id = p.seg_id AND x.track <= 3 AND x.first_at > q.at AND x.first_at <= p.at)
	ORDER BY q.at DESC, q.mark_id DESC LIMIT 1)
 WHERE coalesce(p.before_owner, 0) > 0;
INSERT INTO said (incident, who, seg_id, track, owner, epoch, first_at, last_at, slack_us, source_id, position, last_position, widen_us)
SELECT p.incident, p.who, p.seg_id, 1, p.owner, p.epoch, p.at + p.precision_us,
	CASE WHEN EXISTS (SELECT 1 FROM said x WHERE x.who = p.who AND x.seg_id = p.seg_id AND x.first_at > p.at) THEN p.at + p.precision_us
	    ELSE max(p.at + p.precision_us, coalesce((SELECT min(q.at) FROM mark_pick q WHERE q.who = p.who AND q.seg_id = p.seg_id AND q.at > p.at),
		(SELECT max(v.at) FROM c_event v WHERE v.source_id = p.source_id AND v.observer_id IN (SELECT w.observer_id FROM who w WHERE w.who = p.who)), p.at)) END,
	0, p.source_id, p.position, p.position, p.widen_us
  FROM mark_pick p;

-- A bus header is what its sender believed when it was built.  Behind lost
-- packets it arrives late: a claim with an epoch below one that the same
-- process had already named is old news.
DELETE FROM said WHERE said_id IN (
	SELECT said_id FROM (
		SELECT said_id, track, owner, who, epoch, max(CASE WHEN track IN (1, 2, 5) AND owner <> who AND NOT anew THEN epoch END)
		    OVER (PARTITION BY who, seg_id, gen ORDER BY first_at RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS named
		  FROM (SELECT s.*, (SELECT count(*) FROM outage o WHERE o.who = s.who AND o.from_at <= s.first_at) AS gen,
			EXISTS (SELECT 1 FROM outage o WHERE o.who = s.who AND o.from_at = s.first_at) AS anew FROM said s))
	 WHERE track = 5 AND owner = who AND named > epoch);

-- Runs: one party, one track, one segment; neighbours of equal owner and epoch
-- without an outage between are one run, held throughout.
DROP TABLE IF EXISTS temp.run;
CREATE TEMP TABLE run AS
WITH a AS (
	SELECT said_id, incident, who, track, seg_id, owner, epoch, first_at, last_at, slack_us, widen_us,
	    (SELECT count(*) FROM outage o WHERE o.who = s.who AND o.from_at <= s.first_at) AS gen
	  FROM said s),
b AS (SELECT *, owner IS NOT lag(owner) OVER w OR epoch IS NOT lag(epoch) OVER w OR gen IS NOT lag(gen) OVER w AS ch
	  FROM a WINDOW w AS (PARTITION BY who, track, seg_id ORDER BY first_at, said_id)),
c AS (SELECT *, sum(ch) OVER (PARTITION BY who, track, seg_id ORDER BY first_at, said_id ROWS UNBOUNDED PRECEDING) AS isl FROM b),
d AS (SELECT incident, who, track, seg_id, isl, max(owner) AS owner, max(epoch) AS epoch, max(gen) AS gen,
		min(first_at) AS f0, min(first_at + slack_us) AS sf, max(last_at) AS st,
		max(widen_us) AS widen_us
	  FROM c GROUP BY incident, who, track, seg_id, isl)
SELECT d.*, lag(st) OVER w AS mf0, lead(sf) OVER w AS mt0 FROM d
WINDOW w AS (PARTITION BY who, track, seg_id ORDER BY isl);

-- Cut at outages: before it the old view ends, after it a new one begins.
DROP TABLE IF EXISTS temp.run_cut;
CREATE TEMP TABLE run_cut AS
SELECT r.incident, r.who, r.track, r.seg_id, r.owner, r.epoch, r.f0, r.sf, max(r.st, r.f0) AS st, r.widen_us,
	max(coalesce(r.mf0, -9223372036854775807),
	    coalesce((SELECT max(o.to_at) FROM outage o WHERE o.who = r.who AND o.from_at <= r.f0), -9223372036854775807)) AS mf,
	min(coalesce(r.mt0, 9223372036854775807),
	    coalesce((SELECT min(o.from_at) FROM outage o WHERE o.who = r.who AND o.from_at > r.st), 9223372036854775807)) AS mt
  FROM run r;

-- Beliefs: runs of one party that name the same owner and epoch over
-- overlapping possible times, whatever the track, are one belief.  The sharpest
-- track gives each bound; a bus header that trails a log line or a reply is
-- overruled by it.
DROP TABLE IF EXISTS temp.belief;
CREATE TEMP TABLE belief (belief_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, who INTEGER NOT NULL, seg_id INTEGER NOT NULL,
	owner INTEGER NOT NULL, epoch INTEGER, mf INTEGER NOT NULL, sf INTEGER NOT NULL, st INTEGER NOT NULL, mt INTEGER NOT NULL,
	track INTEGER NOT NULL, f0 INTEGER NOT NULL, widen_us INTEGER NOT NULL);
INSERT INTO belief (incident, who, seg_id, owner, epoch, mf, sf, st, mt, track, f0, widen_us)
WITH o AS (SELECT *, max(mt) OVER (PARTITION BY who, seg_id, owner, epoch ORDER BY mf, f0, track
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS pm FROM run_cut),
i AS (SELECT *, sum(CASE WHEN pm IS NULL OR mf >= pm THEN 1 ELSE 0 END)
		OVER (PARTITION BY who, seg_id, owner, epoch ORDER BY mf, f0, track ROWS UNBOUNDED PRECEDING) AS isl FROM o)
SELECT incident, who, seg_id, owner, epoch, max(mf), min(sf), max(st), min(mt), min(track), min(f0), max(widen_us)
  FROM i GROUP BY incident, who, seg_id, owner, epoch, isl ORDER BY incident, who, seg_id, min(f0), owner;
-- What a bus header says after a better source's change is late news: bounds
-- never cross.
UPDATE belief SET mf = min(mf, sf) WHERE mf > sf;
UPDATE belief SET mt = max(mt, st) WHERE mt < st;
CREATE INDEX temp.belief_i ON belief (seg_id, who, mf);
CREATE INDEX temp.belief_o ON belief (seg_id, owner, who);
CREATE INDEX temp.belief_e ON belief (seg_id, owner, epoch, f0, who);
CREATE INDEX temp.belief_f ON belief (seg_id, who, f0);
CREATE INDEX temp.belief_n ON belief (seg_id, epoch) WHERE owner <> -1;
-- Nobody names a claim before it was made.
-- (SETSLOT names one that may claim later, or never.)
DROP TABLE IF EXISTS temp.claimed;
CREATE TEMP TABLE claimed (seg_id INTEGER NOT NULL, owner INTEGER NOT NULL, epoch INTEGER NOT NULL, mf INTEGER NOT NULL, PRIMARY KEY (seg_id, owner, epoch)) WITHOUT ROWID;
INSERT INTO claimed
SELECT seg_id, owner, epoch, min(mf) FROM belief WHERE who = owner AND epoch IS NOT NULL GROUP BY seg_id, owner, epoch;
UPDATE belief SET mf = max(belief.mf, min(belief.sf, c.mf)) FROM claimed c
 WHERE belief.owner > 0 AND belief.who <> belief.owner AND c.seg_id = belief.seg_id AND c.owner = belief.owner AND c.epoch = belief.epoch
   AND belief.sf + 100000 >= c.mf AND belief.mf < c.mf;
