-- files of 2021-11-12
-- Two views agree on all owners.
SELECT slots, substr(owner_id, 1, 8), owner_addr, config_epoch, count(*), count(DISTINCT observer), min(substr(first_at_utc, 1, 16)) FROM slot_owner GROUP BY 1, 2, 3, 4 ORDER BY config_epoch DESC;
--= 0-5460|b4b44a82|10.245.3.140:6379|9|2|2|2021-11-12T13:40
--= 10923-16383|51d4173a|10.245.2.61:6379|3|2|2|2021-11-12T13:40
--= 5461-10922|8b9d84cc|10.245.1.20:6379|2|2|2|2021-11-12T13:40
-- The address that the client uses is in neither.
SELECT count(*) FROM view_node JOIN endpoint USING (endpoint_id) WHERE host = '10.245.7.88';
--= 0
-- One exhausted budget, to the second; key tok:1003 is slot 3125.
SELECT f.at_utc, t.kind, f.slot, f.position FROM failover_error f JOIN timeline t USING (source, position) WHERE t.kind <> 'unreachable';
--= 2021-11-12T13:36:24.000000Z|redirects-exhausted|3125|113
-- Sixteen attempts, all at one address, all without a route.
SELECT kind, subject, sum(coalesce(CAST(detail AS INTEGER), 1)), min(at_utc) FROM timeline WHERE kind IN ('unreachable', 'connect-refused', 'connect-timeout', 'closed') GROUP BY 1, 2;
--= unreachable|10.245.7.88:6379|16|2021-11-12T13:35:36.000000Z
-- The last of them ended when the error was raised.
SELECT strftime('%H:%M:%S', last_at / 1000000, 'unixepoch'), precision_us FROM contact ORDER BY last_at DESC LIMIT 1;
--= 13:36:24|1000000
-- No window; undetermined, for want of the owner's view at the time.
SELECT verdict, rule, leans, missing, (SELECT count(*) FROM window) FROM failover_error;
--= undetermined|1||view-of:owner|0
