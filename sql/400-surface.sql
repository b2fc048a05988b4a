-- 400-surface.sql - the query surface: views that are a promise to users.
--
-- Reads: base and derived tables.  Makes: failover_error, window,
-- error_condition, window_condition, error_evidence, slot_owner, timeline,
-- connect_storm, input, summary (window_observer is a table of 200-window.sql).
-- Names, columns, order, units and meanings stay.  Times are corrected,
-- microseconds UTC, each with a _utc text.  Commits the analysis.

-- Where a node was last seen, for the views below.
CREATE VIEW node_address AS
SELECT node_id, name, incident, addr FROM (
	SELECT n.node_id, n.name, n.incident, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port AS addr,
		row_number() OVER (PARTITION BY n.node_id ORDER BY x.view_id DESC, x.ordinal) AS r
	  FROM node n LEFT JOIN (SELECT view_node.* FROM view_node JOIN endpoint USING (endpoint_id) WHERE host <> '' AND port > 0
		AND coalesce(flags, '') NOT LIKE '%handshake%') x USING (node_id) LEFT JOIN endpoint e USING (endpoint_id))
 WHERE r = 1;

-- One row: one failover error and its verdict.
CREATE VIEW failover_error AS
SELECT v.error_id, v.at, strftime('%Y-%m-%dT%H:%M:%S', v.at/1000000, 'unixepoch') || printf('.%06dZ', v.at%1000000) AS at_utc, o.name AS client, coalesce(v.library, o.library) AS library,
	v.error_class, v.message, v.slot, v.chain, v.redirects, v.verdict, v.leans, v.rule, v.fault, v.confidence, v.reason, v.window_id,
	c.name AS claimant_id, c.addr AS claimant_addr, v.claimant_epoch, v.reachable AS claimant_reachable, v.views, v.views_disagreeing,
	v.divergence_ms AS divergence_ms,
	CASE WHEN v.verdict = 'spurious' THEN min(2 * v.divergence_ms, v.timeout_ms) END AS backoff_ms,
	CASE WHEN v.verdict <> 'spurious' OR w.window_id IS NULL OR v.divergence_ms IS NULL THEN NULL
	    WHEN v.at + 1000 * min(2 * v.divergence_ms, v.timeout_ms) >= w.converged_by THEN 1
	    WHEN v.at + 1000 * min(2 * v.divergence_ms, v.timeout_ms) < w.converged_after THEN 0 END AS backoff_sufficient,
	CASE WHEN v.rule = '7' AND v.verdict = 'spurious' THEN 'none'
	    ELSE CASE v.verdict WHEN 'genuine' THEN 'raise' WHEN 'spurious' THEN 'back-off' WHEN 'corruption' THEN 'raise-slot-map-corruption' ELSE 'unknown' END
	    END AS gate,
	CASE WHEN v.verdict = 'spurious' AND v.rule <> '7' THEN v.at + 1000 * min(2 * v.divergence_ms, v.timeout_ms) END AS gate_retry_at,
	CASE WHEN v.verdict = 'spurious' AND v.rule <> '7' THEN strftime('%Y-%m-%dT%H:%M:%S', (v.at + 1000 * min(2 * v.divergence_ms, v.timeout_ms))/1000000, 'unixepoch') || printf('.%06dZ', (v.at + 1000 * min(2 * v.divergence_ms, v.timeout_ms))%1000000) END AS gate_retry_at_utc,
	v.missing, v.inferred, s.name AS source, v.position, v.incident
  FROM verdict v JOIN observer o USING (observer_id) JOIN source s USING (source_id)
  LEFT JOIN node_address c ON c.node_id = v.claimant
  LEFT JOIN divergence_window w USING (window_id);

-- One row: one divergence window.
CREATE VIEW window AS
SELECT w.window_id,
	(SELECT group_concat(t, ',') FROM (SELECT CASE WHEN slot_from = slot_to THEN slot_from ELSE slot_from || '-' || slot_to END AS t
	    FROM window_segment g WHERE g.window_id = w.window_id ORDER BY slot_from)) AS slots,
	(SELECT sum(slot_to - slot_from + 1) FROM window_segment g WHERE g.window_id = w.window_id) AS slot_count,
	w.cause, o.name AS old_owner_id, o.addr AS old_owner_addr, w.old_epoch, n.name AS new_owner_id, n.addr AS new_owner_addr, w.new_epoch,
	w.opened_after, strftime('%Y-%m-%dT%H:%M:%S', w.opened_after/1000000, 'unixepoch') || printf('.%06dZ', w.opened_after%1000000) AS opened_after_utc, w.opened_by, strftime('%Y-%m-%dT%H:%M:%S', w.opened_by/1000000, 'unixepoch') || printf('.%06dZ', w.opened_by%1000000) AS opened_by_utc,
	w.closed_after, strftime('%Y-%m-%dT%H:%M:%S', w.closed_after/1000000, 'unixepoch') || printf('.%06dZ', w.closed_after%1000000) AS closed_after_utc, w.closed_by, strftime('%Y-%m-%dT%H:%M:%S', w.closed_by/1000000, 'unixepoch') || printf('.%06dZ', w.closed_by%1000000) AS closed_by_utc,
	w.close_reason, w.claim_closed_by,
	CASE WHEN w.closed_after IS NULL THEN NULL ELSE max(0, (w.closed_after - w.opened_by) / 1000) END AS min_ms,
	CASE WHEN w.closed_by IS NULL OR w.opened_after IS NULL THEN NULL ELSE (w.closed_by - w.opened_after + 999) / 1000 END AS max_ms,
	w.converged_after, strftime('%Y-%m-%dT%H:%M:%S', w.converged_after/1000000, 'unixepoch') || printf('.%06dZ', w.converged_after%1000000) AS converged_after_utc, w.converged_by, strftime('%Y-%m-%dT%H:%M:%S', w.converged_by/1000000, 'unixepoch') || printf('.%06dZ', w.converged_by%1000000) AS converged_by_utc,
	(SELECT count(*) FROM window_observer x WHERE x.window_id = w.window_id) AS observers,
	coalesce((SELECT r.redirects FROM window_redirect r WHERE r.window_id = w.window_id), 0) AS redirects,
	(SELECT CASE WHEN count(*) = 4 AND min(c.holds) = 1 AND count(c.holds) = 4 THEN 1 ELSE 0 END FROM condition c WHERE c.window_id = w.window_id) AS at_risk,
	(SELECT count(*) FROM verdict v WHERE v.window_id = w.window_id) AS errors,
	w.incident
  FROM divergence_window w LEFT JOIN node_address o ON o.node_id = w.old_owner LEFT JOIN node_address n ON n.node_id = w.new_owner;

CREATE VIEW error_condition AS
SELECT error_id, condition, holds, evidence, incident FROM condition WHERE error_id IS NOT NULL;
CREATE VIEW window_condition AS
SELECT window_id, condition, holds, evidence, incident FROM condition WHERE window_id IS NOT NULL;

-- One row: one observation that a verdict rests on.
CREATE VIEW error_evidence AS
SELECT e.error_id, e.role, e.at, strftime('%Y-%m-%dT%H:%M:%S', e.at/1000000, 'unixepoch') || printf('.%06dZ', e.at%1000000) AS at_utc, s.name AS source, e.position, e.text, v.incident
  FROM evidence e JOIN verdict v USING (error_id) LEFT JOIN source s ON s.source_id = e.source_id
 ORDER BY e.error_id, e.evidence_id;

-- One row: one observer named one owner of these slots over one span.
CREATE VIEW slot_owner AS
SELECT coalesce(m.name, o.name) AS observer,
	(SELECT group_concat(t, ',') FROM (SELECT CASE WHEN g.slot_from = g.slot_to THEN g.slot_from ELSE g.slot_from || '-' || g.slot_to END AS t
	    FROM view_slots g WHERE g.view_id = v.view_id AND g.ordinal = x.ordinal AND g.state = 'owned' ORDER BY g.slot_from)) AS slots,
	n.name AS owner_id, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port AS owner_addr, x.config_epoch,
	v.first_at, strftime('%Y-%m-%dT%H:%M:%S', v.first_at/1000000, 'unixepoch') || printf('.%06dZ', v.first_at%1000000) AS first_at_utc,
	v.last_at, strftime('%Y-%m-%dT%H:%M:%S', v.last_at/1000000, 'unixepoch') || printf('.%06dZ', v.last_at%1000000) AS last_at_utc,
	v.samples, v.source, v.position, v.last_position, v.incident
  FROM c_view v JOIN observer o USING (observer_id)
  LEFT JOIN node m ON m.node_id = o.node_id
  JOIN view_node x USING (view_id) LEFT JOIN node n ON n.node_id = x.node_id LEFT JOIN endpoint e ON e.endpoint_id = x.endpoint_id
 WHERE EXISTS (SELECT 1 FROM view_slots g WHERE g.view_id = v.view_id AND g.ordinal = x.ordinal AND g.state = 'owned');

-- Everything in order.
CREATE VIEW timeline AS
SELECT at, strftime('%Y-%m-%dT%H:%M:%S', at/1000000, 'unixepoch') || printf('.%06dZ', at%1000000) AS at_utc, kind, observer, subject, slots, detail, source, position, incident FROM (
	SELECT r.at, lower(r.code) AS kind, o.name AS observer, CASE WHEN instr(a.host, ':') THEN '[' || a.host || ']' ELSE a.host END || ':' || a.port AS subject, CAST(r.slot AS TEXT) AS slots,
		CASE WHEN r.target_id IS NOT NULL THEN 'to ' || CASE WHEN instr(b.host, ':') THEN '[' || b.host || ']' ELSE b.host END || ':' || b.port END || CASE WHEN r.command IS NOT NULL THEN ' for ' || r.command ELSE '' END AS detail,
		r.source, r.position, r.incident, 1 AS rank, r.redirect_id AS id
	  FROM c_redirect r JOIN observer o USING (observer_id)
	  LEFT JOIN endpoint a ON a.endpoint_id = r.asked_id LEFT JOIN endpoint b ON b.endpoint_id = r.target_id
	 WHERE r.client_error_id IS NULL AND r.redirect_id NOT IN (SELECT redirect_id FROM redirect_again)
	UNION ALL
	SELECT v.at, CASE WHEN e.kind IN ('redirects-exhausted', 'redirect-loop') THEN e.kind ELSE 'failover-error' END, o.name, NULL, CAST(v.slot AS TEXT),
		v.verdict || ' (rule ' || v.rule || '): ' || v.message, s.name, v.position, v.incident, 2, v.error_id
	  FROM verdict v JOIN source s USING (source_id) JOIN observer o USING (observer_id) LEFT JOIN client_error e USING (client_error_id)
	UNION ALL
	SELECT c.first_at, CASE c.outcome WHEN 'refused' THEN 'connect-refused' ELSE c.outcome END, o.name, CASE WHEN instr(a.host, ':') THEN '[' || a.host || ']' ELSE a.host END || ':' || a.port, NULL,
		CASE WHEN c.samples > 1 THEN c.samples || ' times' END, c.source, c.position, c.incident, 3, c.contact_id
	  FROM c_contact c JOIN observer o USING (observer_id)
	  JOIN endpoint a ON a.endpoint_id = c.endpoint_id WHERE c.outcome <> 'ok'
	UNION ALL
	SELECT v.first_at, 'view', coalesce(m.name, o.name), coalesce(m.name, CASE WHEN instr(a.host, ':') THEN '[' || a.host || ']' ELSE a.host END || ':' || a.port),
		(SELECT group_concat(t, ',') FROM (SELECT CASE WHEN g.slot_from = g.slot_to THEN g.slot_from ELSE g.slot_from || '-' || g.slot_to END AS t
		    FROM view_slots g JOIN view_node y USING (view_id, ordinal) WHERE g.view_id = v.view_id AND y.myself AND g.state = 'owned' ORDER BY g.slot_from)),
		v.kind || CASE WHEN v.form IS NOT NULL THEN ' ' || v.form ELSE '' END || ', ' || v.samples || ' samples', v.source, v.position, v.incident, 4, v.view_id
	  FROM c_view v JOIN observer o USING (observer_id)
	  LEFT JOIN node m ON m.node_id = o.node_id LEFT JOIN endpoint a ON a.endpoint_id = o.endpoint_id
	UNION ALL
	SELECT v.at, v.kind, coalesce(m.name, o.name), coalesce(n.name, CASE WHEN instr(a.host, ':') THEN '[' || a.host || ']' ELSE a.host END || ':' || a.port), v.slots,
		v.event || CASE WHEN v.epoch IS NOT NULL THEN ' epoch ' || v.epoch ELSE '' END || CASE WHEN v.detail IS NOT NULL THEN ': ' || v.detail ELSE '' END,
		v.source, v.position, v.incident, 5, v.server_event_id
	  FROM c_server_event v JOIN observer o USING (observer_id)
	  LEFT JOIN node m ON m.node_id = o.node_id LEFT JOIN node n ON n.node_id = v.subject_id LEFT JOIN endpoint a ON a.endpoint_id = v.subject_endpoint_id
	UNION ALL
	SELECT w.opened_by, 'window-opened', n.name, n.name,
		(SELECT group_concat(t, ',') FROM (SELECT CASE WHEN slot_from = slot_to THEN slot_from ELSE slot_from || '-' || slot_to END AS t
		    FROM window_segment g WHERE g.window_id = w.window_id ORDER BY slot_from)),
		'window ' || w.window_id || ', ' || w.cause, NULL, NULL, w.incident, 6, w.window_id
	  FROM divergence_window w LEFT JOIN node n ON n.node_id = w.new_owner
	UNION ALL
	SELECT w.closed_by, 'window-closed', n.name, n.name,
		(SELECT group_concat(t, ',') FROM (SELECT CASE WHEN slot_from = slot_to THEN slot_from ELSE slot_from || '-' || slot_to END AS t
		    FROM window_segment g WHERE g.window_id = w.window_id ORDER BY slot_from)),
		'window ' || w.window_id || ', ' || w.close_reason, NULL, NULL, w.incident, 7, w.window_id
	  FROM divergence_window w LEFT JOIN node n ON n.node_id = w.old_owner WHERE w.closed_by IS NOT NULL)
 ORDER BY incident, at, rank, id;

-- One row: one burst of topology requests or connects.
CREATE VIEW connect_storm AS
SELECT t.at, strftime('%Y-%m-%dT%H:%M:%S', t.at/1000000, 'unixepoch') || printf('.%06dZ', t.at%1000000) AS at_utc, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port AS endpoint, t.command, t.clients, t.requests, t.peak_per_s, t.window_id, t.incident
  FROM storm t JOIN endpoint e USING (endpoint_id) ORDER BY t.storm_id;

-- One row: one source and what became of it.
CREATE VIEW input AS
SELECT s.name AS source, s.kind, s.status, s.bytes, s.records, s.problems,
	strftime('%Y-%m-%dT%H:%M:%S', t.first_at/1000000, 'unixepoch') || printf('.%06dZ', t.first_at%1000000) AS first_at_utc, strftime('%Y-%m-%dT%H:%M:%S', t.last_at/1000000, 'unixepoch') || printf('.%06dZ', t.last_at%1000000) AS last_at_utc,
	k.offset_us / 1000.0 AS clock_offset_ms, k.basis AS clock_basis, s.incident
  FROM source s LEFT JOIN source_clock k USING (source_id) LEFT JOIN c_source t USING (source_id) ORDER BY s.source_id;

-- One row: one incident.
CREATE VIEW summary AS
SELECT coalesce(e.errors, 0) AS errors, coalesce(e.genuine, 0) AS genuine, coalesce(e.spurious, 0) AS spurious, coalesce(e.corruption, 0) AS corruption,
	coalesce(e.undetermined, 0) AS undetermined, coalesce(e.inferred, 0) AS inferred,
	(SELECT count(*) FROM divergence_window w WHERE w.incident = i.incident AND w.cause <> 'migration') AS windows,
	(SELECT count(*) FROM divergence_window w WHERE w.incident = i.incident AND w.cause = 'migration') AS migrations,
	(SELECT max((w.closed_by - w.opened_by + 999) / 1000) FROM divergence_window w WHERE w.incident = i.incident AND w.cause <> 'migration') AS longest_ms,
	coalesce(e.spurious, 0) AS raises_avoided, coalesce(e.genuine, 0) AS raises_kept,
	(SELECT b FROM (SELECT min(2 * f.divergence_ms, f.timeout_ms) AS b, row_number() OVER (ORDER BY min(2 * f.divergence_ms, f.timeout_ms), f.error_id) AS r, count(*) OVER () AS n
		FROM verdict f WHERE f.incident = i.incident AND f.verdict = 'spurious' AND f.divergence_ms IS NOT NULL) WHERE r = (n * 50 + 99) / 100) AS backoff_p50_ms,
	(SELECT b FROM (SELECT min(2 * f.divergence_ms, f.timeout_ms) AS b, row_number() OVER (ORDER BY min(2 * f.divergence_ms, f.timeout_ms), f.error_id) AS r, count(*) OVER () AS n
		FROM verdict f WHERE f.incident = i.incident AND f.verdict = 'spurious' AND f.divergence_ms IS NOT NULL) WHERE r = (n * 99 + 99) / 100) AS backoff_p99_ms,
	(SELECT max(min(2 * f.divergence_ms, f.timeout_ms)) FROM verdict f WHERE f.incident = i.incident AND f.verdict = 'spurious') AS backoff_max_ms,
	coalesce(r.redirects, 0) AS redirects, coalesce(r.in_windows, 0) AS redirects_in_windows,
	(SELECT coalesce(sum(p.samples), 0) FROM problem p JOIN source s USING (source_id) WHERE s.incident = i.incident) AS problems,
	i.incident
  FROM (SELECT DISTINCT incident FROM source) i
  LEFT JOIN (SELECT incident, count(*) AS errors, sum(verdict = 'genuine') AS genuine, sum(verdict = 'spurious') AS spurious,
		sum(verdict = 'corruption') AS corruption, sum(verdict = 'undetermined') AS undetermined, sum(inferred) AS inferred
	  FROM verdict GROUP BY incident) e USING (incident)
  LEFT JOIN incident_redirect r ON r.incident = i.incident
 ORDER BY i.incident;

COMMIT;
