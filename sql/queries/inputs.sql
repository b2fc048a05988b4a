-- What was read, what was not, and how far can its clock be trusted?
SELECT source, kind, status, records, problems, first_at_utc, last_at_utc, clock_offset_ms, clock_basis, incident
FROM input
ORDER BY incident, status <> 'read' DESC, source;
