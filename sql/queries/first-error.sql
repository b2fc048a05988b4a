-- How long after a window opened did each client raise its first error?
--
-- 0 too where a log states whole seconds, and the window opened within one.
SELECT e.window_id, e.client, min(e.at_utc) AS first_error, max(0, (min(e.at) - w.opened_by) / 1000) AS ms_after_opening,
       (w.converged_by - min(e.at)) / 1000 AS ms_before_convergence, count(*) AS errors, e.incident
FROM failover_error e
JOIN window w USING (window_id)
GROUP BY e.incident, e.window_id, e.client
ORDER BY e.window_id, first_error, e.client;
