-- Which incidents are in this timeline, and how did each end?
SELECT incident, errors, genuine, spurious, corruption, undetermined, windows, longest_ms, raises_avoided, backoff_max_ms
FROM summary
ORDER BY errors DESC, incident;
