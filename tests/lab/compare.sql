-- compare.sql - a bundle's truth and labels against its timeline.
--
-- Reads: truth.json and labels.ndjson in the current folder (readfile() is the
-- sqlite3 shell's), window and failover_error of the timeline.
-- Makes: temporary tables, and prints one line: windows found and true, labels
-- counted, right, wrong, undetermined, not found, the largest distance of a
-- window's edge from its bounds in ms, errors that no label knows.
-- One millisecond is allowed: the truth is printed in whole ones.

CREATE TEMP TABLE truth AS SELECT readfile('truth.json') AS doc;

-- Segments: what the poller calls one window.  Slots on the move make many of
-- milliseconds, which are no failover: there only the errors are compared.
--  `claim` is who owns in the end.
CREATE TEMP TABLE segment AS
SELECT w.value ->> 'kind' AS kind,
	(SELECT group_concat(r.value ->> 0 || '-' || (r.value ->> 1)) FROM json_each(w.value, '$.slots') AS r) AS slots,
	w.value ->> '$.slots[0][0]' AS first_slot,
	-- SETSLOT goes slot by slot; epochs above 3 are promotions, of whole shards
	CASE WHEN coalesce((SELECT max(c.value ->> 'epoch') FROM json_each(w.value, '$.claimants') AS c), 0) <= 3
		THEN w.value ->> '$.slots[0][0]' END AS shard,
	CAST(strftime('%s', w.value ->> 'start_before') AS INTEGER) * 1000000 + substr(w.value ->> 'start_before', 21, 3) * 1000 AS opened_after,
	CAST(strftime('%s', w.value ->> 'start') AS INTEGER) * 1000000 + substr(w.value ->> 'start', 21, 3) * 1000 AS opened_by,
	CAST(strftime('%s', w.value ->> 'end_before') AS INTEGER) * 1000000 + substr(w.value ->> 'end_before', 21, 3) * 1000 AS ended_after,
	CAST(strftime('%s', w.value ->> 'end') AS INTEGER) * 1000000 + substr(w.value ->> 'end', 21, 3) * 1000 AS ended_by,
	w.value ->> 'open_at_end' AS still_open,
	(SELECT c.value ->> 'id' FROM json_each(w.value, '$.claimants') AS c ORDER BY c.value ->> 'epoch' DESC LIMIT 1) AS claimant,
	(SELECT max(c.value ->> 'epoch') FROM json_each(w.value, '$.claimants') AS c) AS epoch
FROM truth, json_each(doc, '$.windows') AS w
WHERE w.value ->> 'kind' = 'view-divergence' AND doc ->> 'scenario' <> 'resharding';

-- Segments of one promotion, less than half a second apart, are one window.
CREATE TEMP TABLE true_window AS
WITH step AS (
	SELECT *, opened_by - max(ended_by) OVER (PARTITION BY claimant, epoch, shard ORDER BY opened_by
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS gap
	FROM segment
), numbered AS (
	SELECT *, sum(gap IS NULL OR gap > 500000) OVER (PARTITION BY claimant, epoch, shard ORDER BY opened_by) AS part
	FROM step
)
SELECT row_number() OVER (ORDER BY min(opened_by)) AS id, claimant, epoch,
	min(first_slot) AS first_slot,
	min(opened_after) - 1000 AS opened_after, min(opened_by) + 1000 AS opened_by,
	max(ended_after) - 1000 AS ended_after, max(ended_by) + 1000 AS ended_by, max(still_open) AS still_open
FROM numbered GROUP BY claimant, epoch, shard, part;

-- The timeline's window of the same owner that opens nearest to it; a second
-- away it is another, as when a slot is given back.
CREATE TEMP TABLE matched AS
WITH near AS (
	SELECT t.id, w.window_id, w.opened_after, w.opened_by, w.converged_after AS ended_after, w.converged_by AS ended_by,
		w.converged_by IS NULL AS still_open,
		row_number() OVER (PARTITION BY t.id ORDER BY abs(w.opened_by - t.opened_by) > 1000000,
			w.new_owner_id IS t.claimant DESC, abs(w.opened_by - t.opened_by), w.window_id) AS place
	FROM true_window AS t JOIN "window" AS w
		ON w.opened_after <= t.ended_by AND coalesce(w.converged_by, 9e18) >= t.opened_after
		AND (',' || replace(w.slots, '-', ',') || ',' LIKE '%,' || t.first_slot || ',%' OR w.new_owner_id = t.claimant)
)
SELECT id, window_id, opened_after, opened_by, ended_after, ended_by, still_open FROM near WHERE place = 1;

CREATE TEMP TABLE edge AS
SELECT t.id, max(0, m.opened_after - t.opened_by, t.opened_after - m.opened_by) / 1000.0 AS opened_off,
	CASE WHEN t.still_open THEN 0 WHEN m.still_open THEN max(0, m.ended_after - t.ended_by) / 1000.0
	ELSE max(0, m.ended_after - t.ended_by, t.ended_after - m.ended_by) / 1000.0 END AS ended_off
FROM true_window AS t JOIN matched AS m USING (id);

-- Labels.
CREATE TEMP TABLE label AS
WITH RECURSIVE line(text, rest) AS (
	SELECT NULL, CAST(readfile('labels.ndjson') AS TEXT)
	UNION ALL
	SELECT substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
	FROM line WHERE instr(rest, char(10)) > 0
)
SELECT text ->> 'client' AS client, text ->> 'slot' AS slot, text ->> 'verdict' AS verdict, text ->> 'message' AS message, text ->> 't' AS t,
	(text ->> 'precision_s') * 1000 AS precision_ms,
	CAST(strftime('%s', text ->> 't') AS INTEGER) * 1000 + CAST(substr(text ->> 't', 21, 3) AS INTEGER) AS ms,
	CAST(strftime('%s', text ->> 't_until') AS INTEGER) * 1000 + CAST(substr(text ->> 't_until', 21, 3) AS INTEGER) AS until_ms
FROM line WHERE text IS NOT NULL AND text ->> 'redirect_error';

-- The log's time lies between the raise and its end of being logged, on the
-- log's own scale (a clock of whole seconds lags some milliseconds).  Where that leaves several, both are taken in their order.
CREATE TEMP TABLE judged AS
WITH l AS (
	SELECT *, row_number() OVER (PARTITION BY client, slot, CAST(ms / precision_ms AS INTEGER) ORDER BY ms) AS turn FROM label
), pair AS (
	SELECT l.*, e.error_id, e.verdict AS got, e.rule, e.fault, e.reason,
		row_number() OVER (PARTITION BY l.client, l.slot, l.ms ORDER BY e.at, e.error_id) AS place
	FROM l JOIN failover_error AS e
		ON e.at / 1000 BETWEEN CAST((l.ms - (l.precision_ms >= 1000) * 10) / l.precision_ms AS INTEGER) * l.precision_ms AND l.until_ms
		AND (e.slot = l.slot OR e.slot IS NULL OR l.slot IS NULL) AND NOT e.inferred
		AND e.source LIKE '%clients/' || l.client || '.log%'
)
SELECT l.client, l.slot, l.verdict, l.message, l.ms, l.t, p.error_id, p.got, p.rule, p.fault, p.reason
FROM l LEFT JOIN pair AS p ON p.client = l.client AND p.slot IS l.slot AND p.ms = l.ms AND p.place = l.turn;

CREATE TEMP TABLE score AS
SELECT *, CASE
	WHEN verdict IN ('ambiguous', 'either', 'collision', 'unlabelled') THEN 'not counted'
	WHEN got IS NULL THEN 'not found'
	WHEN got = 'undetermined' THEN 'undetermined'
	WHEN got = verdict THEN 'right'
	WHEN verdict = 'none' AND got = 'genuine' AND fault IN ('cluster-down', 'partial-coverage') THEN 'right'
	ELSE 'wrong' END AS score
FROM judged;

.mode list
.separator "\t"
SELECT (SELECT count(*) FROM matched), (SELECT count(*) FROM true_window),
	coalesce(sum(score <> 'not counted'), 0), coalesce(sum(score = 'right'), 0), coalesce(sum(score = 'wrong'), 0),
	coalesce(sum(score = 'undetermined'), 0), coalesce(sum(score = 'not found'), 0),
	(SELECT coalesce(max(max(opened_off, ended_off)), 0) FROM edge),
	(SELECT count(*) FROM failover_error WHERE NOT inferred)
		- (SELECT count(*) FROM judged WHERE error_id IS NOT NULL),
	coalesce((SELECT group_concat(n || ' ' || v, ', ') FROM (SELECT verdict AS v, count(*) AS n FROM failover_error
		WHERE NOT inferred GROUP BY verdict ORDER BY verdict)), 'none')
FROM score;

-- What is wrong, a line each.
SELECT 'wrong', t, client, slot, 'label ' || verdict, 'got ' || coalesce(got, score), coalesce(rule, ''), coalesce(reason, message)
FROM score WHERE score IN ('wrong', 'not found', 'undetermined') ORDER BY t LIMIT 20;
SELECT 'window not found', id, claimant, epoch, first_slot, opened_by, ended_by FROM true_window
WHERE id NOT IN (SELECT id FROM matched);
SELECT 'edge', id, 'opened off by ' || opened_off, 'converged off by ' || ended_off || ' ms', 'window ' || window_id
FROM edge JOIN matched USING (id) WHERE opened_off > 0 OR ended_off > 0;
