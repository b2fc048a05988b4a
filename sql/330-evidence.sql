-- 330-evidence.sql - what each verdict rests on.
--
-- Reads: the working tables of 300 and 310.  Makes:
--   evidence	one row: one observation that counted for one error, with the
--		line or frame where it stands

CREATE TABLE evidence (
	evidence_id	INTEGER PRIMARY KEY,
	error_id	INTEGER NOT NULL REFERENCES verdict ON DELETE CASCADE,
	role		TEXT NOT NULL CHECK (role IN ('view', 'contact', 'redirect', 'setting', 'window')),
	at		INTEGER,
	source_id	INTEGER,		-- NULL: derived or declared
	position	INTEGER,
	text		TEXT NOT NULL
) STRICT;

INSERT INTO evidence (error_id, role, at, source_id, position, text)
SELECT c.error_id, 'redirect', c.at, c.source_id, c.position,
	coalesce(a.host || ':' || a.port, 'an unprinted node') || ' answered ' || c.code || ' to ' || coalesce(b.host || ':' || b.port, '?')
  FROM chain c LEFT JOIN main.endpoint a ON a.endpoint_id = c.asked_id LEFT JOIN main.endpoint b ON b.endpoint_id = c.target_id
 ORDER BY c.error_id, c.place;
-- Views: for each party and owner the sample nearest to the raise.
INSERT INTO evidence (error_id, role, at, source_id, position, text)
SELECT f.error_id, 'view',
	CASE WHEN c.kind = 'r' THEN r.at WHEN b.last_at <= p.ep_to THEN b.last_at WHEN b.first_at > p.ep_from THEN b.first_at WHEN b.said_id THEN p.ep_from END,
	coalesce(b.source_id, r.source_id), CASE WHEN c.kind = 'r' THEN r.position WHEN b.last_at <= p.ep_to THEN b.last_position ELSE b.position END,
	coalesce(w.text, '?') || ' names ' || coalesce(o.text, '?') || coalesce(' epoch ' || c.epoch, '')
	|| CASE WHEN c.kind = 'r' THEN CASE WHEN c.who = c.owner THEN ' (it served the slot)' ELSE ' (a redirect)' END
	    WHEN NOT c.sure THEN ' (possible, ' || ((c.age_us + 999) / 1000) || ' ms away)'
	    WHEN NOT c.inside THEN ' (held over a gap of ' || ((c.age_us + 999) / 1000) || ' ms)' ELSE '' END
  FROM final f INDEXED BY final_i CROSS JOIN ep p USING (ep_id) CROSS JOIN cand c USING (ep_id)
  LEFT JOIN said b ON b.said_id = CASE c.kind WHEN 'b' THEN (
	SELECT y.said_id FROM said y WHERE y.who = c.who AND y.seg_id = p.seg_id AND y.owner = c.owner AND y.epoch IS c.epoch AND y.first_at = coalesce(
	    (SELECT max(z.first_at) FROM said z WHERE z.who = c.who AND z.seg_id = p.seg_id AND z.owner = c.owner AND z.epoch IS c.epoch AND z.first_at <= p.ep_to),
	    (SELECT min(z.first_at) FROM said z WHERE z.who = c.who AND z.seg_id = p.seg_id AND z.owner = c.owner AND z.epoch IS c.epoch AND z.first_at > p.ep_to))
	 ORDER BY y.track, y.said_id LIMIT 1) END
  LEFT JOIN rd r ON r.rowid = CASE c.kind WHEN 'r' THEN c.ref END
  LEFT JOIN label w ON w.who = c.who LEFT JOIN label o ON o.who = c.owner
 ORDER BY f.error_id, c.who, c.kind, c.ref;
-- Contacts: with the claimant, the last of each level and side.
INSERT INTO evidence (error_id, role, at, source_id, position, text)
SELECT error_id, 'contact', at, source_id, position, text FROM (
	SELECT p.error_id, CASE n.side WHEN 'before' THEN n.last_at ELSE n.first_at END AS at, c.source_id,
		CASE n.side WHEN 'before' THEN c.last_position ELSE c.position END AS position,
		CASE n.level WHEN 1 THEN 'this client' WHEN 2 THEN 'another client of its host' WHEN 3 THEN 'the sampler' ELSE 'another client' END
		|| ' and ' || l.text || ': ' || n.outcome || CASE WHEN n.slow THEN ' (slow, not unreachable)' ELSE '' END
		|| CASE n.side WHEN 'before' THEN ' (before the episode)' WHEN 'after' THEN ' (after it)' WHEN 'unsure' THEN ' (perhaps before the episode)' ELSE '' END AS text,
		n.level, n.side,
		row_number() OVER (PARTITION BY n.ep_id, n.level, n.side, n.ok ORDER BY CASE n.side WHEN 'before' THEN -n.last_at ELSE n.first_at END, n.contact_id) AS r
	  FROM final f JOIN ep p USING (ep_id) JOIN near n ON n.ep_id = f.ep_id AND n.owner = f.claimant
	  JOIN label l ON l.who = n.owner JOIN ct c USING (contact_id))
 WHERE r = 1 ORDER BY error_id, level, side, at;
INSERT INTO evidence (error_id, role, at, source_id, position, text)
SELECT v.error_id, 'window', w.opened_by, NULL, NULL, 'window ' || w.window_id || ', '
	|| CASE WHEN w.new_owner IS NULL AND w.cause = 'setslot' THEN 'slots given up: nobody claims them after ' ELSE w.cause || ': ' || coalesce(n.text, 'nobody') || ' claims from ' END
	|| coalesce(o.text, 'nobody')
  FROM verdict v JOIN divergence_window w USING (window_id) LEFT JOIN label n ON n.who = w.new_owner LEFT JOIN label o ON o.who = w.old_owner
 ORDER BY v.error_id;
INSERT INTO evidence (error_id, role, at, source_id, position, text)
SELECT v.error_id, 'setting', NULL,
	(SELECT s.source_id FROM main.setting s WHERE s.incident = v.incident AND s.name = 'cluster-node-timeout' ORDER BY s.basis = 'seen' DESC, s.setting_id DESC LIMIT 1),
	(SELECT s.position FROM main.setting s WHERE s.incident = v.incident AND s.name = 'cluster-node-timeout' ORDER BY s.basis = 'seen' DESC, s.setting_id DESC LIMIT 1),
	'cluster-node-timeout ' || (i.node_timeout_us / 1000) || ' ms (' || i.timeout_basis || ')'
  FROM verdict v JOIN temp.incident i USING (incident) ORDER BY v.error_id;
CREATE INDEX evidence_error ON evidence (error_id);
CREATE INDEX verdict_window ON verdict (window_id);
