-- Over all incidents: how many windows of each cause were there, how long, and how many raised errors?
SELECT cause, count(*) AS windows, min(min_ms) AS at_least_ms, max(max_ms) AS at_most_ms, sum(errors > 0) AS with_errors, sum(errors) AS errors
FROM window
GROUP BY cause
ORDER BY windows DESC, cause;
