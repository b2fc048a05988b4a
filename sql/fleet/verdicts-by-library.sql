-- Over all incidents: how many errors of each client library were justified?
SELECT coalesce(library, 'unknown') AS library, count(*) AS errors, sum(verdict = 'genuine') AS genuine, sum(verdict = 'spurious') AS spurious,
       sum(verdict = 'corruption') AS corruption, sum(verdict = 'undetermined') AS undetermined, count(DISTINCT incident) AS incidents
FROM failover_error
GROUP BY 1
ORDER BY errors DESC, library;
