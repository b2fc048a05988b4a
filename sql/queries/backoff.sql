-- Would the back-off of the gate have been long enough?
SELECT window_id, backoff_sufficient, count(*) AS errors, min(backoff_ms) AS least_ms, max(backoff_ms) AS most_ms, incident
FROM failover_error
WHERE gate = 'back-off'
GROUP BY incident, window_id, backoff_sufficient
ORDER BY incident, window_id, backoff_sufficient;
