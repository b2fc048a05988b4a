-- fixture.sql - the query surface as plain tables, filled by hand, with text
-- that tries to do harm in every place where a report shows text.
--
-- The columns are those of sql/400-surface.sql, in their order.
--
-- One incident: a takeover (window 1), a planned failover without errors
-- (window 2), a migration (window 3), and errors of every verdict.
CREATE TABLE failover_error (error_id INT, at INT, at_utc TEXT, client TEXT,
	library TEXT, error_class TEXT, message TEXT, slot INT, chain TEXT,
	redirects INT, verdict TEXT, leans TEXT, rule TEXT, fault TEXT,
	confidence TEXT, reason TEXT, window_id INT, claimant_id TEXT,
	claimant_addr TEXT, claimant_epoch INT, claimant_reachable INT, views INT,
	views_disagreeing INT, divergence_ms INT, backoff_ms INT,
	backoff_sufficient INT, gate TEXT, gate_retry_at INT, gate_retry_at_utc TEXT,
	missing TEXT, inferred INT, source TEXT, position INT, incident TEXT);
CREATE TABLE window (window_id INT, slots TEXT, slot_count INT, cause TEXT,
	old_owner_id TEXT, old_owner_addr TEXT, old_epoch INT, new_owner_id TEXT,
	new_owner_addr TEXT, new_epoch INT, opened_after INT, opened_after_utc TEXT,
	opened_by INT, opened_by_utc TEXT, closed_after INT, closed_after_utc TEXT,
	closed_by INT, closed_by_utc TEXT, close_reason TEXT, claim_closed_by INT,
	min_ms INT, max_ms INT, converged_after INT,
	converged_after_utc TEXT, converged_by INT, converged_by_utc TEXT,
	observers INT, redirects INT, at_risk INT, errors INT, incident TEXT);
CREATE TABLE error_condition (error_id INT, condition TEXT, holds INT,
	evidence TEXT, incident TEXT);
CREATE TABLE window_condition (window_id INT, condition TEXT, holds INT,
	evidence TEXT, incident TEXT);
CREATE TABLE window_observer (window_id INT, observer TEXT, flipped_after INT,
	flipped_by INT, flipped_after_utc TEXT, flipped_by_utc TEXT, who INT,
	incident TEXT);
CREATE TABLE error_evidence (error_id INT, role TEXT, at INT, at_utc TEXT,
	source TEXT, position INT, text TEXT, incident TEXT);
CREATE TABLE slot_owner (observer TEXT, slots TEXT, owner_id TEXT,
	owner_addr TEXT, config_epoch INT, first_at INT, first_at_utc TEXT,
	last_at INT, last_at_utc TEXT, samples INT, source TEXT, position INT,
	last_position INT, incident TEXT);
CREATE TABLE timeline (at INT, at_utc TEXT, kind TEXT, observer TEXT,
	subject TEXT, slots TEXT, detail TEXT, source TEXT, position INT, incident TEXT);
CREATE TABLE connect_storm (at INT, at_utc TEXT, endpoint TEXT, command TEXT,
	clients INT, requests INT, peak_per_s INT, window_id INT, incident TEXT);
CREATE TABLE input (source TEXT, kind TEXT, status TEXT, bytes INT, records INT,
	problems INT, first_at_utc TEXT, last_at_utc TEXT, clock_offset_ms REAL,
	clock_basis TEXT, incident TEXT);
CREATE TABLE summary (errors INT, genuine INT, spurious INT, corruption INT,
	undetermined INT, inferred INT, windows INT, migrations INT, longest_ms INT,
	raises_avoided INT, raises_kept INT, backoff_p50_ms INT, backoff_p99_ms INT,
	backoff_max_ms INT, redirects INT, redirects_in_windows INT, problems INT,
	incident TEXT);

-- Not promised: corrections of clocks.
-- As 100-clock.sql makes it; its views c_* are added from there (report.sh).
CREATE TABLE source_clock (source_id INT, offset_us INT, uncertainty_us INT DEFAULT 5000, basis TEXT DEFAULT 'as-found', applied INT DEFAULT 0, measured_us INT, pairs INT, detail TEXT, doubtful INT DEFAULT 0,
    step_by INT DEFAULT 9223372036854775807, step_us INT DEFAULT 0, drift_from INT DEFAULT 0, drift_ppb INT DEFAULT 0, widen_us INT DEFAULT 0);

-- Not promised, but read for the addresses of replicas.
CREATE TABLE node_address (node_id INT, name TEXT, incident TEXT, addr TEXT);
-- A derived table beneath summary, which the story reads.
CREATE TABLE redirect_again (redirect_id INTEGER PRIMARY KEY);
CREATE TABLE incident_redirect (incident TEXT, redirects INT, in_windows INT, captured INT, logged INT, alike INT);
INSERT INTO node_address
SELECT value, printf('%d%039d', value, 0), 'inc', printf('10.0.0.%d:6379', value) FROM json_each('[1,2,3,4]');

-- A helper for the rows below: 2026-11-30T01:02:03Z is 1796000523.
CREATE TEMP TABLE t0 (us INT);
INSERT INTO t0 VALUES (1796000523000000);
CREATE TEMP VIEW ms (ms, at, utc) AS
	WITH RECURSIVE n (ms) AS (SELECT -10000 UNION ALL SELECT ms + 10 FROM n WHERE ms < 20000)
	SELECT ms, us + ms * 1000, strftime('%Y-%m-%dT%H:%M:%S', (us + ms * 1000) / 1000000, 'unixepoch') ||
	    printf('.%06dZ', (us + ms * 1000) % 1000000) FROM n, t0;

INSERT INTO input VALUES
	('app.log', 'client-log', 'read', 120000, 800, 0, '2026-11-30T01:01:53.000000Z', '2026-11-30T01:02:23.000000Z', -120.5, 'measured', 'inc'),
	('capture.pcap.gz', 'capture', 'partial', 9000000, 52000, 2, '2026-11-30T01:01:53.000000Z', '2026-11-30T01:02:23.000000Z', 0, 'as-found', 'inc'),
	('n1.txt', 'topology-dump', 'read', 45000, 600, 0, '2026-11-30T01:01:53.000000Z', '2026-11-30T01:02:23.000000Z', 0, 'as-found', 'inc'),
	('evil' || char(27) || '[2J<script>alert(1)</script>.log', 'unknown', 'skipped', 10, 0, 1, NULL, NULL, NULL, NULL, 'inc');

INSERT INTO window
SELECT 1, '0-5460', 5461, 'takeover', printf('%d%039d', 1, 0), '10.0.0.1:6379', 1, printf('%d%039d', 4, 0),
	'10.0.0.4:6379', 7, a.at, a.utc, b.at, b.utc, c.at, c.utc, d.at, d.utc, 'old-owner-yielded',
	d.at, 380, 460, c.at, c.utc, e.at, e.utc, 6, 214, 1, 5, 'inc'
FROM ms a, ms b, ms c, ms d, ms e WHERE a.ms = 0 AND b.ms = 30 AND c.ms = 410 AND d.ms = 460 AND e.ms = 900;
INSERT INTO window
SELECT 2, '5461-10922', 5462, 'manual-failover', printf('%d%039d', 2, 0), '10.0.0.2:6379', 2, printf('%d%039d', 5, 0),
	'10.0.0.5:6379', 8, a.at, a.utc, b.at, b.utc, NULL, NULL, NULL, NULL, 'still-open',
	NULL, 0, NULL, NULL, NULL, NULL, NULL, 4, 12, 0, 0, 'inc'
FROM ms a, ms b WHERE a.ms = 8000 AND b.ms = 8010;
INSERT INTO window
SELECT 3, '11000', 1, 'migration', printf('%d%039d', 3, 0), '10.0.0.3:6379', 3, printf('%d%039d', 1, 0),
	'10.0.0.1:6379', 9, a.at, a.utc, b.at, b.utc, c.at, c.utc, d.at, d.utc, 'old-owner-yielded',
	d.at, 0, 20, c.at, c.utc, d.at, d.utc, 2, 3, 0, 0, 'inc'
FROM ms a, ms b, ms c, ms d WHERE a.ms = 5000 AND b.ms = 5010 AND c.ms = 5010 AND d.ms = 5020;

INSERT INTO failover_error
SELECT e.id, at, utc, e.client, e.library, e.class, e.message, e.slot, e.chain, e.redirects, e.verdict,
	e.leans, e.rule, e.fault, e.confidence, e.reason, e.window_id,
	printf('%d%039d', 4, 0), '10.0.0.4:6379', 7, e.reach, 6, e.dis, e.div,
	2 * e.div, e.suff, e.gate, CASE WHEN e.gate = 'back-off' THEN at + 2000 * e.div END,
	CASE WHEN e.gate = 'back-off' THEN (SELECT utc FROM ms m WHERE m.ms = ms.ms + 2 * e.div) END,
	e.missing, e.inferred, e.source, e.position, 'inc'
FROM ms, (SELECT 1 AS id, 100 AS ms, 'app-1' AS client, 'reference' AS library, 'RedisClusterFailoverError' AS class,
		'redirect cycle' AS message, 42 AS slot, '10.0.0.1:6379>10.0.0.4:6379,10.0.0.4:6379>10.0.0.1:6379' AS chain, 3 AS redirects,
		'spurious' AS verdict, NULL AS leans, '4' AS rule, 'not-converging' AS fault, 'observed' AS confidence,
		'Two masters claimed slot 42 and the one with the higher epoch, 10.0.0.4:6379, answered this client' AS reason,
		1 AS window_id, 1 AS reach, 2 AS dis, 70 AS div, 0 AS suff, 'back-off' AS gate, NULL AS missing, 0 AS inferred,
		'app.log' AS source, 101 AS position
	UNION ALL SELECT 2, 200, 'app-1', 'reference', 'RedisClusterFailoverError', 'redirect cycle', 42,
		'10.0.0.1:6379>10.0.0.4:6379,10.0.0.4:6379>10.0.0.1:6379', 3, 'spurious', NULL, '4', NULL, 'observed',
		'Two masters claimed slot 42 and the one with the higher epoch, 10.0.0.4:6379, answered this client',
		1, 1, 2, 170, 1, 'back-off', NULL, 0, 'app.log', 131
	UNION ALL SELECT 3, 250, '<script>alert(1)</script>' || char(27) || '[31m', 'ioredis', 'ClusterAllFailedError',
		'=cmd|''/C calc''!A0 ' || char(8238) || 'gnp.exe', 77, NULL, NULL, 'genuine', NULL, '2', 'claimant-down', 'observed',
		'The claimant 10.0.0.4:6379 refused this client''s connections | `x` **b** [l](javascript:1)', 1, 0, 2, 220, NULL, 'raise', NULL, 0,
		'evil' || char(27) || '[2J<script>alert(1)</script>.log', 7
	UNION ALL SELECT 4, 3000, 'app-2', 'redis-py', 'RedisClusterException', 'TTL exhausted.', 9000, NULL, 16, 'corruption',
		NULL, '6', 'address-alias', 'inferred', 'Every view names 10.0.0.2:6379 for slot 9000, yet this client was sent in circles',
		NULL, 1, 0, NULL, NULL, 'raise-slot-map-corruption', NULL, 0, 'app.log', 400
	UNION ALL SELECT 5, 4000, 'app-2', 'redis-py', 'RedisClusterException', 'TTL exhausted.', NULL, NULL, 16, 'undetermined',
		'corruption', '1', NULL, NULL, 'No usable view of the slot: the slot of this error is not known', NULL, NULL, NULL, NULL, NULL,
		'unknown', 'slot,view-of:10.0.0.2:6379', 1, 'capture.pcap.gz', 4410) e
WHERE e.ms = ms.ms;

INSERT INTO error_condition VALUES
	(1, 'full-coverage', 1, 'the views of 10.0.0.1:6379 and 10.0.0.4:6379 differ', 'inc'),
	(1, 'old-owner-reachable', 1, 'capture.pcap.gz#4100: 10.0.0.4:6379 replied', 'inc'),
	(1, 'budget', 1, 'app.log:101: 3 redirects in 4 ms', 'inc'),
	(1, 'stale-view', NULL, '<img src=x onerror=alert(1)>', 'inc');
INSERT INTO window_condition SELECT 1, condition, holds, evidence, incident FROM error_condition;
INSERT INTO window_observer
SELECT 1, printf('%d%039d', n.value, 0), a.at, b.at, a.utc, b.utc, n.value, 'inc'
FROM json_each('[1,2,3,4]') n, ms a, ms b
WHERE a.ms = CASE n.value WHEN 4 THEN 0 WHEN 1 THEN 410 ELSE 800 END AND b.ms = a.ms + 50;
INSERT INTO error_evidence
SELECT 1, e.role, at, utc, e.source, e.position, e.text, 'inc'
FROM ms, (SELECT 'view' AS role, 80 AS ms, 'n1.txt' AS source, 41 AS position, '10.0.0.1:6379 claims 0-5460 at epoch 1' AS text
	UNION ALL SELECT 'view', 90, 'n4.txt', 41, '10.0.0.4:6379 claims 0-5460 at epoch 7'
	UNION ALL SELECT 'redirect', 90, 'app.log', 100, 'MOVED 42 10.0.0.4:6379 from 10.0.0.1:6379'
	UNION ALL SELECT 'contact', 110, 'capture.pcap.gz', 4100, '10.0.0.4:6379 replied to app-1'
	UNION ALL SELECT 'setting', 0, 'redis.conf', 3, 'cluster-node-timeout 5000') e
WHERE e.ms = ms.ms;

INSERT INTO slot_owner
SELECT printf('%d%039d', o.value, 0), '0-5460', printf('%d%039d', CASE w.value WHEN 0 THEN 1 ELSE 4 END, 0),
	CASE w.value WHEN 0 THEN '10.0.0.1:6379' ELSE '10.0.0.4:6379' END, CASE w.value WHEN 0 THEN 1 ELSE 7 END,
	a.at, a.utc, b.at, b.utc, 100, 'n' || o.value || '.txt', 1 + w.value * 40, 40 + w.value * 40, 'inc'
FROM json_each('[1,2,3,4]') o, json_each('[0,1]') w, ms a, ms b
WHERE (w.value = 0 AND a.ms = -9000 AND b.ms = CASE o.value WHEN 4 THEN 0 WHEN 1 THEN 410 ELSE 800 END)
   OR (w.value = 1 AND a.ms = CASE o.value WHEN 4 THEN 30 WHEN 1 THEN 460 ELSE 850 END AND b.ms = 19000);

INSERT INTO timeline
SELECT at, utc, e.kind, e.observer, e.subject, e.slots, e.detail, e.source, e.position, 'inc'
FROM ms, (SELECT 10 AS ms, 'promotion' AS kind, printf('%d%039d', 4, 0) AS observer, printf('%d%039d', 4, 0) AS subject, '0-5460' AS slots,
		'Takeover accepted <b>x</b>' AS detail, 'n4.log' AS source, 12 AS position
	UNION ALL SELECT 90, 'moved', 'app-1', '10.0.0.1:6379', '42', 'MOVED 42 10.0.0.4:6379', 'app.log', 100
	UNION ALL SELECT 90, 'moved', 'app-1', '10.0.0.4:6379', '42', 'MOVED 42 10.0.0.1:6379', 'app.log', 99
	UNION ALL SELECT 100, 'failover-error', 'app-1', NULL, '42', 'redirect cycle', 'app.log', 101
	UNION ALL SELECT 200, 'failover-error', 'app-1', NULL, '42', 'redirect cycle', 'app.log', 131
	UNION ALL SELECT 250, 'connect-refused', 'app-3', '10.0.0.4:6379', NULL, 'ECONNREFUSED', 'app.log', 150
	UNION ALL SELECT 440, 'demotion', printf('%d%039d', 1, 0), printf('%d%039d', 4, 0), '0-5460', 'Configuration change detected', 'n1.log', 30
	UNION ALL SELECT 30, 'window-opened', printf('%d%039d', 4, 0), printf('%d%039d', 4, 0), '0-5460', 'window 1, takeover', NULL, NULL
	UNION ALL SELECT 460, 'window-closed', printf('%d%039d', 1, 0), printf('%d%039d', 1, 0), '0-5460', 'window 1, old-owner-yielded', NULL, NULL
	UNION ALL SELECT 600, 'pfail', printf('%d%039d', 2, 0), printf('%d%039d', 4, 0), NULL, 'possibly-failing: NODE 4 possibly failing', 'n2.log', 40
	UNION ALL SELECT 620, 'fail', printf('%d%039d', 2, 0), printf('%d%039d', 4, 0), NULL, 'fail-marked: Marking node 4 as failing', 'n2.log', 41
	UNION ALL SELECT 620, 'fail', printf('%d%039d', 3, 0), printf('%d%039d', 4, 0), NULL, 'fail-received', 'n3.log', 50
	UNION ALL SELECT 900, 'fail', printf('%d%039d', 2, 0), printf('%d%039d', 4, 0), NULL, 'fail-cleared: Clear FAIL state', 'n2.log', 42
	UNION ALL SELECT 1000, 'topology-refresh', 'app-1', '10.0.0.4:6379', NULL, 'CLUSTER SLOTS', 'app.log', 170) e
WHERE e.ms = ms.ms;
INSERT INTO connect_storm
SELECT at, utc, '10.0.0.4:6379', 'cluster|slots', 150, 300, 150, 1, 'inc' FROM ms WHERE ms = 1000;
INSERT INTO summary VALUES (5, 1, 2, 1, 1, 1, 2, 1, 460, 1, 4, 140, 340, 340, 229, 226, 3, 'inc');
INSERT INTO source (source_id, incident, name, kind, status, bytes)
SELECT rowid, incident, source, kind, status, bytes FROM input;
INSERT INTO source (source_id, incident, name, kind, status, bytes) VALUES
	(12, 'inc', 'n2.log', 'server-log', 'read', 0), (13, 'inc', 'n3.log', 'server-log', 'read', 0);
INSERT INTO source_clock (source_id, offset_us) SELECT source_id, 0 FROM source;
INSERT INTO node (node_id, incident, name) SELECT node_id, incident, name FROM node_address;
INSERT INTO observer (observer_id, incident, kind, name, node_id) SELECT node_id, incident, 'node', name, node_id FROM node_address;
INSERT INTO server_event (source_id, position, last_position, at, observer_id, kind, event, subject_id, detail)
SELECT s.source_id, t.position, t.position, t.at, substr(t.observer, 1, 1), t.kind, substr(t.detail || ':', 1, instr(t.detail || ':', ':') - 1), substr(t.subject, 1, 1), nullif(substr(t.detail, instr(t.detail || ':', ':') + 2), '')
FROM timeline t JOIN source s ON s.name = t.source WHERE t.kind IN ('fail', 'pfail');
INSERT INTO problem (source_id, position, code, reason, samples) VALUES
	(2, 900, 'gap', '14600 bytes of 10.0.0.1:6379 were not captured', 3),
	(4, NULL, 'unsupported', 'no known form' || char(7) || ' <script>alert(2)</script>', 1);
INSERT INTO setting (incident, source_id, position, name, value, basis) VALUES
	('inc', 3, 3, 'cluster-node-timeout', '5000', 'seen');
PRAGMA application_id = 0x736c7472;
PRAGMA user_version = 1;
