-- 320-condition.sql - the four conditions that make a divergence a risk.
--
-- Reads: verdict, divergence_window, settings.  Makes:
--   condition	one row: one condition of one error or one window; holds is 1,
--		0, or NULL where nothing shows it

CREATE TABLE condition (
	error_id	INTEGER REFERENCES verdict ON DELETE CASCADE,	-- one of the two is set
	window_id	INTEGER REFERENCES divergence_window ON DELETE CASCADE,
	condition	TEXT NOT NULL CHECK (condition IN ('full-coverage', 'stale-view', 'budget', 'old-owner-reachable')),
	holds		INTEGER CHECK (holds IN (0, 1)),
	evidence	TEXT NOT NULL,
	incident	TEXT NOT NULL
) STRICT;

INSERT INTO condition
SELECT v.error_id, NULL, 'full-coverage', i.full_coverage,
	'cluster-require-full-coverage ' || CASE WHEN i.full_coverage THEN 'yes' ELSE 'no' END || ' (' || i.coverage_basis || ')', v.incident
  FROM verdict v JOIN temp.incident i USING (incident) ORDER BY v.error_id;
INSERT INTO condition
SELECT NULL, w.window_id, 'full-coverage', i.full_coverage,
	'cluster-require-full-coverage ' || CASE WHEN i.full_coverage THEN 'yes' ELSE 'no' END || ' (' || i.coverage_basis || ')', w.incident
  FROM divergence_window w JOIN temp.incident i USING (incident) ORDER BY w.window_id;

-- What the client last read its slot map from: its own log, or the capture.
DROP TABLE IF EXISTS temp.told;
CREATE TEMP TABLE told AS
SELECT e.observer_id, e.at, a.node_id, e.source_id, e.position, NULL AS host
  FROM c_event e JOIN addr a ON a.endpoint_id = e.subject_endpoint_id AND a.nodes = 1
 WHERE e.kind = 'topology-refresh' AND e.at IS NOT NULL
UNION ALL
SELECT v.asked_by, v.last_at, w.who, v.source_id, v.last_position, p.host
  FROM c_view v JOIN who w USING (observer_id) JOIN party p ON p.observer_id = v.asked_by WHERE w.who > 0 AND v.first_at IS NOT NULL;
CREATE INDEX temp.told_i ON told (observer_id, at);
INSERT INTO condition
SELECT v.error_id, NULL, 'stale-view',
	CASE WHEN t.node_id IS NULL OR w.new_owner IS NULL THEN NULL WHEN t.node_id = w.new_owner THEN 0 ELSE 1 END,
	CASE WHEN t.node_id IS NULL THEN 'nothing shows where the client read its slot map'
	    ELSE 'last slot map read from ' || coalesce(l.text, 'an unknown node') END, v.incident
  FROM verdict v LEFT JOIN divergence_window w USING (window_id)
  LEFT JOIN told t ON t.rowid = (SELECT x.rowid FROM told x WHERE x.observer_id = v.observer_id AND x.at <= v.at ORDER BY x.at DESC, x.rowid DESC LIMIT 1)
  LEFT JOIN label l ON l.who = t.node_id ORDER BY v.error_id;
INSERT INTO condition
SELECT NULL, w.window_id, 'stale-view',
	CASE WHEN count(t.node_id) = 0 OR w.new_owner IS NULL THEN NULL WHEN sum(t.node_id <> w.new_owner) > 0 THEN 1 ELSE 0 END,
	CASE WHEN count(t.node_id) = 0 OR w.new_owner IS NULL THEN 'no client is seen to read a slot map while it was open'
	    ELSE sum(t.node_id <> w.new_owner) || ' of ' || count(*) || ' slot maps were read from other nodes' END, w.incident
  FROM divergence_window w LEFT JOIN told t ON t.at BETWEEN w.opened_by AND coalesce(w.converged_by, 9223372036854775807)
	AND EXISTS (SELECT 1 FROM main.observer o WHERE o.observer_id = t.observer_id AND o.incident = w.incident)
	AND EXISTS (SELECT 1 FROM party p WHERE p.observer_id = t.observer_id AND p.level = 'client')
 GROUP BY w.window_id ORDER BY w.window_id;

-- The redirect budget, in time: the observed chain, else the library's own.
INSERT INTO condition
SELECT v.error_id, NULL, 'budget',
	CASE WHEN b.us IS NULL THEN NULL WHEN b.us < i.node_timeout_us THEN 1 ELSE 0 END,
	CASE WHEN b.us IS NULL THEN 'nothing shows how long the client kept trying'
	    ELSE 'the budget lasted ' || ((b.us + 999) / 1000) || ' ms (' || b.basis || '), cluster-node-timeout is ' || (i.node_timeout_us / 1000) || ' ms (' || i.timeout_basis || ')' END,
	v.incident
  FROM verdict v JOIN temp.incident i USING (incident)
  LEFT JOIN (SELECT e.error_id, coalesce(e.at - min(c.at), e.at - e.started_at, e.budget * e.backoff_ms * 1000) AS us,
		CASE WHEN min(c.at) IS NOT NULL THEN 'observed' WHEN e.started_at IS NOT NULL THEN 'stated' ELSE 'the library''s default' END AS basis
	  FROM err e LEFT JOIN chain c USING (error_id) GROUP BY e.error_id) b USING (error_id)
 ORDER BY v.error_id;
INSERT INTO condition
SELECT NULL, w.window_id, 'budget',
	CASE WHEN count(c.holds) = 0 THEN NULL ELSE max(c.holds) END,
	CASE WHEN count(c.holds) = 0 THEN 'no error shows a redirect budget' ELSE coalesce(sum(c.holds), 0) || ' of ' || count(c.holds) || CASE count(c.holds) WHEN 1 THEN ' error' ELSE ' errors' END || ' had a budget shorter than the node timeout' END,
	w.incident
  FROM divergence_window w LEFT JOIN verdict v USING (window_id) LEFT JOIN condition c ON c.error_id = v.error_id AND c.condition = 'budget'
 GROUP BY w.window_id ORDER BY w.window_id;

-- The old owner still answers: it said something itself while the window was open.
INSERT INTO condition
SELECT NULL, w.window_id, 'old-owner-reachable',
	CASE WHEN w.old_owner IS NULL THEN NULL WHEN EXISTS (SELECT 1 FROM window_observer o WHERE o.window_id = w.window_id AND o.who = w.old_owner)
		OR EXISTS (SELECT 1 FROM ct c WHERE c.node_id = w.old_owner AND c.ok = 1 AND c.first_at <= coalesce(w.closed_by, w.opened_by)
		    AND c.first_at >= w.opened_by - 70000000 AND c.last_at >= w.opened_by) THEN 1
	    WHEN w.close_reason = 'old-owner-unreachable' THEN 0 END,
	CASE WHEN w.old_owner IS NULL THEN 'the old owner is unknown' ELSE 'answers of ' || coalesce(l.text, 'the old owner') || ' while it was open' END, w.incident
  FROM divergence_window w LEFT JOIN label l ON l.who = w.old_owner ORDER BY w.window_id;
INSERT INTO condition
SELECT v.error_id, NULL, 'old-owner-reachable', c.holds, coalesce(c.evidence, 'the error is in no window'), v.incident
  FROM verdict v LEFT JOIN condition c ON c.window_id = v.window_id AND c.condition = 'old-owner-reachable' ORDER BY v.error_id;
-- For who asks about one error or one window.
CREATE INDEX condition_error ON condition (error_id) WHERE error_id IS NOT NULL;
CREATE INDEX condition_window ON condition (window_id) WHERE window_id IS NOT NULL;
