-- Which nodes went on naming the old owner after the first named the new one, and for how long?
SELECT o.window_id, coalesce(a.owner_addr, o.observer) AS observer, o.flipped_after_utc, o.flipped_by_utc,
       max(0, (o.flipped_after - (SELECT min(f.flipped_by) FROM window_observer f WHERE f.window_id = o.window_id)) / 1000) AS stale_ms_at_least,
       (o.flipped_by - w.opened_by) / 1000 AS stale_ms_at_most, o.incident
FROM window_observer o
JOIN window w USING (window_id)
LEFT JOIN (SELECT owner_id, max(owner_addr) AS owner_addr FROM slot_owner GROUP BY owner_id) a ON a.owner_id = o.observer
WHERE w.cause <> 'migration'
ORDER BY o.window_id, o.flipped_by IS NULL, o.flipped_by, o.observer;
