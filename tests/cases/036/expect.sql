-- files of 2024-10-01
-- Three good nodes of a nodes.conf.
SELECT substr(n.name, 1, 8), x.role, x.config_epoch, x.myself, e.host, e.port, x.bus_port, x.hostname, substr(m.name, 1, 8) FROM view_node x JOIN node n USING (node_id)
  LEFT JOIN endpoint e USING (endpoint_id) LEFT JOIN node m ON m.node_id = x.master_id WHERE x.role IS NOT NULL ORDER BY x.ordinal;
--= 237aeaf0|master|11|1|10.14.0.5|6379|16379||
--= 48c85a79|master|12|0|10.14.0.6|6379|16379||
--= 386319ec|replica|11|0|10.14.0.7|6379|16379||237aeaf0
-- Who owns what.
SELECT slots, substr(owner_id, 1, 8), config_epoch FROM slot_owner ORDER BY config_epoch;
--= 0-8191|237aeaf0|11
--= 8192-16383|48c85a79|12
-- The cut line is a problem at its place, and invents no role; the empty file is one too.
SELECT s.name, p.position, p.code, instr(p.reason, '117504834aceb881dbf444be7cd6e2013512af70') > 0 FROM problem p JOIN source s USING (source_id) ORDER BY 1;
--= nodes-b.conf||empty|0
--= nodes.conf|4|malformed|1
-- No role for the node of that line.
SELECT count(x.role) FROM node n LEFT JOIN view_node x USING (node_id) WHERE n.name LIKE '11750483%';
--= 0
-- Without a vars line the epochs are unknown; what is damaged is partial.
SELECT kind, form, current_epoch IS NULL, partial FROM view;
--= conf|nodes|1|1
-- The empty file gives no view.
SELECT status, kind FROM input WHERE source = 'nodes-b.conf';
--= skipped|unknown
-- The start of the server and the error that ended it.
SELECT substr(at_utc, 12, 12), detail LIKE '%Redis is starting%' OR detail LIKE '%corrupted cluster config file%', position FROM timeline WHERE source = 'redis.log' ORDER BY position;
--= 04:12:09.180|1|1
--= 04:12:09.201|1|3
-- Its version.
SELECT name, value FROM setting;
--= version|7.2.4
-- No divergence, no client.
SELECT (SELECT count(*) FROM window), (SELECT count(*) FROM failover_error);
--= 0|0
