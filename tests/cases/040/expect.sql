-- files of 2014-03-05
-- The manual failover that timed out.
SELECT substr(t.at_utc, 1, 23), e.event, t.position FROM timeline t JOIN source s ON s.name = t.source JOIN server_event e ON e.source_id = s.source_id AND e.position = t.position ORDER BY t.position;
--= 2014-03-04T10:41:14.615|manual-accepted|1
--= 2014-03-04T10:41:14.619|manual-offset|2
--= 2014-03-04T10:41:14.642|manual-caught-up|3
--= 2014-03-04T10:41:14.642|election-scheduled|4
--= 2014-03-04T10:41:14.743|election-scheduled|5
--= 2014-03-04T10:41:19.558|election-scheduled|9
--= 2014-03-04T10:41:19.658|manual-timed-out|10
-- No votes were asked for, no owner changed.
SELECT count(*), (SELECT count(*) FROM window) FROM timeline WHERE kind IN ('vote', 'promotion', 'demotion');
--= 0|0
-- The dots are an elision, told as a gap.
SELECT s.name, p.position, p.code FROM problem p JOIN source s USING (source_id);
--= redis-6382.log|5|gap
-- Equal epochs of disjoint slots are no divergence.
SELECT slots, substr(owner_id, 1, 8), config_epoch, substr(observer, 1, 8) FROM slot_owner ORDER BY slots;
--= 0-8191|d02f1157|1|8baf8e02
--= 8192-16383|4b46071e|1|8baf8e02
-- Myself has no address; the view is timed by its newest pong.
SELECT x.endpoint_id IS NULL, x.role, v.at_basis, strftime('%Y-%m-%dT%H:%M:%S', v.first_at / 1000000, 'unixepoch') FROM view_node x JOIN view v USING (view_id) WHERE x.myself;
--= 1|replica|pong|2014-03-04T10:41:31
-- No client.
SELECT count(*) FROM failover_error;
--= 0
