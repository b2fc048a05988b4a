-- Over all incidents: which back-off would have outlasted half, 90%, 99% and all of the windows?
WITH need AS (
	SELECT incident, window_id, (converged_by - opened_by + 999) / 1000 AS ms
	FROM window WHERE cause <> 'migration' AND converged_by IS NOT NULL
), ranked AS (
	SELECT ms, row_number() OVER (ORDER BY ms, incident, window_id) AS r, count(*) OVER () AS n FROM need
)
SELECT p.value AS percent, (SELECT ms FROM ranked WHERE r = (n * p.value + 99) / 100) AS ms, (SELECT count(*) FROM need) AS windows
FROM json_each('[50,90,99,100]') p;
