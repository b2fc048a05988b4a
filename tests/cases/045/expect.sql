-- files of 2026-05-11
-- Both views name the same owners by id and epoch; the addresses differ.
SELECT slots, substr(owner_id, 1, 8), config_epoch, count(DISTINCT observer), count(DISTINCT owner_addr) FROM slot_owner GROUP BY 1, 2, 3 ORDER BY 3;
--= 0-5460|7556ae18|1|2|2
--= 5461-10922|46971785|2|2|2
--= 10923-16383|c5cc1e5b|3|2|2
-- Five nodes have two addresses each.
SELECT count(*) FROM (SELECT node_id FROM view_node GROUP BY node_id HAVING count(DISTINCT endpoint_id) > 1);
--= 5
-- The follower suspects all the others and is connected to all of them.
SELECT sum(x.flags = 'fail?'), sum(x.link_state = 'connected'), count(*) FROM view_node x JOIN view v USING (view_id) JOIN source s USING (source_id) WHERE s.name LIKE 'follower%';
--= 5|6|6
-- Hostnames and bus ports.
SELECT DISTINCT x.hostname, x.bus_port FROM view_node x JOIN node n USING (node_id) WHERE n.name LIKE '7556ae18%';
--= cache-leader-0.cache-leader-headless.infra.svc.cluster.local|16379
-- What kubectl says first is no dump: the view begins at line 2.
SELECT v.position FROM view v JOIN source s USING (source_id) WHERE s.name LIKE 'follower%';
--= 2
-- Two timeouts at the follower's idea of the owner; connection errors have no verdict.
SELECT strftime('%Y-%m-%dT%H:%M:%S', c.first_at / 1000000, 'unixepoch'), strftime('%H:%M:%S', c.last_at / 1000000, 'unixepoch'), e.host, e.port, c.outcome, c.samples, (SELECT count(*) FROM failover_error) FROM contact c JOIN endpoint e USING (endpoint_id);
--= 2026-05-11T03:57:41|03:57:46|10.239.71.37|6379|connect-timeout|2|0
-- No divergence of owners.
SELECT count(*) FROM window;
--= 0
