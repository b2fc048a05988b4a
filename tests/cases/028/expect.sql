-- files of 2024-09-12
-- The inner times order the servers; the wrapper's lag of 52 and 53 seconds does not.
SELECT substr(at_utc, 12, 12), kind, substr(subject, 1, 15), position FROM timeline WHERE source = 'ci.log' ORDER BY at, position;
--= 03:21:58.994|server|127.0.0.1:28731|2
--= 03:21:59.000|epoch||3
--= 03:21:59.003|epoch||4
--= 03:21:59.004|server|8e0d941605154e9|5
--= 03:21:59.006|demotion||6
--= 03:21:59.011|server|127.0.0.1:28744|7
-- Two processes share the log.
SELECT count(DISTINCT observer), count(DISTINCT CASE WHEN position < 6 THEN observer END) FROM timeline WHERE source = 'ci.log';
--= 2|1
-- Two collisions, each with whom and to which epoch.
SELECT e.event, e.epoch, substr(n.name, 1, 8) FROM server_event e JOIN node n ON n.node_id = coalesce(e.other_id, e.subject_id) WHERE e.kind = 'epoch' ORDER BY e.position;
--= epoch-collision|8|44673b06
--= epoch-collision|9|8e0d9416
-- Whose slots the UPDATE is about, and whom the loser follows.
SELECT e.event, substr(s.name, 1, 8), substr(n.name, 1, 8) FROM server_event e JOIN node n ON n.node_id = e.other_id LEFT JOIN node s ON s.node_id = e.subject_id
 WHERE e.position IN (5, 6) ORDER BY e.position;
--= update-sent|8e0d9416|230364d0
--= demoted||230364d0
-- Both were primaries of one shard until the loser reconfigured itself.
SELECT cause, closed_by_utc, closed_by - closed_after FROM window;
--= epoch-collision|2024-09-12T03:21:59.007000Z|1000
-- No client.
SELECT count(*) FROM failover_error;
--= 0
