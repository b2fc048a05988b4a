-- Which evidence would have decided the undetermined errors?
SELECT coalesce(substr(m.value, 1, instr(m.value, ':')) || n.addr, m.value) AS missing, count(DISTINCT e.error_id) AS errors, count(DISTINCT e.client) AS clients, e.incident
FROM failover_error e, json_each('["' || replace(replace(replace(e.missing, '\', ''), '"', ''), ',', '","') || '"]') m
LEFT JOIN node_address n ON n.incident = e.incident AND n.name = substr(m.value, instr(m.value, ':') + 1)
WHERE e.verdict = 'undetermined' AND e.missing IS NOT NULL
GROUP BY e.incident, 1
ORDER BY e.incident, errors DESC, missing;
