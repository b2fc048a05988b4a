-- digest.sql - what every report for people needs, before any format.
--
-- Reads the views in scope (scope.sql), error_name (src/report/scope.c),
-- problem, source, source_clock, observer, node, endpoint, server_event,
-- client_error, setting and parameter.
-- Makes temp.coarse, temp.error_time, temp.missing_word,
-- temp.error_group, temp.taken_for, temp.loss, temp.clock_said, temp.rule_text, temp.node_label, temp.health, temp.window_proof, temp.window_lasted,
-- temp.evidence_line, temp.copy_of, temp.input_said, temp.last_word.

-- One row: a source that was not read because another one has its bytes, and that
-- one: of several the one that is called alike.
CREATE TEMP TABLE copy_of (incident TEXT, name TEXT, original TEXT, PRIMARY KEY (incident, name)) WITHOUT ROWID;
INSERT INTO copy_of
SELECT incident, name, original FROM (
	SELECT d.incident, d.name, o.name AS original,
	       row_number() OVER (PARTITION BY d.incident, d.name ORDER BY substr(d.name, -length(o.file)) = o.file DESC, o.name) AS nth
	FROM source d JOIN (
		SELECT incident, xxh3, bytes, name, replace(name, rtrim(name, replace(replace(name, '/', ''), ':', '')), '') AS file FROM source WHERE status <> 'duplicate') o
	    ON o.incident = d.incident AND o.xxh3 = d.xxh3 AND o.bytes = d.bytes
	WHERE d.status = 'duplicate')
WHERE nth = 1;
CREATE TEMP VIEW input_said AS
SELECT i.*, i.status || coalesce(' of ' || c.original, '') AS status_said
FROM input i LEFT JOIN copy_of c ON i.status = 'duplicate' AND c.incident = i.incident AND c.name = i.source;

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
CREATE TEMP TABLE error_time (error_id INTEGER PRIMARY KEY, precision_us INTEGER, said_at TEXT, divergence_most_ms INTEGER, backoff_most_ms INTEGER, sufficient INTEGER);
INSERT INTO error_time
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

-- One row: a node and how it is called in a report, replicas too.
CREATE TEMP TABLE node_label AS
SELECT a.name AS id, coalesce(a.addr, substr(a.name, 1, 8)) AS addr, a.incident
FROM main.node_address a, temp.scope s
WHERE s.incident IS NULL OR a.incident = s.incident
ORDER BY a.incident, addr, a.name;

CREATE INDEX temp.node_label_id ON node_label (id, incident);

-- One row: what an undetermined error lacks, as a code and in words.
CREATE TEMP TABLE missing_word (code TEXT PRIMARY KEY, says TEXT NOT NULL);
INSERT INTO missing_word
SELECT code, CASE
           WHEN node IS NOT NULL THEN printf(CASE WHEN code LIKE 'view-of:%' THEN 'the view of %s at that time' ELSE 'the server log of %s' END,
               coalesce((SELECT min(l.addr) FROM node_label l WHERE l.id = node), CASE WHEN node = '' THEN 'a node that is not known' WHEN node = 'owner' THEN 'the owner' WHEN length(node) = 40 THEN substr(node, 1, 8) ELSE node END))
           ELSE CASE code
               WHEN 'time' THEN 'the time of the error' WHEN 'slot' THEN 'the slot of the command'
               WHEN 'client-endpoint' THEN 'which nodes the client asked' WHEN 'redirect' THEN 'the redirects before the error'
               WHEN 'claimant-contact' THEN 'whether the client could reach the owner' WHEN 'clock' THEN 'clocks that can be compared'
               ELSE code END END
FROM (SELECT DISTINCT trim(j.value) AS code, CASE WHEN trim(j.value) LIKE 'view-of:%' OR trim(j.value) LIKE 'server-log:%' THEN substr(trim(j.value), instr(trim(j.value), ':') + 1) END AS node
      FROM (SELECT DISTINCT missing FROM failover_error WHERE missing IS NOT NULL) e,
           json_each('["' || replace(replace(replace(e.missing, '\', ''), '"', ''), ',', '","') || '"]') j);

-- One row: errors alike: of one client in one window with one verdict for one
-- reason.  error_id, message, reason, source and position are those of the first;
-- gate_says and missing_says are for people.  Folded before anything is joined:
-- there may be a million.
CREATE TEMP TABLE error_group AS
WITH g AS (
	SELECT min(e.error_id) AS error_id, count(*) AS errors, min(at_utc) AS first_utc, max(at_utc) AS last_utc,
	       min(said_at) || 'Z' AS first_said, max(said_at) || 'Z' AS last_said, min(slot) AS slot_min, max(slot) AS slot_max,
	       min(backoff_ms) AS backoff_min_ms, max(backoff_ms) AS backoff_max_ms, max(backoff_most_ms) AS backoff_most_ms, max(precision_us) AS precision_us
	FROM failover_error e JOIN error_time USING (error_id)
	GROUP BY incident, client, window_id, verdict, leans, rule, fault, confidence, gate, missing, inferred
)
SELECT row_number() OVER (ORDER BY e.incident, g.first_utc IS NULL, g.first_utc, g.error_id) AS group_id,
       g.error_id, (SELECT n.name FROM error_name n WHERE n.error_id = g.error_id) AS name,
       e.client, e.library, CASE WHEN instr(e.message, e.error_class) = 1 THEN NULL ELSE e.error_class END AS error_class, e.message, e.window_id, e.verdict, e.leans, e.rule, e.fault, e.confidence, e.inferred, e.reason,
       e.gate, g.backoff_max_ms, e.missing, g.errors, g.first_utc, g.last_utc, g.slot_min, g.slot_max, e.chain, e.source, e.position,
       e.source || coalesce(CASE (SELECT i.kind FROM input i WHERE i.source = e.source AND i.incident = e.incident) WHEN 'capture' THEN '#' ELSE ':' END || e.position, '') AS locus,
       g.first_said, g.last_said,
       CASE e.gate WHEN 'raise' THEN 'would raise at once' WHEN 'raise-slot-map-corruption' THEN 'would raise SlotMapCorruptionError' WHEN 'none' THEN 'would not raise'
           WHEN 'back-off' THEN 'would back off' || CASE WHEN g.backoff_max_ms IS NULL THEN '' WHEN g.backoff_most_ms > g.backoff_max_ms THEN printf(' %d to %d ms: its log states whole %s', g.backoff_min_ms, g.backoff_most_ms,
               CASE WHEN g.precision_us >= 60000000 THEN 'minutes' ELSE 'seconds' END) WHEN g.errors > 1 AND g.backoff_min_ms < g.backoff_max_ms THEN printf(' %d to %d ms', g.backoff_min_ms, g.backoff_max_ms) ELSE printf(' %d ms', g.backoff_max_ms) END
           ELSE 'cannot be said' END AS gate_says,
       (SELECT group_concat(says, ', ') FROM (SELECT m.says FROM json_each('["' || replace(replace(replace(e.missing, '\', ''), '"', ''), ',', '","') || '"]') j JOIN missing_word m ON m.code = trim(j.value)
           GROUP BY m.says ORDER BY min(j.key))) AS missing_says,
       e.incident
FROM g JOIN failover_error e USING (error_id);

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

-- One row: what is said of the clock of an input, or of several alike: what was
-- added to its times, what was measured and not added, what its lines leave open.
CREATE TEMP TABLE clock_said AS
SELECT s.incident, 1 AS rank, s.name AS source, printf('%s ms (%s)', i.clock_offset_ms, i.clock_basis) AS sentence
FROM input i JOIN source s ON s.name = i.source AND s.incident = i.incident
WHERE i.clock_offset_ms <> 0 AND s.status IN ('read', 'partial')
UNION ALL
SELECT s.incident, 2, s.name, 'may be off: ' || coalesce(k.detail, 'its events contradict those of others')
FROM source s JOIN source_clock k USING (source_id), temp.scope c
WHERE k.basis = 'as-found' AND k.widen_us > 0 AND (c.incident IS NULL OR s.incident = c.incident)
UNION ALL
SELECT s.incident, 3, s.name, 'as declared, but ' || k.detail
FROM source s JOIN source_clock k USING (source_id), temp.scope c
WHERE k.basis = 'declared' AND abs(k.measured_us - k.offset_us) > 50000 AND (c.incident IS NULL OR s.incident = c.incident)
UNION ALL
SELECT s.incident, 4, min(s.name) || CASE count(*) WHEN 1 THEN '' ELSE printf(' and %d more %s%s', count(*) - 1, replace(s.kind, '-', ' '), CASE count(*) WHEN 2 THEN '' ELSE 's' END) END,
       CASE s.at_basis WHEN 'assumed-utc' THEN 'no zone in the log; read as UTC'
           ELSE printf('no year in the log; taken from the file''s modification time (%s)', CASE WHEN min(s.mtime) = max(s.mtime) THEN '' ELSE 'of the first ' END || strftime('%Y-%m-%d', min(s.mtime) / 1000000, 'unixepoch')) END
FROM source s JOIN source_clock k USING (source_id), temp.scope c
WHERE s.kind IN ('client-log', 'server-log') AND s.at_basis IN ('assumed-utc', 'file-time') AND s.status IN ('read', 'partial') AND k.basis NOT IN ('zone', 'declared')
  AND (c.incident IS NULL OR s.incident = c.incident)
GROUP BY s.incident, s.kind, s.at_basis
UNION ALL
SELECT s.incident, 5, min(s.name) || CASE count(*) WHEN 1 THEN '' ELSE printf(' and %d more topology dump%s', count(*) - 1, CASE count(*) WHEN 2 THEN '' ELSE 's' END) END,
       'no time in it; ' || CASE s.at_basis WHEN 'pong' THEN printf('taken from its newest pong, and it may be up to %.1f s later', max(s.precision_us) / 1e6)
           WHEN 'file-name' THEN 'taken from the file''s name' ELSE 'taken from the file''s modification time' END
FROM source s, temp.scope c
WHERE s.kind = 'topology-dump' AND s.at_basis IN ('pong', 'file-name', 'file-time') AND s.status IN ('read', 'partial') AND (c.incident IS NULL OR s.incident = c.incident)
GROUP BY s.incident, s.at_basis
ORDER BY 1, 2, 3;

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

-- One row: an old owner whose window was not seen to end, and its last own word.
CREATE TEMP TABLE last_word AS
SELECT w.incident, w.id, max((SELECT max(v.last_at) FROM c_view v WHERE v.observer_id = o.observer_id),
       coalesce((SELECT max(coalesce(e.last_at, e.at)) FROM c_server_event e WHERE e.observer_id = o.observer_id), -9e18)) AS last_at
FROM (SELECT DISTINCT incident, old_owner_id AS id FROM window WHERE close_reason = 'still-open' AND old_owner_id IS NOT NULL) w
CROSS JOIN node n ON n.incident = w.incident AND n.name = w.id CROSS JOIN observer o ON o.node_id = n.node_id;

-- One row: a window in words: how long it lasted (what is known of its edges gives
-- the least and the most), its cause, and its owners.  One whose old owner has said
-- nothing since was not seen to go on, either.
CREATE TEMP TABLE window_lasted AS
SELECT window_id, min_ms, max_ms, unheard,
       lasted, CASE lasted WHEN 'to the end of the evidence' THEN lasted ELSE 'for ' || lasted END AS for_said,
       CASE WHEN unheard THEN 'not seen to end: nothing shows what the old owner named after ' ||
                strftime('%Y-%m-%dT%H:%M:%S', asked / 1000000, 'unixepoch') || printf('.%03dZ', asked / 1000 % 1000) ELSE ended END AS ended,
       cause_said, old_said, new_said
FROM (
SELECT window_id, min_ms, max_ms, unheard, asked,
       CASE WHEN min_ms = max_ms THEN max_ms || ' ms' WHEN max_ms IS NOT NULL THEN coalesce(min_ms, 0) || ' to ' || max_ms || ' ms'
            WHEN min_ms > 0 THEN 'at least ' || min_ms || ' ms' WHEN close_reason = 'still-open' AND NOT unheard THEN 'to the end of the evidence' ELSE 'an unknown time' END AS lasted,
       CASE close_reason WHEN 'old-owner-yielded' THEN 'until the old owner yielded' WHEN 'old-owner-unreachable' THEN 'until the old owner could not be reached' ELSE 'still open' END AS ended,
       CASE WHEN cause = 'setslot' AND new_owner_id IS NULL THEN 'slots given up' ELSE cause END AS cause_said,
       coalesce(old_owner_addr, substr(old_owner_id, 1, 8), CASE WHEN coalesce(slots, '') = '' THEN '?' ELSE 'nobody' END) AS old_said,
       coalesce(new_owner_addr, substr(new_owner_id, 1, 8), CASE WHEN closed_by IS NULL THEN 'nobody' ELSE '?' END) AS new_said
FROM (SELECT *, close_reason = 'still-open' AND old_owner_id IS NOT NULL AND new_owner_id IS NOT NULL AND coalesce(asked <= opened_by, 0) AS unheard
      FROM (SELECT w.*, coalesce((SELECT nullif(max(l.last_at), -9e18) FROM last_word l WHERE l.id = w.old_owner_id AND l.incident = w.incident), w.opened_by) AS asked FROM window w)));
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
