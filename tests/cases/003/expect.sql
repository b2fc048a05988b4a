-- files of 2016-11-08
-- The server's events; the year is not in the log.
SELECT substr(at_utc, 6), kind, substr(subject, 1, 8), source, position FROM timeline WHERE source LIKE '%syslog%' ORDER BY position;
--= 11-07T18:22:41.310000Z|fail|b6b786ce|cache-b-syslog.txt|1
--= 11-07T18:22:41.744000Z|fail|b6b786ce|cache-b-syslog.txt|2
--= 11-07T18:27:19.051000Z|fail|b6b786ce|cache-b-syslog.txt|4
--= 11-07T18:27:19.498000Z|fail|b6b786ce|cache-b-syslog.txt|5
-- The year is the file's, and each row says so.
SELECT DISTINCT substr(t.at_utc, 1, 4), e.at_basis FROM server_event e JOIN timeline t ON t.position = e.position AND t.source LIKE '%syslog%';
--= 2016|file-time
-- How long the node was marked, twice.
SELECT (max(at) - min(at)) / 1000 FROM timeline WHERE kind = 'fail' GROUP BY position < 3;
--= 447
--= 434
-- Who reported it.
SELECT e.event, substr(n.name, 1, 8), e.role FROM server_event e LEFT JOIN node n ON n.node_id = e.other_id ORDER BY e.position;
--= fail-marked||master
--= fail-cleared||master
--= fail-received|d64e2204|master
--= fail-cleared||master
-- A replica was marked: no election, no slot changed hands.
SELECT (SELECT count(*) FROM timeline WHERE kind IN ('election', 'promotion', 'demotion')), (SELECT count(*) FROM window);
--= 0|0
-- Two exhausted budgets without a time.
SELECT t.kind, f.slot, f.chain, f.at IS NULL, f.position FROM failover_error f JOIN timeline t USING (source, position) ORDER BY f.position;
--= redirects-exhausted|12920|?>10.118.4.31:7000|1|1
--= redirects-exhausted|12920|?>10.118.4.31:7000|1|2
-- Undetermined, for want of a time.
SELECT DISTINCT verdict, rule, leans, instr(',' || missing || ',', ',time,') > 0 FROM failover_error;
--= undetermined|1||1
-- And for want of the target's view.
SELECT DISTINCT instr(missing, 'view-of:10.118.4.31:7000') > 0 FROM failover_error;
--= 1
