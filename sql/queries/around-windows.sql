-- What happened from a second before each window to a second after it?
SELECT w.window_id, t.at_utc, t.kind, t.observer, t.subject, t.slots, t.detail, t.source, t.position, t.incident
FROM window w
JOIN timeline t ON t.incident = w.incident
	AND t.at BETWEEN coalesce(w.opened_after, w.opened_by) - 1000000 AND coalesce(w.converged_by, w.closed_by, w.opened_by) + 1000000
WHERE w.cause <> 'migration' AND t.kind NOT IN ('view', 'connected')
ORDER BY w.window_id, t.at, t.kind, t.observer, t.source, t.position;
