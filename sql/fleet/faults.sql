-- Over all incidents: what was really wrong, and how often?
SELECT fault, verdict, count(*) AS errors, count(DISTINCT incident) AS incidents, count(DISTINCT client) AS clients
FROM failover_error
GROUP BY fault, verdict
ORDER BY errors DESC, fault, verdict;
