-- perfetto.sql - the incident as Chrome trace events, one JSON object a row.
--
-- The format is the "Trace Event Format" that chrome://tracing and
-- ui.perfetto.dev open: ph M metadata, X complete slices, b and e asynchronous
-- slices, i instants; ts and dur in microseconds.  Process 1 holds the nodes,
-- 2 the clients, 3 the windows.  Reads what lanes.sql made; makes temp.event.

DROP TABLE IF EXISTS temp.event;
CREATE TEMP TABLE event (event_id INTEGER PRIMARY KEY, json TEXT);

INSERT INTO event (json)
SELECT json_object('ph', 'M', 'name', 'process_name', 'pid', key + 1, 'tid', 0, 'args', json_object('name', value))
FROM json_each('["nodes","clients","windows"]');
INSERT INTO event (json)
SELECT json_object('ph', 'M', 'name', 'thread_name', 'pid', CASE kind WHEN 'node' THEN 1 ELSE 2 END, 'tid', lane_id,
           'args', json_object('name', label || CASE WHEN detail IN ('', label) THEN '' ELSE ' ' || substr(detail, 1, 8) END))
FROM lane ORDER BY lane_id;
INSERT INTO event (json)
SELECT json_object('ph', 'M', 'name', 'thread_name', 'pid', 3, 'tid', 0, 'args', json_object('name', 'divergence windows'));

INSERT INTO event (json)
SELECT json_object('ph', 'X', 'cat', 'ownership', 'name', CASE claim WHEN '' THEN 'owns nothing' ELSE claim END, 'pid', 1, 'tid', lane_id,
           'ts', first_at, 'dur', max(min(last_at, coalesce(next_at, last_at)) - first_at, 0))
FROM claim_span WHERE first_at IS NOT NULL AND last_at IS NOT NULL ORDER BY lane_id, n;

INSERT INTO event (json)
SELECT json_object('ph', edge, 'cat', 'window', 'name', printf('window %d: %s, slots %s', window_id, cause, coalesce(nullif(slots, ''), 'not known')), 'id', window_id, 'pid', 3, 'tid', 0, 'ts', ts,
           'args', CASE edge WHEN 'b' THEN json_object('old_owner', old_owner_addr, 'old_epoch', old_epoch, 'new_owner', new_owner_addr, 'new_epoch', new_epoch,
               'min_ms', min_ms, 'max_ms', max_ms, 'close_reason', close_reason, 'errors', errors) ELSE json_object() END)
FROM (SELECT w.*, 'b' AS edge, w.opened_by AS ts FROM window w WHERE w.opened_by IS NOT NULL
      UNION ALL SELECT w.*, 'e', max(coalesce(w.converged_by, w.closed_by, x.t1), w.opened_by) FROM window w, extent x WHERE w.opened_by IS NOT NULL)
ORDER BY window_id, edge;

INSERT INTO event (json)
SELECT json_object('ph', 'i', 's', 't', 'cat', 'redirect', 'name', t.kind || coalesce(' ' || t.slots, ''), 'pid', 2, 'tid', l.lane_id, 'ts', t.at,
           'args', json_object('asked', t.subject, 'detail', t.detail, 'source', t.source, 'position', t.position))
FROM timeline t JOIN lane l ON l.kind = 'client' AND l.key = t.observer AND l.incident = t.incident
WHERE t.kind IN ('moved', 'ask', 'tryagain', 'clusterdown') AND t.at IS NOT NULL
ORDER BY t.at, l.lane_id, t.source, t.position LIMIT 50000;
INSERT INTO event (json)
SELECT json_object('ph', 'i', 's', 't', 'cat', 'node', 'name', t.kind, 'pid', 1, 'tid', l.lane_id, 'ts', t.at,
           'args', json_object('detail', t.detail, 'source', t.source, 'position', t.position))
FROM timeline t JOIN lane l ON l.kind = 'node' AND l.key = t.observer AND l.incident = t.incident
WHERE t.kind IN ('promotion', 'demotion', 'election', 'epoch', 'pause') AND t.at IS NOT NULL
ORDER BY t.at, l.lane_id, t.kind, t.source, t.position LIMIT 50000;
-- What nodes say of each other's health, on both lanes.
INSERT INTO event (json)
SELECT json_object('ph', 'i', 's', 't', 'cat', 'node', 'name', h.sentence, 'pid', 1, 'tid', l.lane_id, 'ts', h.at,
           'args', json_object('by', h.observer_addr, 'about', h.about_addr, 'detail', h.detail, 'source', h.source, 'position', h.position))
FROM health h JOIN lane l ON l.kind = 'node' AND l.incident = h.incident AND l.key IN (h.observer, h.about)
WHERE h.at IS NOT NULL
ORDER BY h.at, l.lane_id, h.kind, h.source, h.position LIMIT 50000;

-- An episode: from the first redirect of the error's chain to the raise.
INSERT INTO event (json)
SELECT json_object('ph', edge, 'cat', 'episode', 'name', 'episode ' || name, 'id', name, 'pid', 2, 'tid', lane_id, 'ts', ts)
FROM (SELECT n.name, l.lane_id, e.error_id, d.value AS edge, CASE d.value WHEN 'b' THEN min(v.at) ELSE e.at END AS ts
      FROM failover_error e JOIN error_name n USING (error_id) JOIN lane l ON l.kind = 'client' AND l.key = e.client AND l.incident = e.incident
      JOIN error_evidence v ON v.error_id = e.error_id AND v.role = 'redirect' AND v.at <= e.at, json_each('["b","e"]') d
      GROUP BY e.error_id, d.value)
ORDER BY error_id, edge;
INSERT INTO event (json)
SELECT json_object('ph', 'i', 's', 't', 'cat', 'error', 'name', e.verdict || ' ' || n.name, 'pid', 2, 'tid', l.lane_id, 'ts', e.at,
           'args', json_object('message', e.message, 'slot', e.slot, 'rule', e.rule, 'fault', e.fault, 'reason', e.reason, 'window_id', e.window_id, 'gate', e.gate,
               'source', e.source, 'position', e.position))
FROM failover_error e JOIN error_name n USING (error_id) JOIN lane l ON l.kind = 'client' AND l.key = e.client AND l.incident = e.incident
WHERE e.at IS NOT NULL ORDER BY e.error_id;
INSERT INTO event (json)
SELECT json_object('ph', 'i', 's', 'g', 'cat', 'storm', 'name', 'storm: ' || command, 'pid', 1, 'tid', 0, 'ts', at,
           'args', json_object('endpoint', endpoint, 'clients', clients, 'requests', requests, 'peak_per_s', peak_per_s))
FROM connect_storm ORDER BY at, endpoint, command;
