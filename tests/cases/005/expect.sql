-- One error, at the inner time of the JSON line; the debug lines are its detail.
SELECT f.at_utc, t.kind, f.slot, f.position FROM failover_error f JOIN timeline t USING (source, position);
--= 2022-07-19T06:02:11.414000Z|redirects-exhausted|541|53
-- Sixteen redirects before it, all to one endpoint, at their inner times.
SELECT count(*), min(at_utc), max(at_utc), min(detail), max(detail) FROM timeline WHERE kind = 'moved';
--= 16|2022-07-19T06:02:11.402000Z|2022-07-19T06:02:11.412000Z|to 203.0.113.9:15003 for get|to 203.0.113.9:15003 for get
-- They are its chain.
SELECT redirects, length(chain) - length(replace(chain, '>', '')), replace(replace(chain, '?>203.0.113.9:15003', ''), ',', '') = '' FROM failover_error;
--= 16|16|1
-- One address with two ports is two endpoints: nothing is said of a connection to the target.
SELECT (SELECT count(*) FROM contact), claimant_reachable IS NULL FROM failover_error;
--= 0|1
-- No server's view at all.
SELECT verdict, rule, leans, instr(missing, 'view-of:203.0.113.9:15003') > 0, (SELECT count(*) FROM window) FROM failover_error;
--= undetermined|1||1|0
