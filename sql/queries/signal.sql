-- What could a client have known: of all redirects, how many came while nodes disagreed, and what followed?
--
-- The naive signal is any redirect.  A row a window, then a row for the
-- redirects outside of every window, where the naive signal was wrong.
WITH redirects AS (
	SELECT t.incident, t.at, t.observer, CAST(t.slots AS INTEGER) AS slot, t.rowid_
	FROM (SELECT *, row_number() OVER (ORDER BY incident, at, source, position) AS rowid_
	      FROM timeline WHERE kind IN ('moved', 'ask')) t
), span AS (
	SELECT w.window_id, w.incident, w.errors, coalesce(w.opened_after, w.opened_by) AS opened,
	       coalesce(w.converged_by, w.closed_by, 9223372036854775807) AS ended,
	       CAST(r.value AS INTEGER) AS slot_from, CAST(substr(r.value, instr(r.value, '-') + 1) AS INTEGER) AS slot_to
	FROM window w, json_each('["' || replace(w.slots, ',', '","') || '"]') r
	WHERE w.cause <> 'migration'
), hit AS (
	SELECT DISTINCT r.rowid_, r.observer, s.window_id
	FROM redirects r
	JOIN span s ON s.incident = r.incident AND r.slot BETWEEN s.slot_from AND s.slot_to AND r.at BETWEEN s.opened AND s.ended
)
SELECT 'window ' || w.window_id AS redirects_came, count(h.rowid_) AS redirects, count(DISTINCT h.observer) AS clients,
       w.errors AS errors_followed, w.incident
FROM window w
LEFT JOIN hit h USING (window_id)
WHERE w.cause <> 'migration'
GROUP BY w.window_id
UNION ALL
SELECT 'outside of any window', count(r.rowid_), count(DISTINCT r.observer),
       (SELECT count(*) FROM failover_error e WHERE e.window_id IS NULL AND e.incident = m.incident), m.incident
FROM summary m LEFT JOIN redirects r ON r.incident = m.incident AND r.rowid_ NOT IN (SELECT rowid_ FROM hit)
GROUP BY m.incident;
