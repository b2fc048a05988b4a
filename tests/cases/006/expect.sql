-- files of 2021-03-09
-- Two views of one node: before and after.
SELECT substr(observer, 1, 8), slots, substr(owner_id, 1, 8), owner_addr, config_epoch, substr(first_at_utc, 1, 16) FROM slot_owner
 WHERE slots = '0-5460' ORDER BY first_at;
--= dca3367e|0-5460|9612ec87|172.31.9.41:7000|1|2021-03-09T10:14
--= dca3367e|0-5460|2f8f8acb|172.31.9.41:7003|7|2021-03-09T10:16
-- Afterwards the old owner is a failed master without slots and without link.
SELECT x.role, x.flags, x.link_state, x.config_epoch, (SELECT count(*) FROM view_slots g WHERE g.view_id = x.view_id AND g.ordinal = x.ordinal)
  FROM view_node x JOIN node n USING (node_id) JOIN view v USING (view_id) WHERE n.name LIKE '9612ec87%' ORDER BY v.first_at DESC LIMIT 1;
--= master|fail|disconnected|1|0
-- The server's events.
SELECT substr(at_utc, 12, 12), kind, coalesce(substr(subject, 1, 16), ''), position FROM timeline WHERE source = 'redis-7003.log' ORDER BY position;
--= 10:15:02.214|server||1
--= 10:15:03.006|server|172.31.9.41:7000|3
--= 10:15:03.006|server||5
--= 10:15:08.301|fail|9612ec8702671a7e|6
--= 10:15:08.301|server||7
--= 10:15:08.318|election||8
--= 10:15:08.921|election||9
--= 10:15:08.934|promotion||10
--= 10:15:08.934|epoch||11
--= 10:15:08.935|server||13
-- Reported by whom, for which epoch.
SELECT e.event, e.epoch, substr(n.name, 1, 8) FROM server_event e LEFT JOIN node n ON n.node_id = e.other_id
 WHERE e.epoch IS NOT NULL OR n.name IS NOT NULL ORDER BY position;
--= fail-received||dca3367e
--= election-started|7|
--= epoch-set|7|
-- Key k-1001 is slot 2411; the node that refused is in the trace.
SELECT f.at_utc, f.slot, t.kind, f.position FROM failover_error f JOIN timeline t USING (source, position)
 WHERE t.kind = 'redirects-exhausted' ORDER BY f.at;
--= 2021-03-09T10:15:04.871000Z|2411|redirects-exhausted|1
--= 2021-03-09T10:15:07.002000Z|2411|redirects-exhausted|9
--= 2021-03-09T10:15:48.630000Z|2411|redirects-exhausted|17
-- Each is a refused connection too.
SELECT kind, subject, sum(coalesce(CAST(detail AS INTEGER), 1)) FROM timeline WHERE source = 'app.log' AND kind LIKE 'connect%' GROUP BY 1, 2;
--= connect-refused|172.31.9.41:7000|3
-- One window, from the election on; the old owner was dead by then.
SELECT slots, cause, substr(old_owner_id, 1, 8), old_epoch, substr(new_owner_id, 1, 8), new_epoch, opened_after_utc, close_reason, claim_closed_by FROM window;
--= 0-5460|automatic-failover|9612ec87|1|2f8f8acb|7|2021-03-09T10:15:08.934000Z|old-owner-unreachable|
-- It opens within the log's millisecond.
SELECT opened_by - opened_after FROM window;
--= 1000
-- The last live observer that named the dead owner ends it: the node asked at 10:14 and 10:16.
SELECT closed_after IS converged_after, closed_by IS converged_by, substr(converged_by_utc, 1, 16) FROM window;
--= 1|1|2021-03-09T10:16
-- Genuine while nobody had taken over; the third has no redirect and no contact with the new owner.
SELECT verdict, fault, leans FROM failover_error ORDER BY at;
--= genuine|owner-down|
--= genuine|owner-down|
--= undetermined|slot-ownership-divergence|
-- That the application's clock is UTC is assumed.
SELECT DISTINCT at_basis FROM client_error;
--= assumed-utc
