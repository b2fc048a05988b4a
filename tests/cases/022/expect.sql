-- files of 2021-12-27
-- The line whose times run together and the impossible address are problems at their lines.
SELECT p.position, p.code, instr(p.reason, '10.218.40.1291') > 0, instr(p.reason, 'run together') > 0 FROM problem p ORDER BY p.position;
--= 2|malformed|1|0
--= 7|malformed|0|1
-- The rest counts; the dump is partial.
SELECT source, status, problems FROM input;
--= redis-cli.txt|partial|2
-- The number that is two is no time and no epoch; id, address and role stay.
SELECT e.host, x.role, x.config_epoch, substr(m.name, 1, 8) FROM view_node x JOIN node n USING (node_id) LEFT JOIN endpoint e USING (endpoint_id)
  LEFT JOIN node m ON m.node_id = x.master_id WHERE n.name LIKE '0f35b7e6%';
--= 10.218.44.70|replica||0891199f
-- The impossible address is no other node's.
SELECT x.endpoint_id, x.myself, x.role FROM view_node x JOIN node n USING (node_id) WHERE n.name LIKE '7bf1a97b%';
--= |1|replica
-- One view of three owners.
SELECT substr(observer, 1, 8), slots, substr(owner_id, 1, 8), owner_addr, config_epoch FROM slot_owner ORDER BY config_epoch;
--= 7bf1a97b|0-5460|cdd44327|10.218.31.80:6379|1
--= 7bf1a97b|10923-16383|0891199f|10.218.31.44:6379|9
--= 7bf1a97b|5461-10922|d981936f|10.218.40.129:6379|11
-- The replicas' older epochs claim nothing.
SELECT (SELECT count(*) FROM window), (SELECT count(*) FROM failover_error);
--= 0|0
