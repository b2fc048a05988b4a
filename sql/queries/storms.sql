-- Which node was flooded with map requests or connects, and after which window?
SELECT at_utc, endpoint, command, clients, requests, peak_per_s, window_id, incident
FROM connect_storm
ORDER BY at, endpoint, command;
