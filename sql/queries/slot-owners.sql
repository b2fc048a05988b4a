-- Who owned which slots, as each node said of itself?
SELECT owner_addr, slots, config_epoch, min(first_at_utc) AS first_seen, max(last_at_utc) AS last_seen, sum(samples) AS samples, incident
FROM slot_owner
WHERE observer = owner_id
GROUP BY incident, owner_id, owner_addr, slots, config_epoch
ORDER BY incident, first_seen, owner_addr, slots, config_epoch;
