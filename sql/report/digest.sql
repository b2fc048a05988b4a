-- digest.sql - what every report for people says, before any format.
--
-- Reads the views in scope (scope.sql), error_name (src/report/scope.c),
-- problem, source, setting and parameter.
-- Makes temp.error_group, temp.story, temp.advice, temp.loss, temp.assumed,
-- temp.rule_text, temp.node_label.

-- One row: errors alike, i.e. of one client in one window with one verdict for
-- one reason.  error_id, reason, source and position are those of the first.
CREATE TEMP TABLE error_group AS
WITH ranked AS (
	SELECT e.*, row_number() OVER g AS nth,
	       count(*) OVER (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS errors,
	       min(at_utc) OVER (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS first_utc,
	       max(at_utc) OVER (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS last_utc,
	       min(slot) OVER (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS slot_min,
	       max(slot) OVER (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS slot_max,
	       max(backoff_ms) OVER (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS backoff_max_ms
	FROM failover_error e
	WINDOW g AS (PARTITION BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred ORDER BY at, error_id)
)
SELECT row_number() OVER (ORDER BY incident, first_utc IS NULL, first_utc, error_id) AS group_id,
       error_id, (SELECT n.name FROM error_name n WHERE n.error_id = ranked.error_id) AS name,
       client, library, CASE WHEN instr(message, error_class) = 1 THEN NULL ELSE error_class END AS error_class, message, window_id, verdict, leans, rule, fault, confidence, inferred, reason,
       gate, backoff_max_ms, missing, errors, first_utc, last_utc, slot_min, slot_max, chain, source, position,
       source || coalesce(CASE (SELECT i.kind FROM input i WHERE i.source = ranked.source AND i.incident = ranked.incident) WHEN 'capture' THEN '#' ELSE ':' END || position, '') AS locus,
       incident
FROM ranked
WHERE nth = 1;

-- One row: one sentence of what happened.
CREATE TEMP TABLE story (rank INTEGER, incident TEXT, sentence TEXT);
INSERT INTO story
SELECT 100 + row_number() OVER (ORDER BY w.opened_by, w.window_id), w.incident,
       printf('window %d: %s took slots %s from %s (%s, epoch %s to %s), opened %s, ', w.window_id,
           coalesce(w.new_owner_addr, w.new_owner_id, 'an unknown node'), w.slots,
           coalesce(w.old_owner_addr, w.old_owner_id, 'an unknown node'), w.cause,
           coalesce(w.old_epoch, '?'), coalesce(w.new_epoch, '?'), coalesce(w.opened_by_utc, 'at an unknown time')) ||
       CASE WHEN w.closed_by IS NULL THEN 'still open at the end of the evidence'
            ELSE printf('nodes disagreed for %s ms', CASE WHEN w.max_ms IS NULL THEN 'at least ' || w.min_ms
                 WHEN w.min_ms = w.max_ms THEN w.min_ms ELSE w.min_ms || ' to ' || w.max_ms END) END ||
       CASE w.errors WHEN 0 THEN ', no error followed' WHEN 1 THEN ', 1 error' ELSE ', ' || w.errors || ' errors' END
FROM window w
WHERE w.cause <> 'migration';
INSERT INTO story
SELECT 10000000, incident, printf('%s of a migration, at most %d ms, %s', CASE count(*) WHEN 1 THEN 'one short divergence' ELSE count(*) || ' short divergences' END, coalesce(max(max_ms), 0),
       CASE WHEN sum(errors) > 0 THEN sum(errors) || ' errors' ELSE 'harmless' END)
FROM window WHERE cause = 'migration' GROUP BY incident;

-- One row: one thing to change, and how many errors or events call for it.
CREATE TEMP TABLE advice (rank INTEGER, code TEXT, events INTEGER, sentence TEXT, incident TEXT);
INSERT INTO advice
SELECT 10, 'back-off', count(*),
       printf('%d of %d errors spurious: back off and re-resolve the slot map before raising%s.', count(*),
           (SELECT count(*) FROM failover_error a WHERE a.incident = e.incident),
           CASE WHEN max(backoff_ms) IS NULL THEN ''
                ELSE printf(' (min(2 x observed divergence, cluster-node-timeout): at most %d ms here)', max(backoff_ms)) END),
       incident
FROM failover_error e WHERE verdict = 'spurious' AND coalesce(gate, '') <> 'none' GROUP BY incident;
INSERT INTO advice
SELECT 11, 'back-off-longer', count(*),
       printf('%d of them would still have failed, as the window outlived that back-off: raise the redirect budget as well, or find why convergence took so long.', count(*)),
       incident
FROM failover_error WHERE verdict = 'spurious' AND backoff_sufficient = 0 GROUP BY incident;
INSERT INTO advice
SELECT 20 + row_number() OVER (PARTITION BY incident ORDER BY count(*) DESC, fault, claimant_addr), coalesce(fault, 'genuine'), count(*),
       count(*) || CASE count(*) WHEN 1 THEN ' error was justified: ' ELSE ' errors were justified: ' END || CASE fault
           WHEN 'crossed-slots' THEN 'nodes name each other as the owner, which no client can wait out; repair it with CLUSTER SETSLOT <slot> NODE <id> on both nodes.'
           WHEN 'cluster-down' THEN 'the cluster refused to serve (CLUSTERDOWN); look for the masters that were lost.'
           WHEN 'partial-coverage' THEN 'nobody owned the slot; assign it (redis-cli --cluster fix).'
           WHEN 'owner-down' THEN printf('the owner %s could not be reached at the time; look at that node and the way to it.', coalesce(claimant_addr, claimant_id, '(unknown)'))
           WHEN 'network-partition' THEN printf('%s owned the slots and answered others, but not these clients; look at the network between them.', coalesce(claimant_addr, claimant_id, '(unknown)'))
           ELSE printf('%s owned the slots and could not be reached; look at that node and the way to it, not at the client.',
               coalesce(claimant_addr, claimant_id, '(unknown)')) END,
       incident
FROM failover_error WHERE verdict = 'genuine' GROUP BY incident, fault, claimant_addr;
INSERT INTO advice
SELECT 40 + row_number() OVER (PARTITION BY incident ORDER BY count(*) DESC, fault, client), CASE fault WHEN 'address-alias' THEN fault ELSE 'slot-map' END, count(*),
       count(*) || CASE count(*) WHEN 1 THEN ' error of ' ELSE ' errors of ' END || client || ' came from the client''s own slot map while the nodes agreed: ' ||
       CASE fault WHEN 'address-alias' THEN 'an address means another node to this client than to the cluster; check cluster-announce-*, NAT and proxies.'
           ELSE 'drop the map and read it anew, and raise SlotMapCorruptionError, never a failover error.' END,
       incident
FROM failover_error WHERE verdict = 'corruption' GROUP BY incident, fault, client;
INSERT INTO advice
SELECT 60, 'evidence', count(*),
       printf('%d undetermined; what would decide: %s.', count(*),
           (SELECT group_concat(code || ' (' || n || ')', ', ') FROM (
               SELECT trim(j.value) AS code, count(*) AS n
               FROM failover_error u, json_each('["' || replace(replace(u.missing, '"', ''), ',', '","') || '"]') j
               WHERE u.verdict = 'undetermined' AND u.incident = e.incident AND json_valid('["' || replace(replace(u.missing, '"', ''), ',', '","') || '"]')
               GROUP BY 1 ORDER BY n DESC, code LIMIT 6))),
       incident
FROM failover_error e WHERE verdict = 'undetermined' GROUP BY incident;
INSERT INTO advice
SELECT 70, 'storm', count(*),
       printf('%s of %s against one node: spread map refreshes with jitter and over several nodes (worst: %s, %d a second).', CASE count(*) WHEN 1 THEN 'A burst' ELSE count(*) || ' bursts' END,
           group_concat(DISTINCT command), (SELECT b.endpoint FROM connect_storm b WHERE b.incident = c.incident ORDER BY b.peak_per_s DESC, b.at, b.endpoint LIMIT 1),
           max(peak_per_s)),
       incident
FROM connect_storm c GROUP BY incident;
INSERT INTO advice
SELECT 80, 'clock', count(*),
       printf('%s off, by up to %s ms: synchronise them, edges are only as sharp as that.', CASE count(*) WHEN 1 THEN 'One clock was' ELSE count(*) || ' clocks were' END, max(abs(round(clock_offset_ms, 1)))),
       incident
FROM input WHERE abs(clock_offset_ms) >= 50 GROUP BY incident;

-- One row: what could not be seen, of one input for one reason.
CREATE TEMP TABLE loss AS
SELECT coalesce(s.name, '') AS source, p.code, sum(p.samples) AS times, sum(p.bytes) AS bytes,
       min(p.position) AS position, p.first_reason AS reason,
       coalesce(s.name, '') || coalesce(CASE s.kind WHEN 'capture' THEN '#' ELSE ':' END || min(p.position), '') AS locus, s.incident
FROM (SELECT *, first_value(reason) OVER (PARTITION BY source_id, code ORDER BY problem_id) AS first_reason FROM problem) p
LEFT JOIN source s USING (source_id), temp.scope c
WHERE c.incident IS NULL OR s.incident = c.incident
GROUP BY p.source_id, p.code
ORDER BY coalesce(s.name, ''), min(p.problem_id);

-- One row: a value that the analysis worked with.
CREATE TEMP TABLE assumed AS
SELECT t.name, t.value, t.basis, coalesce(s.name, '') AS source, t.position, t.incident
FROM (SELECT DISTINCT name, value, basis, min(source_id) AS source_id, min(position) AS position, incident
      FROM setting GROUP BY incident, name, value, basis) t
LEFT JOIN source s ON s.source_id = t.source_id, temp.scope c
WHERE (c.incident IS NULL OR t.incident = c.incident)
  AND t.name IN ('cluster-node-timeout', 'cluster-require-full-coverage', 'cluster-replica-validity-factor', 'cluster-allow-reads-when-down')
ORDER BY t.incident, t.name, t.basis DESC, t.value;
INSERT INTO assumed
SELECT 'cluster-node-timeout', (SELECT value / 1000 FROM parameter WHERE name = 'node_timeout_us'), 'assumed', '', NULL, m.incident
FROM summary m
WHERE NOT EXISTS (SELECT 1 FROM setting t WHERE t.name = 'cluster-node-timeout' AND t.incident = m.incident);
INSERT INTO assumed
SELECT 'cluster-require-full-coverage', CASE (SELECT value FROM parameter WHERE name = 'full_coverage') WHEN 0 THEN 'no' ELSE 'yes' END, 'assumed', '', NULL, m.incident
FROM summary m
WHERE NOT EXISTS (SELECT 1 FROM setting t WHERE t.name = 'cluster-require-full-coverage' AND t.incident = m.incident);

-- One row: a rule in one sentence, as the verdict follows from it.
CREATE TEMP TABLE rule_text (rule TEXT PRIMARY KEY, says TEXT NOT NULL);
INSERT INTO rule_text (rule, says) VALUES
	('1', 'no usable view of the slot over the episode'),
	('2', 'the claimant could not be reached by this client'),
	('2a', 'the views agree, and the owner could not be reached for a part of the episode'),
	('2b', 'the cluster itself refused to serve the slot'),
	('3', 'nobody claims the slot under its own name, and the node that others name disowns it'),
	('4', 'the views disagree, and the claimant was reachable'),
	('5', 'the views disagree, and nothing shows whether the claimant was reachable'),
	('5a', 'the views agree, and the owner answered late, as it does while paused for a failover'),
	('6', 'the views agree, the owner was reachable, and the client was sent in circles'),
	('7', 'the views agree, the owner was reachable, and no redirect of this slot is seen');

-- One row: a node and how it is called in a report, replicas too.
CREATE TEMP TABLE node_label AS
SELECT a.name AS id, coalesce(a.addr, substr(a.name, 1, 8)) AS addr, a.incident
FROM main.node_address a, temp.scope s
WHERE s.incident IS NULL OR a.incident = s.incident
ORDER BY a.incident, addr, a.name;
