-- 107-epoch-order.sql - promotions that somebody saw before they happened.
--
-- Reads: the corrected views of 100-clock.sql.  Makes: clock_order, one row a
-- promotion and a source that shows it too early; and widens what the clocks of
-- the two may be off by, where neither was measured.
--
-- A configEpoch is new when its node is promoted: whoever names the node with it
-- was asked, or wrote, after that.  A view that ends earlier than the promoted
-- node's own log has the promotion, both clocks given the best of doubt, says
-- that one of the two clocks is off by the difference at least.

CREATE TABLE clock_order (
	incident	TEXT NOT NULL,
	node_id		INTEGER NOT NULL,	-- who was promoted
	epoch		INTEGER NOT NULL,	-- to this configEpoch
	made_id		INTEGER NOT NULL REFERENCES source ON DELETE CASCADE, -- the log that says so,
	made_position	INTEGER NOT NULL,	-- where,
	made_at		INTEGER NOT NULL,	-- when, corrected
	seen_id		INTEGER NOT NULL REFERENCES source ON DELETE CASCADE, -- the source that shows it,
	seen_position	INTEGER NOT NULL,
	seen_at		INTEGER NOT NULL,
	early_us	INTEGER NOT NULL,	-- so much too early at least
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
INSERT OR IGNORE INTO clock_order
SELECT p.incident, p.node_id, p.made_epoch, p.source_id, p.position, p.at, f.source_id, f.position, f.at, p.at - p.uncertainty_us - f.by_at
  FROM (SELECT e.*, o.node_id, coalesce(e.epoch, (SELECT n.epoch FROM main.server_event n WHERE n.source_id = e.source_id AND n.kind = 'epoch'
		AND n.position > e.position AND n.position <= e.position + 5 AND n.epoch IS NOT NULL ORDER BY n.position LIMIT 1)) AS made_epoch
	  FROM c_server_event e JOIN clock_node o USING (observer_id)
	 WHERE e.kind = 'promotion' AND e.source_kind = 'server-log' AND e.at IS NOT NULL) p
  JOIN epoch_first f ON f.node_id = p.node_id AND f.epoch = p.made_epoch AND f.source_id <> p.source_id
 WHERE f.by_at < p.at - p.uncertainty_us
 ORDER BY p.source_id, p.position, f.source_id;

UPDATE source_clock SET detail = coalesce(detail || '; ', '') || (
	SELECT printf('it has node %s with epoch %d %.3f s before %s says that it was promoted', substr(n.name, 1, 8), o.epoch, o.early_us / 1e6, s.name)
	  FROM clock_order o JOIN main.node n USING (node_id) JOIN main.source s ON s.source_id = o.made_id
	 WHERE o.seen_id = source_clock.source_id ORDER BY o.early_us DESC, o.made_id, o.made_position LIMIT 1)
 WHERE source_id IN (SELECT seen_id FROM clock_order);
UPDATE source_clock SET detail = coalesce(detail || '; ', '') || (
	SELECT printf('it has the promotion of node %s to epoch %d %.3f s after %s shows it', substr(n.name, 1, 8), o.epoch, o.early_us / 1e6, s.name)
	  FROM clock_order o JOIN main.node n USING (node_id) JOIN main.source s ON s.source_id = o.seen_id
	 WHERE o.made_id = source_clock.source_id ORDER BY o.early_us DESC, o.seen_id, o.made_position LIMIT 1)
 WHERE source_id IN (SELECT made_id FROM clock_order);
UPDATE source_clock SET (uncertainty_us, widen_us) = (
	SELECT source_clock.uncertainty_us + max(o.early_us), source_clock.widen_us + max(o.early_us)
	  FROM clock_order o WHERE source_clock.source_id IN (o.seen_id, o.made_id))
 WHERE basis = 'as-found' AND pairs IS NULL
   AND source_id IN (SELECT seen_id FROM clock_order UNION SELECT made_id FROM clock_order);
