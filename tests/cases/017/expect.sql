-- files of 2014-08-03
-- Two views in one file, told apart by myself, each with its own state and epoch.
SELECT v.position, v.form, substr(n.name, 1, 8), v.state, v.current_epoch FROM view v JOIN observer o USING (observer_id) JOIN node n ON n.node_id = o.node_id ORDER BY v.position;
--= 6|nodes|722a8a47||
--= 14|info|722a8a47|fail|1
--= 24|nodes|a32845d7||
--= 32|info|a32845d7|ok|4
-- They name different owners of 0-5460.
SELECT substr(observer, 1, 8), substr(owner_id, 1, 8), config_epoch, position FROM slot_owner WHERE slots = '0-5460' ORDER BY position;
--= 722a8a47|7cc144a1|1|6
--= a32845d7|a32845d7|4|24
-- The first lists the second as a connected master without slots, the dead node as failed.
SELECT substr(n.name, 1, 8), x.role, x.flags, x.config_epoch, x.link_state, (SELECT count(*) FROM view_slots g WHERE g.view_id = x.view_id AND g.ordinal = x.ordinal)
  FROM view_node x JOIN view v USING (view_id) JOIN node n USING (node_id) WHERE v.position = 6 AND n.name GLOB '[a7][3c]*' ORDER BY 1;
--= 7cc144a1|master|fail|1|disconnected|1
--= a32845d7|master||4|connected|0
-- The node without an address of its own is where it was asked.
SELECT DISTINCT e.host, e.port FROM observer o JOIN node n USING (node_id) JOIN endpoint e ON e.endpoint_id = o.endpoint_id WHERE n.name LIKE 'a32845d7%';
--= 127.0.0.1|7003
-- One window over 5461 slots, still open at the dump.
SELECT slots, slot_count, substr(old_owner_id, 1, 8), old_epoch, substr(new_owner_id, 1, 8), new_epoch, closed_by, converged_by, closed_after / 1000000 >= 1406983988 FROM window;
--= 0-5460|5461|7cc144a1|1|a32845d7|4|||1
-- And says so.
SELECT close_reason FROM window;
--= still-open
-- It began before the dump.
SELECT coalesce(opened_after, 0) < 1406983988555000, opened_by >= 1406983988000000 FROM window;
--= 1|1
-- The refused read is an answer of the first node, without a time; no failover error.
SELECT kind, subject, at IS NULL, position, (SELECT count(*) FROM failover_error) FROM timeline WHERE kind = 'clusterdown';
--= clusterdown|127.0.0.1:7001|1|5|0
