-- digest.sql - what every report for people needs, before any format.
--
-- Reads the views in scope (scope.sql), error_name (src/report/scope.c),
-- problem, source, source_clock, observer, node, endpoint, server_event,
-- client_error, setting and parameter.
-- Makes temp.error_member, temp.coarse, temp.error_time, temp.missing_word,
-- temp.error_group, temp.taken_for, temp.loss,
-- temp.assumed, temp.rule_text, temp.node_label, temp.health, temp.window_proof, temp.window_lasted,
-- temp.evidence_line.

-- One row: an error and the number of those that it is alike: of one client in
-- one window with one verdict for one reason.
CREATE TEMP TABLE error_member AS
SELECT error_id, dense_rank() OVER (ORDER BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred) AS alike
FROM failover_error;
CREATE INDEX temp.error_member_alike ON error_member (alike, error_id);
CREATE UNIQUE INDEX temp.error_member_error ON error_member (error_id);

-- One row: how exactly a log states the time of an error, where that is coarser
-- than a millisecond.
CREATE TEMP TABLE coarse AS
SELECT s.incident, s.name AS source, c.position, max(c.precision_us) AS precision_us
FROM client_error c JOIN source s USING (source_id)
WHERE c.precision_us > 1000 GROUP BY s.incident, s.name, c.position;
CREATE UNIQUE INDEX temp.coarse_place ON coarse (incident, source, position);

-- One row: an error, its time as exactly as it is known (without the Z, so that
-- texts sort as times do), and what the gate would have done, from the beginning
-- of the second or minute that the log states to its end.
CREATE TEMP TABLE error_time AS
WITH late AS (
	SELECT e.error_id, e.at, c.precision_us, e.gate, e.divergence_ms, e.backoff_ms, e.backoff_sufficient, w.converged_after, w.converged_by,
	       max(1, (min(e.at + c.precision_us, coalesce(w.converged_by, 9223372036854775807)) - w.opened_by + 999) / 1000) AS most,
	       coalesce((SELECT CAST(t.value AS INTEGER) FROM setting t WHERE t.incident = e.incident AND t.name = 'cluster-node-timeout' AND CAST(t.value AS INTEGER) > 0
	           ORDER BY t.basis = 'seen' DESC, t.setting_id DESC LIMIT 1), (SELECT value / 1000 FROM parameter WHERE name = 'node_timeout_us')) AS timeout_ms
	FROM failover_error e LEFT JOIN coarse c ON c.incident = e.incident AND c.source = e.source AND c.position = e.position LEFT JOIN window w USING (window_id)
)
SELECT error_id, precision_us, strftime(CASE WHEN precision_us >= 60000000 THEN '%Y-%m-%dT%H:%M' ELSE '%Y-%m-%dT%H:%M:%S' END, at / 1000000, 'unixepoch') ||
           CASE WHEN precision_us >= 1000000 THEN '' ELSE printf('.%03d', at / 1000 % 1000) END AS said_at,
       max(divergence_ms, coalesce(most, divergence_ms)) AS divergence_most_ms,
       CASE WHEN gate = 'back-off' THEN max(backoff_ms, coalesce(min(2 * most, timeout_ms), backoff_ms)) END AS backoff_most_ms,
       CASE WHEN precision_us IS NULL OR most IS NULL THEN backoff_sufficient
            WHEN backoff_sufficient = 1 THEN 1
            WHEN backoff_sufficient = 0 AND at + precision_us + 1000 * min(2 * most, timeout_ms) < converged_after THEN 0 END AS sufficient
FROM late;
CREATE UNIQUE INDEX temp.error_time_id ON error_time (error_id);

-- One row: what an undetermined error lacks, as a code and in words.
CREATE TEMP TABLE missing_word (code TEXT PRIMARY KEY, says TEXT NOT NULL);
INSERT INTO missing_word
SELECT DISTINCT trim(j.value), CASE
           WHEN j.value LIKE '%view-of:%' THEN 'the view of ' || substr(trim(j.value), 9) || ' at that time'
           WHEN j.value LIKE '%server-log:%' THEN 'the server log of ' || substr(trim(j.value), 12)
           ELSE CASE trim(j.value)
               WHEN 'time' THEN 'the time of the error' WHEN 'slot' THEN 'the slot of the command'
               WHEN 'client-endpoint' THEN 'which nodes the client asked' WHEN 'redirect' THEN 'the redirects before the error'
               WHEN 'claimant-contact' THEN 'whether the client could reach the owner' WHEN 'clock' THEN 'clocks that can be compared'
               ELSE trim(j.value) END END
FROM failover_error e, json_each('["' || replace(replace(replace(e.missing, '\', ''), '"', ''), ',', '","') || '"]') j
WHERE e.missing IS NOT NULL;

-- One row: errors alike.  error_id, reason, source and position are those of the
-- first; gate_says and missing_says are for people.
CREATE TEMP TABLE error_group AS
WITH ranked AS (
	SELECT e.*, row_number() OVER (PARTITION BY alike ORDER BY at, e.error_id) AS nth, count(*) OVER g AS errors, min(at_utc) OVER g AS first_utc, max(at_utc) OVER g AS last_utc,
	       min(said_at) OVER g || 'Z' AS first_said, max(said_at) OVER g || 'Z' AS last_said,
	       min(slot) OVER g AS slot_min, max(slot) OVER g AS slot_max, min(backoff_ms) OVER g AS backoff_min_ms, max(backoff_ms) OVER g AS backoff_max_ms,
	       max(backoff_most_ms) OVER g AS backoff_most_ms, max(precision_us) OVER g AS precision_us
	FROM failover_error e JOIN error_member USING (error_id) JOIN error_time USING (error_id)
	WINDOW g AS (PARTITION BY alike)
)
SELECT row_number() OVER (ORDER BY incident, first_utc IS NULL, first_utc, error_id) AS group_id,
       error_id, (SELECT n.name FROM error_name n WHERE n.error_id = ranked.error_id) AS name,
       client, library, CASE WHEN instr(message, error_class) = 1 THEN NULL ELSE error_class END AS error_class, message, window_id, verdict, leans, rule, fault, confidence, inferred, reason,
       gate, backoff_max_ms, missing, errors, first_utc, last_utc, slot_min, slot_max, chain, source, position,
       source || coalesce(CASE (SELECT i.kind FROM input i WHERE i.source = ranked.source AND i.incident = ranked.incident) WHEN 'capture' THEN '#' ELSE ':' END || position, '') AS locus,
       first_said, last_said,
       CASE gate WHEN 'raise' THEN 'would raise at once' WHEN 'raise-slot-map-corruption' THEN 'would raise SlotMapCorruptionError' WHEN 'none' THEN 'would not raise'
           WHEN 'back-off' THEN 'would back off' || CASE WHEN backoff_max_ms IS NULL THEN '' WHEN backoff_most_ms > backoff_max_ms THEN printf(' %d to %d ms: its log states whole %s', backoff_min_ms, backoff_most_ms,
               CASE WHEN precision_us >= 60000000 THEN 'minutes' ELSE 'seconds' END) WHEN errors > 1 AND backoff_min_ms < backoff_max_ms THEN printf(' %d to %d ms', backoff_min_ms, backoff_max_ms) ELSE printf(' %d ms', backoff_max_ms) END
           ELSE 'cannot be said' END AS gate_says,
       (SELECT group_concat(m.says, ', ') FROM json_each('["' || replace(replace(replace(ranked.missing, '\', ''), '"', ''), ',', '","') || '"]') j JOIN missing_word m ON m.code = trim(j.value)) AS missing_says,
       incident
FROM ranked
WHERE nth = 1;

-- One row: an error whose chain shows which address the client took for which:
-- where it was sent, and where it asked instead.
CREATE TEMP TABLE taken_for AS
SELECT error_id, client, incident, sent_to, asked FROM (
	SELECT e.error_id, e.client, e.incident, substr(a.value, instr(a.value, '>') + 1) AS sent_to, substr(b.value, 1, instr(b.value, '>') - 1) AS asked,
	       row_number() OVER (PARTITION BY e.error_id ORDER BY a.key) AS nth
	FROM failover_error e, json_each('["' || replace(replace(replace(e.chain, '\', ''), '"', ''), ',', '","') || '"]') a,
	     json_each('["' || replace(replace(replace(e.chain, '\', ''), '"', ''), ',', '","') || '"]') b
	WHERE e.fault = 'address-alias' AND b.key = a.key + 1
	  AND substr(a.value, instr(a.value, '>') + 1) <> substr(b.value, 1, instr(b.value, '>') - 1))
WHERE nth = 1 AND sent_to <> '' AND asked <> '';

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

CREATE INDEX temp.node_label_id ON node_label (id, incident);

-- One row: what one node said of another's health, as a sentence; down: whether
-- it says that that node is gone.
CREATE TEMP TABLE health AS
WITH word (event, down, says) AS (VALUES
	('fail-marked', 1, '%s says %s FAIL'),
	('fail-received', 1, '%s says %s FAIL'),
	('fail-cleared', 0, '%s says %s no longer FAIL'),
	('possibly-failing', 1, '%s says %s PFAIL'),
	('failure-report', 1, '%s is told that %s is PFAIL'),
	('failure-report-withdrawn', 0, '%s is told that %s is back')
), said AS (
	SELECT v.at, v.kind, v.event, coalesce(m.name, o.name) AS observer,
	       coalesce(n.name, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port) AS about,
	       v.event || coalesce(' epoch ' || v.epoch, '') || coalesce(': ' || v.detail, '') AS detail, v.source, v.source_kind, v.position, v.incident
	FROM c_server_event v JOIN observer o USING (observer_id)
	LEFT JOIN node m ON m.node_id = o.node_id LEFT JOIN node n ON n.node_id = v.subject_id LEFT JOIN endpoint e ON e.endpoint_id = v.subject_endpoint_id
	WHERE v.kind IN ('fail', 'pfail')
)
SELECT t.at, strftime('%Y-%m-%dT%H:%M:%S', t.at / 1000000, 'unixepoch') || printf('.%06dZ', t.at % 1000000) AS at_utc, t.kind, t.event, w.down, t.observer, t.about, t.detail,
       t.source, t.position, t.source || CASE t.source_kind WHEN 'capture' THEN '#' ELSE ':' END || t.position AS locus, t.incident,
       coalesce(a.addr, t.observer) AS observer_addr, coalesce(b.addr, substr(t.about, 1, 8), 'an unknown node') AS about_addr,
       printf(w.says, coalesce(a.addr, t.observer), coalesce(b.addr, substr(t.about, 1, 8), 'an unknown node')) AS sentence
FROM said t JOIN word w USING (event) LEFT JOIN node_label a ON a.id = t.observer AND a.incident = t.incident
LEFT JOIN node_label b ON b.id = t.about AND b.incident = t.incident, temp.scope s
WHERE (s.incident IS NULL OR t.incident = s.incident)
  AND (s.since IS NULL OR t.at >= s.since)
  AND (s.until IS NULL OR t.at <= s.until)
  AND (s.client IS NULL OR instr(t.observer, s.client))
  AND (s.node IS NULL OR instr(lower(t.observer || ' ' || coalesce(a.addr, '') || ' ' || coalesce(t.about, '') || ' ' || coalesce(b.addr, '')), s.node))
  AND s.slot IS NULL
ORDER BY t.incident, t.at, t.observer, t.about, t.source, t.position;
CREATE INDEX temp.health_at ON health (at, observer, source, position);

-- One row: a window and what shows its edges, as a line or frame: the new owner's
-- promotion or first claim (of an old owner that came back, its claim), the old
-- owner's demotion or first word of the new one.
CREATE TEMP TABLE window_proof AS
WITH turn AS (
	SELECT v.kind, n.name AS node, v.incident, v.at, v.source || CASE v.source_kind WHEN 'capture' THEN '#' ELSE ':' END || v.position AS locus
	FROM c_server_event v JOIN observer o USING (observer_id) JOIN node n ON n.node_id = o.node_id
	WHERE v.kind IN ('promotion', 'demotion')
), word AS (
	SELECT w.window_id, 'opened' AS edge, o.first_at AS at, o.source, o.position
	FROM window w JOIN slot_owner o ON o.incident = w.incident AND o.observer = w.new_owner_id AND o.owner_id = w.new_owner_id
	    AND o.first_at BETWEEN coalesce(w.opened_after, w.opened_by) AND w.opened_by
	WHERE w.cause NOT IN ('stale-return', 'stale-promotion')
	UNION ALL SELECT w.window_id, 'opened', o.first_at, o.source, o.position
	FROM window w JOIN slot_owner o ON o.incident = w.incident AND o.observer = w.old_owner_id AND o.owner_id = w.old_owner_id
	    AND o.first_at BETWEEN coalesce(w.opened_after, w.opened_by) AND w.opened_by
	WHERE w.cause IN ('stale-return', 'stale-promotion')
	UNION ALL SELECT w.window_id, 'closed', o.first_at, o.source, o.position
	FROM window w JOIN slot_owner o ON o.incident = w.incident AND o.observer = w.old_owner_id AND o.owner_id = w.new_owner_id
	    AND o.first_at BETWEEN coalesce(w.closed_after, w.closed_by) AND w.closed_by
	WHERE w.close_reason = 'old-owner-yielded'
)
SELECT w.window_id,
       coalesce((SELECT t.locus FROM turn t WHERE t.incident = w.incident AND t.kind = 'promotion' AND t.node = w.new_owner_id AND t.at BETWEEN coalesce(w.opened_after, w.opened_by) - 1000 AND w.opened_by ORDER BY t.at, t.locus LIMIT 1),
           (SELECT x.source || CASE (SELECT kind FROM input i WHERE i.source = x.source AND i.incident = w.incident) WHEN 'capture' THEN '#' ELSE ':' END || x.position FROM word x
            WHERE x.window_id = w.window_id AND x.edge = 'opened' ORDER BY x.at, x.source, x.position LIMIT 1)) AS opened,
       coalesce((SELECT t.locus FROM turn t WHERE t.incident = w.incident AND t.kind = 'demotion' AND t.node = w.old_owner_id AND t.at BETWEEN coalesce(w.closed_after, w.closed_by) - 1000 AND w.closed_by ORDER BY t.at, t.locus LIMIT 1),
           (SELECT x.source || CASE (SELECT kind FROM input i WHERE i.source = x.source AND i.incident = w.incident) WHEN 'capture' THEN '#' ELSE ':' END || x.position FROM word x
            WHERE x.window_id = w.window_id AND x.edge = 'closed' ORDER BY x.at, x.source, x.position LIMIT 1)) AS closed
FROM window w WHERE w.cause <> 'migration' ORDER BY w.window_id LIMIT 200;

-- One row: a window and how long it lasted, in words: what is known of its edges
-- gives the least and the most.
CREATE TEMP TABLE window_lasted AS
SELECT window_id, min_ms, max_ms,
       CASE WHEN min_ms = max_ms THEN max_ms || ' ms' WHEN max_ms IS NOT NULL THEN coalesce(min_ms, 0) || ' to ' || max_ms || ' ms'
            WHEN min_ms > 0 THEN 'at least ' || min_ms || ' ms' WHEN close_reason = 'still-open' THEN 'to the end of the evidence' ELSE 'an unknown time' END AS lasted,
       CASE close_reason WHEN 'old-owner-yielded' THEN 'until the old owner yielded' WHEN 'old-owner-unreachable' THEN 'until the old owner could not be reached' ELSE 'still open' END AS ended
FROM window;
CREATE UNIQUE INDEX temp.window_lasted_id ON window_lasted (window_id);

-- One row: an observation that a verdict rests on, with its line or frame.  A
-- view that was said before and still held bears the episode's time: its line or
-- frame is found by the time of its first word.  A view, as few are ever read.
CREATE TEMP VIEW evidence_line AS
SELECT v.error_id, v.role, v.at, v.source, v.position,
       coalesce(v.source || coalesce(CASE (SELECT i.kind FROM temp.input i WHERE i.source = v.source AND i.incident = v.incident) WHEN 'capture' THEN '#' ELSE ':' END || v.position, '') || '  ', '') ||
       coalesce(v.at_utc || '  ', '') || v.text ||
       CASE v.role WHEN 'view' THEN coalesce((SELECT ', first said at ' || o.first_at_utc FROM temp.slot_owner o
           WHERE o.source = v.source AND o.position = v.position AND o.incident = v.incident AND o.first_at < v.at AND o.last_at >= v.at LIMIT 1), '') ELSE '' END AS sentence
FROM temp.error_evidence v;
