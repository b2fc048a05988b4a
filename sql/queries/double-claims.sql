-- Which slots did two nodes claim for themselves at the same time?
SELECT window_id, slots, old_owner_addr AS claimed_by, old_epoch AS epoch, new_owner_addr AS and_by, new_epoch AS its_epoch,
       opened_by_utc AS since, claim_closed_by IS NOT NULL AS ended, incident
FROM window
WHERE cause <> 'migration' AND old_owner_id IS NOT NULL AND new_owner_id IS NOT NULL
  -- one that was gone when it was succeeded claimed nothing
  AND NOT (close_reason = 'old-owner-unreachable' AND claim_closed_by IS NULL)
ORDER BY window_id;
