-- files of 2016-01-10
-- Four servers in one file, told apart by label; roles by letter.
SELECT DISTINCT observer FROM timeline WHERE source = 'all-redis.log' ORDER BY 1;
--= all-redis/MASTER1
--= all-redis/MASTER2
--= all-redis/MASTER3
--= all-redis/SLAVE2
-- The signal handler's epoch tells the year, and that the clock is UTC.
SELECT at_utc, position FROM timeline WHERE detail LIKE '%SIGTERM%';
--= 2015-12-03T07:41:35.000000Z|15
-- The election of epoch 6, as each of them logged it.
SELECT substr(at_utc, 1, 23), kind, substr(observer, 11), position FROM timeline
 WHERE source = 'all-redis.log' AND kind IN ('fail', 'election', 'vote', 'promotion', 'epoch', 'demotion') ORDER BY position;
--= 2015-12-03T07:41:05.602|fail|MASTER1|1
--= 2015-12-03T07:41:05.598|fail|MASTER3|2
--= 2015-12-03T07:41:05.641|election|SLAVE2|3
--= 2015-12-03T07:41:06.330|election|SLAVE2|4
--= 2015-12-03T07:41:06.752|vote|MASTER1|5
--= 2015-12-03T07:41:08.479|vote|MASTER2|6
--= 2015-12-03T07:41:06.333|vote|MASTER3|7
--= 2015-12-03T07:41:06.755|promotion|SLAVE2|8
--= 2015-12-03T07:41:06.755|epoch|SLAVE2|9
--= 2015-12-03T07:41:33.070|demotion|MASTER2|11
--= 2015-12-03T07:41:33.244|fail|SLAVE2|13
--= 2015-12-03T07:41:33.254|fail|MASTER1|14
-- Whom the votes are about, and what became of them.
SELECT e.event, e.epoch, substr(n.name, 1, 8) FROM server_event e JOIN node n ON n.node_id = e.other_id WHERE e.kind IN ('vote', 'demotion') ORDER BY e.position;
--= vote-granted|6|e40ec9ac
--= vote-denied||e40ec9ac
--= vote-granted|6|e40ec9ac
--= demoted||e40ec9ac
-- An announced address that cannot be right.
SELECT at_utc, substr(n.name, 1, 8), p.host, p.port FROM timeline t JOIN server_event e ON e.position = t.position AND t.source = 'all-redis.log'
  JOIN node n ON n.node_id = e.subject_id LEFT JOIN endpoint p ON p.endpoint_id = e.subject_endpoint_id WHERE e.event = 'address-changed';
--= 2015-12-03T07:41:12.184000Z|70554634|127.0.0.1|6379
-- One window from the promotion on; its slots and the old epoch are in no log.
SELECT slots, substr(old_owner_id, 1, 8), old_epoch, new_epoch, opened_after_utc, opened_by - opened_after FROM window;
--= |28f81471||6|2015-12-03T07:41:06.755000Z|1000
-- The votes for epoch 6 say who was promoted.
SELECT substr(new_owner_id, 1, 8) FROM window;
--= e40ec9ac
-- It closes when the old master reconfigures itself.
SELECT closed_after_utc, closed_by - closed_after, close_reason FROM window;
--= 2015-12-03T07:41:33.070000Z|1000|old-owner-yielded
-- The client: a failed refresh before FAIL, an error inside the window.
SELECT at_utc, kind, slots, position FROM timeline WHERE source = 'app.log' ORDER BY position;
--= 2015-12-03T07:41:03.900000Z|topology-refresh-failed||1
--= 2015-12-03T07:41:15.020000Z|redirects-exhausted|7091|2
-- No view has the slot, no dump the address.
SELECT verdict, rule, leans, chain, instr(missing, 'view-of:10.141.56.12:6380') > 0 FROM failover_error;
--= undetermined|1||?>10.141.56.12:6380|1
