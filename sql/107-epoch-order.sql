-- 107-epoch-order.sql - promotions that somebody saw before they happened, or
-- that their own node did not show after.
--
-- Reads: the corrected views of 100-clock.sql.  Makes: clock_order, one row a
-- promotion and a source that shows it too early or too late; and widens what the
-- clocks of the two may be off by, where neither was measured.
--
-- A configEpoch is new when its node is promoted: whoever names the node with it
-- was asked, or wrote, after that.  A view that ends earlier than the promoted
-- node's own log has the promotion, both clocks given the best of doubt, says
-- that one of the two clocks is off by the difference at least.  So does a view
-- of the node's own that begins later and still has what it was before.

CREATE TABLE clock_order (
	incident	TEXT NOT NULL,
	node_id		INTEGER NOT NULL,	-- who was promoted
	epoch		INTEGER NOT NULL,	-- to this configEpoch; 0: demoted
	made_id		INTEGER NOT NULL REFERENCES source ON DELETE CASCADE, -- the log that says so,
	made_position	INTEGER NOT NULL,	-- where,
	made_at		INTEGER NOT NULL,	-- when, corrected
	seen_id		INTEGER NOT NULL REFERENCES source ON DELETE CASCADE, -- the source that shows it,
	seen_position	INTEGER NOT NULL,
	seen_at		INTEGER NOT NULL,
	early_us	INTEGER NOT NULL,	-- so much too early at least, or
	late_us		INTEGER NOT NULL DEFAULT 0, -- so long after the node itself had it not
	most_us		INTEGER NOT NULL,	-- what would make the two agree, as far as it is known
	PRIMARY KEY (made_id, made_position, seen_id)
) STRICT, WITHOUT ROWID;

DROP TABLE IF EXISTS temp.epoch_first;
CREATE TEMP TABLE epoch_first (node_id INTEGER NOT NULL, epoch INTEGER NOT NULL, source_id INTEGER NOT NULL, by_at INTEGER NOT NULL,
	position INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (node_id, epoch, source_id)) WITHOUT ROWID;
INSERT INTO epoch_first
SELECT n.node_id, n.config_epoch, v.source_id, min(v.first_at + coalesce(v.rtt_us, (SELECT value FROM parameter WHERE name = 'dump_rtt_us'))
	+ v.blur_us + v.uncertainty_us), v.position, v.first_at
  FROM main.view_node n JOIN c_view v USING (view_id)
 WHERE n.role = 'master' AND n.node_id IS NOT NULL AND n.config_epoch > 0 AND v.first_at IS NOT NULL AND v.partial = 0
   AND v.kind IN ('dump', 'reply', 'bus', 'update') AND v.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time')
   AND coalesce(n.flags, '') NOT LIKE '%handshake%'
 GROUP BY n.node_id, n.config_epoch, v.source_id;
DROP TABLE IF EXISTS temp.promotion;
CREATE TEMP TABLE promotion AS
SELECT e.incident, e.source_id, e.position, e.at, e.uncertainty_us, e.blur_us, o.node_id,
	coalesce(e.epoch, (SELECT n.epoch FROM main.server_event n WHERE n.source_id = e.source_id AND n.kind = 'epoch'
	    AND n.position > e.position AND n.position <= e.position + 5 AND n.epoch IS NOT NULL ORDER BY n.position LIMIT 1)) AS made_epoch
  FROM c_server_event e JOIN clock_node o USING (observer_id)
 WHERE e.kind = 'promotion' AND e.source_kind = 'server-log' AND e.at IS NOT NULL;
INSERT OR IGNORE INTO clock_order (incident, node_id, epoch, made_id, made_position, made_at, seen_id, seen_position, seen_at, early_us, most_us)
SELECT p.incident, p.node_id, p.made_epoch, p.source_id, p.position, p.at, f.source_id, f.position, f.at,
	-- who shows it had to hear of it and to be asked
	p.at - p.uncertainty_us - f.by_at, p.at - p.uncertainty_us - f.by_at + 100000
  FROM promotion p JOIN epoch_first f ON f.node_id = p.node_id AND f.epoch = p.made_epoch AND f.source_id <> p.source_id
 WHERE f.by_at < p.at - p.uncertainty_us
 ORDER BY p.source_id, p.position, f.source_id;
-- What a node itself said last before it had its promotion or demotion, and
-- first after.
DROP TABLE IF EXISTS temp.demotion;
CREATE TEMP TABLE demotion AS
SELECT e.incident, e.source_id, e.position, e.at, e.uncertainty_us, e.blur_us, o.node_id
  FROM c_server_event e JOIN clock_node o USING (observer_id)
 WHERE e.kind = 'demotion' AND e.source_kind = 'server-log' AND e.at IS NOT NULL;
DROP TABLE IF EXISTS temp.epoch_own;
CREATE TEMP TABLE epoch_own (node_id INTEGER NOT NULL, source_id INTEGER NOT NULL, epoch INTEGER NOT NULL, led INTEGER NOT NULL,
	first_at INTEGER NOT NULL, by_at INTEGER NOT NULL, last_at INTEGER NOT NULL, position INTEGER NOT NULL);
INSERT INTO epoch_own
SELECT n.node_id, v.source_id, n.config_epoch, n.role = 'master', v.first_at, v.first_at + coalesce(v.rtt_us, (SELECT value FROM parameter WHERE name = 'dump_rtt_us')), v.last_at - v.uncertainty_us, v.last_position
  FROM (SELECT node_id FROM promotion UNION SELECT node_id FROM demotion) p JOIN clock_node o ON o.node_id = p.node_id
  JOIN c_view v ON v.observer_id = o.observer_id JOIN main.view_node n ON n.view_id = v.view_id AND n.node_id = p.node_id
 WHERE n.config_epoch IS NOT NULL AND v.first_at IS NOT NULL AND v.partial = 0 AND v.kind IN ('dump', 'reply')
   AND v.at_basis NOT IN ('none', 'file-name', 'pong', 'file-time');
CREATE INDEX temp.epoch_own_i ON epoch_own (node_id, first_at);
INSERT OR IGNORE INTO clock_order (incident, node_id, epoch, made_id, made_position, made_at, seen_id, seen_position, seen_at, early_us, late_us, most_us)
SELECT p.incident, p.node_id, p.made_epoch, p.source_id, p.position, p.at, w.source_id, w.position, max(w.last_at), 0,
	max(w.last_at) - p.at - p.uncertainty_us - p.blur_us, f.by_at - p.at
  FROM promotion p
  JOIN (SELECT o.node_id, o.source_id, q.made_epoch, min(o.first_at) AS at, min(o.by_at) AS by_at FROM promotion q JOIN epoch_own o ON o.node_id = q.node_id
	 WHERE o.led AND o.epoch >= q.made_epoch GROUP BY o.node_id, o.source_id, q.made_epoch) f
	ON f.node_id = p.node_id AND f.made_epoch = p.made_epoch
  JOIN epoch_own w ON w.node_id = p.node_id AND w.source_id = f.source_id AND w.first_at < f.at AND (NOT w.led OR w.epoch < p.made_epoch)
	AND w.last_at > p.at + p.uncertainty_us + p.blur_us
 GROUP BY p.source_id, p.position, w.source_id
 ORDER BY p.source_id, p.position, w.source_id;
-- A node that still leads after its demotion, and not long after no more; or led
-- no more before it, and not long before still did.
DROP TABLE IF EXISTS temp.led_until;
CREATE TEMP TABLE led_until AS
SELECT * FROM (
	SELECT node_id, source_id, led, epoch, first_at, by_at, last_at, position,
	    lead(led) OVER w AS led1, lead(first_at) OVER w AS at1, lead(by_at) OVER w AS by1, lead(position) OVER w AS position1
	  FROM epoch_own WINDOW w AS (PARTITION BY node_id, source_id ORDER BY first_at, position))
 WHERE led AND led1 = 0;
CREATE INDEX temp.led_until_i ON led_until (node_id, at1);
INSERT OR IGNORE INTO clock_order (incident, node_id, epoch, made_id, made_position, made_at, seen_id, seen_position, seen_at, early_us, late_us, most_us)
SELECT d.incident, d.node_id, 0, d.source_id, d.position, d.at, w.source_id, CASE WHEN w.last_at > d.at THEN w.position ELSE w.position1 END,
	CASE WHEN w.last_at > d.at THEN w.last_at ELSE w.at1 END,
	max(0, d.at - d.uncertainty_us - w.by1),
	max(0, w.last_at - d.at - d.uncertainty_us - d.blur_us),
	CASE WHEN w.last_at > d.at THEN w.by1 - d.at ELSE d.at + d.blur_us - w.last_at END
  FROM demotion d JOIN led_until w ON w.node_id = d.node_id AND w.source_id <> d.source_id AND w.at1 BETWEEN d.at - 10000000 AND d.at + 10000000
 WHERE (w.last_at > d.at + d.uncertainty_us + d.blur_us OR w.by1 < d.at - d.uncertainty_us)
   -- another change of the node's would explain it
   AND NOT EXISTS (SELECT 1 FROM led_until x WHERE x.node_id = w.node_id AND x.source_id = w.source_id AND x.at1 <> w.at1 AND x.at1 BETWEEN d.at - 20000000 AND d.at + 20000000)
   AND NOT EXISTS (SELECT 1 FROM demotion x WHERE x.node_id = d.node_id AND x.source_id = d.source_id AND x.position <> d.position AND x.at BETWEEN d.at - 20000000 AND d.at + 20000000)
 ORDER BY d.source_id, d.position, w.source_id;

-- One of a sampler's dumps alone shows it at another time than the rest of them:
-- its clock is the one that is off, by how much nothing says.
DROP TABLE IF EXISTS temp.odd_dump;
CREATE TEMP TABLE odd_dump AS
SELECT DISTINCT o.made_id, o.made_position, o.seen_id
  FROM clock_order o JOIN clock_pool p ON p.unit = o.seen_id
 WHERE o.early_us > 0 AND o.epoch > 0
   AND (SELECT count(*) FROM epoch_first f JOIN clock_pool q ON q.unit = f.source_id AND q.pool = p.pool
	 WHERE f.node_id = o.node_id AND f.epoch = o.epoch AND NOT EXISTS (SELECT 1 FROM clock_order x
		WHERE x.made_id = o.made_id AND x.made_position = o.made_position AND x.seen_id = f.source_id))
	> max(1, (SELECT count(*) FROM clock_order x JOIN clock_pool q ON q.unit = x.seen_id AND q.pool = p.pool
	    WHERE x.made_id = o.made_id AND x.made_position = o.made_position));
UPDATE source_clock SET doubtful = 1 WHERE basis = 'as-found' AND pairs IS NULL AND source_id IN (SELECT seen_id FROM odd_dump);

-- A node's own dump that has the promotion when the node's log has it, while two
-- others had it before: it was taken on that host, and goes by the log's clock.
DROP TABLE IF EXISTS temp.host_dump;
CREATE TEMP TABLE host_dump (source_id INTEGER PRIMARY KEY, made_id INTEGER NOT NULL, most_us INTEGER NOT NULL);
INSERT OR IGNORE INTO host_dump
SELECT f.source_id, o.made_id, max(o.most_us)
  FROM clock_order o JOIN epoch_first f ON f.node_id = o.node_id AND f.epoch = o.epoch AND f.by_at >= o.made_at - 50000
  JOIN (SELECT v.source_id, min(w.node_id) AS node_id FROM main.view v JOIN clock_node w USING (observer_id)
	 WHERE v.kind = 'dump' GROUP BY v.source_id HAVING count(DISTINCT v.observer_id) = 1) d ON d.source_id = f.source_id AND d.node_id = o.node_id
 WHERE o.early_us > 0 AND o.epoch > 0
 GROUP BY f.source_id, o.made_id HAVING count(DISTINCT o.seen_id) >= 2;
UPDATE source_clock SET doubtful = 1, (uncertainty_us, widen_us, detail) = (
	SELECT source_clock.uncertainty_us + h.most_us, source_clock.widen_us + h.most_us, coalesce(source_clock.detail || '; ', '') || 'it goes by the clock of ' || s.name
	  FROM host_dump h JOIN main.source s ON s.source_id = h.made_id WHERE h.source_id = source_clock.source_id)
 WHERE basis = 'as-found' AND source_id IN (SELECT source_id FROM host_dump);

UPDATE source_clock SET detail = coalesce(detail || '; ', '') || (
	SELECT CASE WHEN o.epoch = 0 THEN printf('it has node %s %s %.3f s %s %s says that it was demoted', substr(n.name, 1, 8),
		CASE WHEN o.late_us = 0 THEN 'as a replica' ELSE 'as a master' END, max(o.early_us, o.late_us) / 1e6, CASE WHEN o.late_us = 0 THEN 'before' ELSE 'after' END, s.name)
	    WHEN o.late_us = 0 THEN printf('it has node %s with epoch %d %.3f s before %s says that it was promoted', substr(n.name, 1, 8), o.epoch, o.early_us / 1e6, s.name)
	    ELSE printf('it has node %s without epoch %d %.3f s after %s says that it was promoted', substr(n.name, 1, 8), o.epoch, o.late_us / 1e6, s.name) END
	  FROM clock_order o JOIN main.node n USING (node_id) JOIN main.source s ON s.source_id = o.made_id
	 WHERE o.seen_id = source_clock.source_id ORDER BY max(o.early_us, o.late_us) DESC, o.made_id, o.made_position LIMIT 1)
 WHERE source_id IN (SELECT seen_id FROM clock_order);
UPDATE source_clock SET detail = coalesce(detail || '; ', '') || (
	SELECT CASE WHEN o.epoch = 0 THEN printf('it has the demotion of node %s, which %s %.3f s %s', substr(n.name, 1, 8), s.name || CASE WHEN o.late_us = 0 THEN ' shows' ELSE ' does not show' END,
		max(o.early_us, o.late_us) / 1e6, CASE WHEN o.late_us = 0 THEN 'earlier' ELSE 'later' END)
	    WHEN o.late_us = 0 THEN printf('it has the promotion of node %s to epoch %d %.3f s after %s shows it', substr(n.name, 1, 8), o.epoch, o.early_us / 1e6, s.name)
	    ELSE printf('it has the promotion of node %s to epoch %d, which is not in %s %.3f s later', substr(n.name, 1, 8), o.epoch, s.name, o.late_us / 1e6) END
	  FROM clock_order o JOIN main.node n USING (node_id) JOIN main.source s ON s.source_id = o.seen_id
	 WHERE o.made_id = source_clock.source_id ORDER BY max(o.early_us, o.late_us) DESC, o.seen_id, o.made_position LIMIT 1)
 WHERE source_id IN (SELECT made_id FROM clock_order);
UPDATE source_clock SET (uncertainty_us, widen_us) = (
	SELECT source_clock.uncertainty_us + max(o.most_us), source_clock.widen_us + max(o.most_us)
	  FROM clock_order o LEFT JOIN odd_dump d USING (made_id, made_position, seen_id)
	 WHERE source_clock.source_id = o.seen_id OR (source_clock.source_id = o.made_id AND d.seen_id IS NULL))
 WHERE basis = 'as-found' AND pairs IS NULL
   AND (source_id IN (SELECT seen_id FROM clock_order)
	OR source_id IN (SELECT made_id FROM clock_order o LEFT JOIN odd_dump d USING (made_id, made_position, seen_id) WHERE d.seen_id IS NULL));
