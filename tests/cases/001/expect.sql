-- Two nodes, with the bus port that the dump states.
SELECT DISTINCT substr(n.name, 1, 8), x.role, e.port, x.bus_port, substr(m.name, 1, 8)
  FROM view_node x JOIN node n USING (node_id) JOIN endpoint e USING (endpoint_id) JOIN view v USING (view_id)
  LEFT JOIN node m ON m.node_id = x.master_id WHERE v.form = 'nodes' ORDER BY 1;
--= 0b1a6858|master|6379|1122|
--= 5f0c1686|replica|6379|1122|0b1a6858
-- Two views with an epoch and one CLUSTER SLOTS: all name one owner for all slots.
SELECT substr(observer, 1, 8), slots, substr(owner_id, 1, 8), config_epoch, source FROM slot_owner ORDER BY source, position;
--= 0b1a6858|0-16383|0b1a6858|3|node1-redis-cli.txt
--= 0b1a6858|0-16383|0b1a6858||node1-redis-cli.txt
--= 5f0c1686|0-16383|0b1a6858|3|node2-cluster-nodes.txt
-- The dumps are timed by their pongs.
SELECT DISTINCT substr(first_at_utc, 1, 19) FROM slot_owner;
--= 2024-05-14T09:41:20
-- No window.
SELECT count(*) FROM window;
--= 0
-- Four redirect loops; the node asked is the node redirected to; no slot.
SELECT f.at_utc, t.kind, f.slot IS NULL, f.chain = replace('X>X', 'X', 'shopcart-0001-001.shopcart.k3v9qz.euc1.cache.amazonaws.com:6379'), f.position
  FROM failover_error f JOIN timeline t ON t.source = f.source AND t.position = f.position ORDER BY f.position;
--= 2024-05-14T09:38:02.114000Z|redirect-loop|1|1|1
--= 2024-05-14T09:38:02.131000Z|redirect-loop|1|1|6
--= 2024-05-14T09:40:55.009000Z|redirect-loop|1|1|11
--= 2024-05-14T09:44:10.640000Z|redirect-loop|1|1|16
-- Agreement is proven only at the snapshot: undetermined, leaning to corruption.
SELECT verdict, leans, count(*) FROM failover_error GROUP BY 1, 2;
--= undetermined|corruption|4
