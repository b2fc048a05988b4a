-- Which evidence would have decided the undetermined errors?
SELECT trim(m.value) AS missing, count(*) AS errors, count(DISTINCT e.client) AS clients, e.incident
FROM failover_error e, json_each('["' || replace(replace(e.missing, '"', ''), ',', '","') || '"]') m
WHERE e.verdict = 'undetermined' AND e.missing IS NOT NULL
GROUP BY e.incident, 1
ORDER BY e.incident, errors DESC, missing;
