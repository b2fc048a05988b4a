-- How long after a window opened did each client raise its first error?
SELECT e.window_id, e.client, min(e.at_utc) AS first_error, (min(e.at) - w.opened_by) / 1000 AS ms_after_opening,
       (w.converged_by - min(e.at)) / 1000 AS ms_before_convergence, count(*) AS errors, e.incident
FROM failover_error e
JOIN window w USING (window_id)
GROUP BY e.incident, e.window_id, e.client
ORDER BY e.window_id, first_error, e.client;
