-- When did nodes disagree about slots, for how long, and what came of it?
SELECT window_id, cause, slots, old_owner_addr AS old_owner, new_owner_addr AS new_owner,
       opened_by_utc AS opened, min_ms, max_ms, redirects, errors, at_risk, incident
FROM window
WHERE cause <> 'migration'
ORDER BY window_id;
