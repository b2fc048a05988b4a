-- Who could not reach whom, how, how often, and from when to when?
WITH failed AS (
	SELECT c.incident, o.name AS observer, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port AS endpoint,
	       CASE c.outcome WHEN 'refused' THEN 'connect-refused' ELSE c.outcome END AS outcome, c.samples,
	       c.first_at, coalesce(c.last_at, c.first_at) AS last_at
	FROM c_contact c JOIN observer o USING (observer_id) JOIN endpoint e USING (endpoint_id)
	UNION ALL	-- a log that does not name the node
	SELECT v.incident, o.name, NULL, v.kind, v.samples, v.at, coalesce(v.last_at, v.at)
	FROM c_server_event v JOIN observer o USING (observer_id)
	WHERE v.subject_endpoint_id IS NULL
)
SELECT observer, endpoint, outcome, sum(samples) AS attempts,
       strftime('%Y-%m-%dT%H:%M:%S', min(first_at) / 1000000, 'unixepoch') || printf('.%06dZ', min(first_at) % 1000000) AS first,
       strftime('%Y-%m-%dT%H:%M:%S', max(last_at) / 1000000, 'unixepoch') || printf('.%06dZ', max(last_at) % 1000000) AS last,
       incident
FROM failed
WHERE outcome IN ('connect-refused', 'connect-timeout', 'read-timeout', 'reset', 'unreachable')
GROUP BY incident, observer, endpoint, outcome
ORDER BY incident, observer, endpoint, outcome;
