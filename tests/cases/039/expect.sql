-- files of 2024-01-15
-- The candidate's log.
SELECT substr(at_utc, 12, 12), kind, position FROM timeline WHERE source = 'redis-new.log' ORDER BY position;
--= 14:19:55.409|election|1
--= 14:19:55.410|election|2
--= 14:19:55.414|election|3
--= 14:19:55.414|election|4
--= 14:19:55.515|election|5
--= 14:19:55.518|promotion|6
--= 14:19:55.518|epoch|7
--= 14:19:55.519|server|8
-- The old master's.
SELECT substr(t.at_utc, 12, 12), t.kind, e.event, t.position FROM timeline t JOIN source s ON s.name = t.source JOIN server_event e ON e.source_id = s.source_id AND e.position = t.position AND e.kind = t.kind
 WHERE t.source = 'redis-old.log' ORDER BY t.position, e.event;
--= 14:19:55.410|election|manual-requested|1
--= 14:19:55.410|pause|writes-paused|1
--= 14:19:55.516|vote|vote-granted|2
--= 14:19:55.530|server|replica-lost|3
--= 14:19:55.531|demotion|demoted|4
--= 14:19:55.532|server|following|5
-- One window of 13 ms, edges to the millisecond.
SELECT slots, cause, substr(new_owner_id, 1, 8), new_epoch, substr(old_owner_id, 1, 8), opened_after_utc, closed_after_utc, close_reason, min_ms, max_ms FROM window;
--= 5461-10922|manual-failover|bc6e6d9b|15|e365cf2a|2024-01-15T14:19:55.518000Z|2024-01-15T14:19:55.531000Z|old-owner-yielded|12|14
-- The dumps afterwards agree.
SELECT substr(observer, 1, 8), substr(owner_id, 1, 8), owner_addr, config_epoch FROM slot_owner WHERE slots = '5461-10922' ORDER BY 1;
--= 010e2c58|bc6e6d9b|172.26.4.10:6379|15
--= e365cf2a|bc6e6d9b|172.26.4.10:6379|15
-- Three errors; the TRACE line is the first one's redirect.
SELECT f.at_utc, f.slot, f.chain, f.position, f.window_id IS NOT NULL, (SELECT count(*) FROM timeline WHERE kind = 'moved') FROM failover_error f ORDER BY f.at;
--= 2024-01-15T14:19:55.524060Z|9835|?>172.26.4.10:6379|2|1|1
--= 2024-01-15T14:20:31.000402Z|9835|?>172.26.4.10:6379|3|0|1
--= 2024-01-15T14:21:02.118800Z|9835|?>172.26.4.10:6379|4|0|1
-- The later two: undetermined, leaning to corruption.
SELECT position, verdict, leans FROM failover_error WHERE position > 2 ORDER BY 1;
--= 3|undetermined|corruption
--= 4|undetermined|corruption
-- The first, inside the window that ends 7 ms later.  A careful reader calls it
-- spurious; by the rules nobody is seen to reach the claimant within two seconds.
SELECT verdict, rule, missing FROM failover_error WHERE position = 2;
--= undetermined|5|claimant-contact
-- That the servers' clocks are UTC is assumed.
SELECT DISTINCT at_basis FROM server_event;
--= assumed-utc
