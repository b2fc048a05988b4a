-- files of 2020-04-20
-- Addresses split at the last colon.
SELECT DISTINCT substr(n.name, 1, 8), e.host, e.port, x.bus_port, x.role FROM view_node x JOIN node n USING (node_id) JOIN endpoint e USING (endpoint_id) ORDER BY 1;
--= 065ab23b|2001:db8:52::c1|7000|17000|master
--= 3aea5cff|2001:db8:52::b1|7001|17001|replica
--= 9954056b|2001:db8:52::b1|7000|17000|master
--= ac8a09df|2001:db8:52::c1|7001|17001|replica
--= c41b2647|2001:db8:52::a1|7000|17000|master
--= e81e74b8|2001:db8:52::a1|7001|17001|replica
-- No host "2001", no port 0.
SELECT count(*) FROM endpoint WHERE host = '2001' OR port = 0;
--= 0
-- Both views name one owner of slot 6200.
SELECT substr(observer, 1, 8), substr(owner_id, 1, 8), config_epoch FROM slot_owner WHERE slots = '5461-10922' ORDER BY 1;
--= 9954056b|065ab23b|3
--= c41b2647|065ab23b|3
-- The endpoint printed as [2001:db8:52::c1:7000]:0 is that owner's; a connection error has no verdict.
SELECT at_utc, kind, subject, position FROM timeline WHERE source = 'app.log' ORDER BY position LIMIT 1;
--= 2020-04-20T08:29:50.771000Z|closed|[2001:db8:52::c1]:7000|1
-- The redirect is an error.
SELECT at_utc, slot, chain, position, verdict, leans FROM failover_error;
--= 2020-04-20T08:29:51.002000Z|6200|?>[2001:db8:52::c1]:7000|3|undetermined|corruption
-- The zone is assumed; no window.
SELECT DISTINCT at_basis, (SELECT count(*) FROM window) FROM client_error;
--= assumed-utc|0
