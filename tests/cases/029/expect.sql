-- files of 2024-03-05
-- The other master's log.
SELECT substr(at_utc, 12, 12), kind, substr(subject, 1, 8), position FROM timeline WHERE source = 'primary-pod.log' ORDER BY position;
--= 17:20:27.406|server|bc548ee9|1
--= 17:20:48.637|pfail|bc548ee9|2
--= 17:20:48.637|fail|bc548ee9|3
--= 17:20:49.204|vote||4
--= 17:20:51.094|server||5
-- The replica's log.
SELECT substr(at_utc, 12, 12), kind, substr(subject, 1, 17), position FROM timeline WHERE source = 'replica-pod.log' ORDER BY position;
--= 17:20:27.448|server||1
--= 17:20:28.450|server|10.212.9.41:6379|2
--= 17:20:28.452|server||3
--= 17:20:48.637|fail|bc548ee9b25d483f7|4
--= 17:20:48.700|election||5
--= 17:20:49.203|election||6
--= 17:20:49.218|promotion||7
--= 17:20:49.219|epoch||8
-- A remark behind an id is no part of it.
SELECT length(n.name), substr(n.name, 1, 8), substr(r.name, 1, 8) FROM server_event e JOIN node n ON n.node_id = e.subject_id JOIN node r ON r.node_id = e.other_id WHERE e.event = 'fail-received';
--= 40|bc548ee9|2631acc8
-- The candidate of epoch 31.
SELECT e.epoch, substr(n.name, 1, 8) FROM server_event e JOIN node n ON n.node_id = e.other_id WHERE e.event = 'vote-granted';
--= 31|73d94a6e
-- The window of epoch 31 opens with the promotion.
SELECT cause, substr(old_owner_id, 1, 8), new_epoch, opened_after_utc FROM window;
--= automatic-failover|bc548ee9|31|2024-03-04T17:20:49.218000Z
-- The vote says who won it.
SELECT substr(new_owner_id, 1, 8) FROM window;
--= 73d94a6e
-- It ends when the other master's state turns ok: 1.876 s.
SELECT converged_by_utc, (converged_by - opened_after) / 1000 FROM window;
--= 2024-03-04T17:20:51.095000Z|1877
-- The old owner was dead when it was succeeded: the window closes where all agree.
SELECT closed_after IS converged_after, closed_by IS converged_by, close_reason FROM window;
--= 1|1|old-owner-unreachable
-- A refused connection and a CLUSTERDOWN: evidence, no failover errors.
SELECT at_utc, kind, subject, position, (SELECT count(*) FROM failover_error) FROM timeline WHERE source = 'app.log' ORDER BY at;
--= 2024-03-04T17:20:36.000000Z|connect-refused|10.212.9.41:6379|1|0
--= 2024-03-04T17:20:50.000000Z|clusterdown||2|0
