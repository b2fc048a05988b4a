-- How many failover errors of each verdict did each client raise?
SELECT client, library, verdict, count(*) AS errors, min(at_utc) AS first, max(at_utc) AS last, incident
FROM failover_error
GROUP BY incident, client, library, verdict
ORDER BY incident, client, library, verdict;
