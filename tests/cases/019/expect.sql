-- files of 2021-09-21
-- Three views agree; the wrapped file is whole again: six nodes each.
SELECT source, slots, substr(owner_id, 1, 8), config_epoch FROM slot_owner WHERE source = 'node1-cluster-nodes.txt' ORDER BY config_epoch;
--= node1-cluster-nodes.txt|0-5460|717cc92b|7
--= node1-cluster-nodes.txt|5461-10922|456ce960|8
--= node1-cluster-nodes.txt|10923-16383|1f98098e|9
-- The same in all three.
SELECT slots, substr(owner_id, 1, 8), config_epoch, count(DISTINCT observer) FROM slot_owner GROUP BY 1, 2, 3 ORDER BY 3;
--= 0-5460|717cc92b|7|3
--= 5461-10922|456ce960|8|3
--= 10923-16383|1f98098e|9|3
-- No phantom nodes, nothing lost.
SELECT count(*), count(DISTINCT node_id), (SELECT count(*) FROM node), (SELECT count(*) FROM problem) FROM view_node GROUP BY view_id;
--= 6|6|6|0
--= 6|6|6|0
--= 6|6|6|0
-- Importing slots without a migrating side.
SELECT substr(n.name, 1, 8), g.state, substr(p.name, 1, 8), count(*), min(g.slot_from), max(g.slot_from)
  FROM view_slots g JOIN view_node x USING (view_id, ordinal) JOIN node n USING (node_id) LEFT JOIN node p ON p.node_id = g.peer_id
 WHERE g.state <> 'owned' GROUP BY 1, 2, 3 ORDER BY 1;
--= 1f98098e|importing|456ce960|21|5598|10853
--= 717cc92b|importing|456ce960|34|5648|10520
-- CLUSTERDOWN alone is no failover error; no window.
SELECT at_utc, kind, position, (SELECT count(*) FROM failover_error), (SELECT count(*) FROM window) FROM timeline WHERE source = 'app.log' ORDER BY at;
--= 2021-09-21T09:58:12.640000Z|clusterdown|1|0|0
--= 2021-09-21T09:58:12.911000Z|clusterdown|4|0|0
