-- 900-check.sql - what must hold in every analysed timeline.
--
-- Reads: base and derived tables.  Makes nothing: each statement returns no
-- row when all is well, else one row a breach: the invariant, the incident,
-- what breaks it (error N, window N, view N, ...) and how.

-- Time runs forward in a window: each edge between its two bounds, the end not
-- before the beginning, convergence not before the close.
SELECT 'window bounds in order' AS invariant, incident, 'window ' || window_id AS subject,
	CASE WHEN opened_after > opened_by THEN 'opened_after is later than opened_by'
	    WHEN closed_after > closed_by THEN 'closed_after is later than closed_by'
	    WHEN claim_closed_after > claim_closed_by THEN 'claim_closed_after is later than claim_closed_by'
	    WHEN converged_after > converged_by THEN 'converged_after is later than converged_by'
	    WHEN closed_by < opened_by THEN 'closed before it opened'
	    WHEN claim_closed_by < opened_by THEN 'the double claim ends before it begins'
	    WHEN converged_by < closed_by THEN 'converged before it closed'
	    ELSE 'converged before it opened' END AS detail
  FROM divergence_window
 WHERE opened_after > opened_by OR closed_after > closed_by OR claim_closed_after > claim_closed_by
    OR converged_after > converged_by OR closed_by < opened_by OR claim_closed_by < opened_by
    OR converged_by < closed_by OR converged_by < opened_by
 ORDER BY window_id;

-- A window is between two nodes, and says how it closed.
SELECT 'window makes sense' AS invariant, incident, 'window ' || window_id AS subject,
	CASE WHEN old_owner = new_owner THEN 'old and new owner are the same node'
	    WHEN close_reason = 'still-open' THEN 'still open, yet it has a closed_by'
	    ELSE 'closed, yet it has no closed_by' END AS detail
  FROM divergence_window
 WHERE old_owner = new_owner OR (close_reason = 'still-open' AND closed_by IS NOT NULL)
    OR (close_reason = 'old-owner-yielded' AND closed_by IS NULL)
 ORDER BY window_id;

-- Every window has slots, unless the slots are unknown and it says so; they are
-- slots, and no two of its ranges overlap.
SELECT 'window has slots' AS invariant, w.incident, 'window ' || w.window_id AS subject, 'no slot range' AS detail
  FROM divergence_window w
 WHERE w.detail IS NOT 'slots unknown' AND NOT EXISTS (SELECT 1 FROM window_segment g WHERE g.window_id = w.window_id)
 ORDER BY w.window_id;
SELECT 'window slot ranges apart' AS invariant, w.incident, 'window ' || g.window_id AS subject,
	g.slot_from || '-' || g.slot_to AS detail
  FROM (SELECT *, lag(slot_to) OVER (PARTITION BY window_id ORDER BY slot_from) AS before_to FROM window_segment) g
  JOIN divergence_window w USING (window_id)
 WHERE g.slot_from < 0 OR g.slot_to > 16383 OR g.slot_to < g.slot_from OR g.before_to >= g.slot_from
 ORDER BY g.window_id, g.slot_from;

-- The owner after a failover has a higher epoch than the one before it.  An
-- epoch collision has equal ones, a move of slots raises none; a change of
-- unknown cause may be such a move.
SELECT 'epoch rises in a window' AS invariant, incident, 'window ' || window_id AS subject,
	cause || ': ' || old_epoch || ' to ' || new_epoch AS detail
  FROM divergence_window
 WHERE cause NOT IN ('epoch-collision', 'migration', 'setslot', 'unknown') AND new_epoch <= old_epoch
 ORDER BY window_id;
-- And along the failovers of a slot range, one after the other.
SELECT 'epochs rise along a chain of windows' AS invariant, incident, 'window ' || window_id AS subject,
	'slot ' || slot_from || ': epoch ' || new_epoch || ' after ' || before_epoch AS detail
  FROM (SELECT w.incident, w.window_id, w.cause, w.new_epoch, w.new_owner, g.slot_from,
		lag(w.new_epoch) OVER c AS before_epoch, lag(w.new_owner) OVER c AS before_owner
	  FROM divergence_window w JOIN window_segment g USING (window_id)
	 WHERE w.cause IN ('manual-failover', 'automatic-failover', 'takeover') AND w.new_epoch IS NOT NULL
	WINDOW c AS (PARTITION BY w.incident, g.slot_from ORDER BY w.opened_by, w.window_id))
 WHERE new_epoch < before_epoch OR (new_epoch = before_epoch AND new_owner <> before_owner)
 ORDER BY window_id, slot_from;

-- A flip is between its bounds and not before the window could have opened.
SELECT 'observer flips in order' AS invariant, o.incident, 'window ' || o.window_id AS subject, o.observer AS detail
  FROM window_observer o JOIN divergence_window w USING (window_id)
 WHERE o.flipped_after > o.flipped_by OR o.flipped_by < w.opened_after OR o.incident <> w.incident
 ORDER BY o.window_id, o.who;

-- One verdict an error, and no verdict without one.
SELECT 'one verdict an error' AS invariant, s.incident, 'client_error ' || e.client_error_id AS subject,
	count(v.error_id) || ' verdicts' AS detail
  FROM client_error e JOIN source s USING (source_id) LEFT JOIN verdict v USING (client_error_id)
 GROUP BY e.client_error_id HAVING count(v.error_id) <> 1
 ORDER BY e.client_error_id;
SELECT 'a verdict is about an error' AS invariant, v.incident, 'error ' || v.error_id AS subject,
	CASE WHEN v.inferred THEN 'inferred, yet a log has it' ELSE 'no such client error' END AS detail
  FROM verdict v LEFT JOIN client_error e USING (client_error_id)
 WHERE v.inferred <> (e.client_error_id IS NULL)
 ORDER BY v.error_id;

-- The rule decides the verdict.
SELECT 'verdict follows from the rule' AS invariant, incident, 'error ' || error_id AS subject,
	verdict || ' by rule ' || rule AS detail
  FROM verdict
 WHERE (verdict = 'genuine' AND rule NOT IN ('2', '2a', '2b', '3'))
    OR (verdict = 'spurious' AND rule NOT IN ('4', '5a', '7'))
    OR (verdict = 'corruption' AND rule <> '6')
    OR rule NOT IN ('1', '2', '2a', '2b', '3', '4', '5', '5a', '6', '7', 'collision')
 ORDER BY error_id;
-- What the rule rests on is there.
SELECT 'reachability that the rule needs' AS invariant, incident, 'error ' || error_id AS subject,
	'rule ' || rule || ', claimant ' || CASE reachable WHEN 1 THEN 'reachable' WHEN 0 THEN 'unreachable' ELSE 'unknown' END AS detail
  FROM verdict
 WHERE (rule = '2' AND verdict = 'genuine' AND reachable IS NOT 0) OR (rule = '4' AND verdict = 'spurious' AND reachable IS NOT 1)
    OR (verdict = 'corruption' AND reachable IS NOT 1) OR (rule = '7' AND verdict = 'spurious' AND reachable IS NOT 1)
 ORDER BY error_id;
SELECT 'views that the rule needs' AS invariant, incident, 'error ' || error_id AS subject,
	'rule ' || rule || ': ' || views || ' views, ' || views_disagreeing || ' disagreeing' AS detail
  FROM verdict
 WHERE (verdict <> 'undetermined' AND views = 0) OR (verdict IN ('spurious', 'corruption') AND claimant IS NULL)
    OR (rule = '4' AND views_disagreeing = 0) OR (rule IN ('5a', '6', '7') AND verdict <> 'undetermined' AND views_disagreeing > 0)
    OR views_disagreeing > views
 ORDER BY error_id;
SELECT 'evidence for each verdict' AS invariant, incident, 'error ' || error_id AS subject, 'no ' || need AS detail
  FROM (SELECT v.error_id, v.incident, 'view' AS need FROM verdict v WHERE v.verdict <> 'undetermined'
	UNION ALL
	SELECT v.error_id, v.incident, 'redirect' FROM verdict v WHERE v.verdict = 'corruption' AND v.inferred) n
 WHERE NOT EXISTS (SELECT 1 FROM evidence e WHERE e.error_id = n.error_id AND e.role = n.need)
 ORDER BY error_id;
SELECT 'an undetermined error says what is missing' AS invariant, incident, 'error ' || error_id AS subject,
	'rule ' || rule || ': ' || reason AS detail
  FROM verdict WHERE verdict = 'undetermined' AND missing IS NULL
 ORDER BY error_id;
SELECT 'missing and leans are for undetermined errors' AS invariant, incident, 'error ' || error_id AS subject,
	verdict || ', missing ' || coalesce(missing, '-') || ', leans ' || coalesce(leans, '-') AS detail
  FROM verdict WHERE verdict <> 'undetermined' AND (missing IS NOT NULL OR leans IS NOT NULL)
 ORDER BY error_id;

-- An episode ends with the raise, not before it, and its window overlaps it.
SELECT 'episode around the raise' AS invariant, incident, 'error ' || error_id AS subject, NULL AS detail
  FROM verdict WHERE ep_from > at OR ep_to < at OR ep_from > ep_to
 ORDER BY error_id;
SELECT 'window over the episode' AS invariant, v.incident, 'error ' || v.error_id AS subject, 'window ' || v.window_id AS detail
  FROM verdict v LEFT JOIN divergence_window w USING (window_id)
 WHERE v.window_id IS NOT NULL AND (w.window_id IS NULL
	OR coalesce(w.opened_after, w.opened_by) > v.ep_to OR w.converged_by < v.ep_from
	OR (v.slot IS NOT NULL AND NOT EXISTS (SELECT 1 FROM window_segment g WHERE g.window_id = v.window_id
	    AND v.slot BETWEEN g.slot_from AND g.slot_to)))
 ORDER BY v.error_id;

-- The four conditions, once each.
SELECT 'four conditions' AS invariant, v.incident, 'error ' || v.error_id AS subject,
	count(DISTINCT c.condition) || ' in ' || count(c.condition) || ' rows' AS detail
  FROM verdict v LEFT JOIN condition c USING (error_id)
 GROUP BY v.error_id HAVING count(c.condition) <> 4 OR count(DISTINCT c.condition) <> 4
 ORDER BY v.error_id;
SELECT 'four conditions' AS invariant, w.incident, 'window ' || w.window_id AS subject,
	count(DISTINCT c.condition) || ' in ' || count(c.condition) || ' rows' AS detail
  FROM divergence_window w LEFT JOIN condition c ON c.window_id = w.window_id AND c.error_id IS NULL
 GROUP BY w.window_id HAVING count(c.condition) <> 4 OR count(DISTINCT c.condition) <> 4
 ORDER BY w.window_id;

-- Nothing joins across incidents.
SELECT 'one incident' AS invariant, incident, subject, detail
  FROM (SELECT w.incident, 'window ' || w.window_id AS subject, 'node of ' || n.incident AS detail
	  FROM divergence_window w JOIN node n ON n.node_id IN (w.old_owner, w.new_owner) WHERE n.incident <> w.incident
	UNION ALL
	SELECT v.incident, 'error ' || v.error_id, 'claimant of ' || n.incident
	  FROM verdict v JOIN node n ON n.node_id = v.claimant WHERE n.incident <> v.incident
	UNION ALL
	SELECT v.incident, 'error ' || v.error_id, 'window of ' || w.incident
	  FROM verdict v JOIN divergence_window w USING (window_id) WHERE w.incident <> v.incident
	UNION ALL
	SELECT v.incident, 'error ' || v.error_id, 'source of ' || s.incident
	  FROM verdict v JOIN source s USING (source_id) WHERE s.incident <> v.incident
	UNION ALL
	SELECT DISTINCT v.incident, 'error ' || v.error_id, 'evidence of ' || s.incident
	  FROM evidence e JOIN verdict v USING (error_id) JOIN source s ON s.source_id = e.source_id WHERE s.incident <> v.incident
	UNION ALL
	SELECT o.incident, 'observer ' || o.observer_id, 'node of ' || n.incident
	  FROM observer o JOIN node n USING (node_id) WHERE n.incident <> o.incident
	UNION ALL
	SELECT s.incident, 'view ' || v.view_id, 'observer of ' || o.incident
	  FROM view v JOIN source s USING (source_id) JOIN observer o USING (observer_id) WHERE o.incident <> s.incident
	UNION ALL
	SELECT DISTINCT s.incident, 'view ' || v.view_id, 'node of ' || n.incident
	  FROM view v JOIN source s USING (source_id) JOIN view_node x USING (view_id) JOIN node n ON n.node_id = x.node_id
	 WHERE n.incident <> s.incident
	UNION ALL
	SELECT t.incident, 'storm ' || t.storm_id, 'window of ' || w.incident
	  FROM storm t JOIN divergence_window w USING (window_id) WHERE w.incident <> t.incident)
 ORDER BY incident, subject;

-- Counts add up.
SELECT 'summary adds up' AS invariant, incident, 'summary' AS subject,
	errors || ' errors, ' || genuine || ' genuine, ' || spurious || ' spurious, ' || corruption || ' corruption, '
	|| undetermined || ' undetermined' AS detail
  FROM summary
 WHERE errors <> genuine + spurious + corruption + undetermined OR raises_avoided <> spurious OR raises_kept <> genuine
    OR errors <> (SELECT count(*) FROM failover_error f WHERE f.incident = summary.incident)
    OR windows + migrations <> (SELECT count(*) FROM "window" w WHERE w.incident = summary.incident)
    OR redirects_in_windows > redirects
 ORDER BY incident;
SELECT 'errors of windows add up' AS invariant, i.incident, 'window' AS subject,
	i.n || ' errors in windows, ' || coalesce(w.n, 0) || ' in the view' AS detail
  FROM (SELECT incident, count(*) AS n FROM verdict WHERE window_id IS NOT NULL GROUP BY incident) i
  LEFT JOIN (SELECT incident, sum(errors) AS n FROM "window" GROUP BY incident) w USING (incident)
 WHERE i.n <> coalesce(w.n, 0)
 ORDER BY i.incident;

-- Positions are positions, spans run forward, and lie inside their source.
SELECT 'position inside its source' AS invariant, s.incident, t.subject, s.name || ':' || t.position AS detail
  FROM (SELECT 'view ' || view_id AS subject, source_id, position, last_position, first_at, last_at FROM view
	UNION ALL SELECT 'contact ' || contact_id, source_id, position, last_position, first_at, last_at FROM contact
	UNION ALL SELECT 'redirect ' || redirect_id, source_id, coalesce(request_position, position), position, asked_at, at FROM redirect
	UNION ALL SELECT 'client_error ' || client_error_id, source_id, position, last_position, started_at, at FROM client_error
	UNION ALL SELECT 'server_event ' || server_event_id, source_id, position, last_position, at, coalesce(last_at, at) FROM server_event) t
  JOIN source s USING (source_id)
 WHERE t.position < 1 OR t.last_position < t.position OR t.first_at > t.last_at
    OR t.last_at > s.last_at OR coalesce(t.first_at, t.last_at) < s.first_at
    -- a line has a byte at least, a frame more
    OR t.last_position > s.bytes + 1
 ORDER BY s.source_id, t.position, t.subject;
