-- files of 2019-03-12
-- The year of the servers' lines is the files'.
SELECT DISTINCT substr(at_utc, 1, 10), source FROM timeline WHERE source <> '' ORDER BY 2;
--= 2019-03-11|app.log
--= 2019-03-11|redis-replica.log
--= 2019-03-11|redis-voter.log
-- Epoch 412 was asked for twice and won by nobody, 413 was won.
SELECT substr(t.at_utc, 12, 12), t.kind, e.event, e.epoch, substr(n.name, 1, 8) FROM timeline t JOIN source s ON s.name = t.source
  JOIN server_event e ON e.source_id = s.source_id AND e.position = t.position AND e.kind = t.kind LEFT JOIN node n ON n.node_id = e.other_id
 WHERE t.kind IN ('vote', 'election', 'promotion', 'epoch') AND e.event NOT IN ('election-scheduled', 'election-waiting') ORDER BY t.at, e.epoch;
--= 08:20:14.689|vote|vote-granted|412|47946f33
--= 08:20:14.690|election|election-started|412|
--= 08:20:14.695|vote|vote-denied|412|7e346b29
--= 08:20:44.699|election|election-failed||
--= 08:21:14.905|election|election-started|413|
--= 08:21:14.912|vote|vote-granted|413|7e346b29
--= 08:21:14.921|promotion|election-won||
--= 08:21:14.921|epoch|epoch-set|413|
-- Two masters were marked within 2 ms.
SELECT substr(at_utc, 12, 12), substr(subject, 1, 8) FROM timeline WHERE kind = 'fail' ORDER BY at;
--= 08:20:14.101|1b8ef769
--= 08:20:14.103|2e7b206f
-- The window of epoch 413 opens with the promotion.
SELECT cause, new_epoch, opened_after_utc, opened_by - opened_after FROM window;
--= automatic-failover|413|2019-03-11T08:21:14.921000Z|1000
-- The vote says who won it.
SELECT substr(new_owner_id, 1, 8) FROM window;
--= 7e346b29
-- It ends when the voter's state turns ok: 499 ms.
SELECT converged_by_utc, (converged_by - opened_after) / 1000 FROM window;
--= 2019-03-11T08:21:15.421000Z|500
-- The old owner was dead when it was succeeded: the window closes where all agree.
SELECT closed_after IS converged_after, closed_by IS converged_by, close_reason FROM window;
--= 1|1|old-owner-unreachable
-- CLUSTERDOWN is no failover error.
SELECT at_utc, kind, position, (SELECT count(*) FROM failover_error) FROM timeline WHERE source = 'app.log' ORDER BY at;
--= 2019-03-11T08:20:40.377000Z|clusterdown|1|0
--= 2019-03-11T08:21:15.002000Z|clusterdown|2|0
