-- scope.sql - the query surface, cut down to what a report was asked for.
--
-- Reads the promised views and temp.scope, one row, written by
-- src/report/scope.c:
--	since, until	microseconds, NULL: no limit
--	slot		a slot, NULL: all
--	client, node	part of a name, address or id, NULL: all; node in lower case
--	verdict		a verdict, NULL: all
--	incident	a name, NULL: all
--	limited		1: any of these but incident is given
-- Makes temporary relations of the same names and columns.  Names that are not
-- qualified find these first, so every query of a report keeps to the scope
-- without saying so, and the timeline is not written to.

CREATE TEMP TABLE failover_error AS
SELECT e.*
FROM main.failover_error e, temp.scope s
LEFT JOIN main.window w ON w.window_id = e.window_id
WHERE (s.incident IS NULL OR e.incident = s.incident)
  AND (s.since IS NULL OR e.at >= s.since)
  AND (s.until IS NULL OR e.at <= s.until)
  AND (s.slot IS NULL OR e.slot = s.slot)
  AND (s.client IS NULL OR instr(e.client, s.client))
  AND (s.verdict IS NULL OR e.verdict = s.verdict)
  AND (s.node IS NULL OR instr(lower(coalesce(e.claimant_id, '') || ' ' || coalesce(e.claimant_addr, '') || ' ' ||
      coalesce(e.chain, '') || ' ' || coalesce(w.old_owner_id, '') || ' ' || coalesce(w.old_owner_addr, '') || ' ' ||
      coalesce(w.new_owner_id, '') || ' ' || coalesce(w.new_owner_addr, '')), s.node))
ORDER BY e.error_id;
CREATE UNIQUE INDEX temp.failover_error_id ON failover_error (error_id);

CREATE TEMP TABLE window AS
SELECT w.*
FROM main.window w, temp.scope s
WHERE (s.incident IS NULL OR w.incident = s.incident)
  AND (s.since IS NULL OR coalesce(w.converged_by, w.closed_by, s.since) >= s.since)
  AND (s.until IS NULL OR coalesce(w.opened_after, w.opened_by) <= s.until)
  AND (s.slot IS NULL OR EXISTS (
      SELECT 1 FROM json_each('["' || replace(w.slots, ',', '","') || '"]') r
      WHERE s.slot BETWEEN CAST(r.value AS INTEGER) AND CAST(substr(r.value, instr(r.value, '-') + 1) AS INTEGER)))
  AND (s.node IS NULL OR instr(lower(coalesce(w.old_owner_id, '') || ' ' || coalesce(w.old_owner_addr, '') || ' ' ||
      coalesce(w.new_owner_id, '') || ' ' || coalesce(w.new_owner_addr, '')), s.node))
  AND ((s.client IS NULL AND s.verdict IS NULL) OR w.window_id IN (SELECT window_id FROM temp.failover_error))
ORDER BY w.window_id;

CREATE TEMP TABLE error_condition AS
SELECT * FROM main.error_condition WHERE error_id IN (SELECT error_id FROM temp.failover_error);
CREATE INDEX temp.error_condition_id ON error_condition (error_id);

CREATE TEMP TABLE error_evidence AS
SELECT * FROM main.error_evidence WHERE error_id IN (SELECT error_id FROM temp.failover_error);
CREATE INDEX temp.error_evidence_id ON error_evidence (error_id);

CREATE TEMP TABLE window_condition AS
SELECT * FROM main.window_condition WHERE window_id IN (SELECT window_id FROM temp.window);

CREATE TEMP TABLE window_observer AS
SELECT * FROM main.window_observer WHERE window_id IN (SELECT window_id FROM temp.window);

CREATE TEMP TABLE slot_owner AS
SELECT o.*
FROM main.slot_owner o, temp.scope s
WHERE (s.incident IS NULL OR o.incident = s.incident)
  AND (s.since IS NULL OR o.last_at >= s.since)
  AND (s.until IS NULL OR o.first_at <= s.until)
  AND (s.slot IS NULL OR EXISTS (
      SELECT 1 FROM json_each('["' || replace(o.slots, ',', '","') || '"]') r
      WHERE s.slot BETWEEN CAST(r.value AS INTEGER) AND CAST(substr(r.value, instr(r.value, '-') + 1) AS INTEGER)))
  AND (s.node IS NULL OR instr(lower(o.observer || ' ' || coalesce(o.owner_id, '') || ' ' || coalesce(o.owner_addr, '')), s.node));

CREATE INDEX temp.slot_owner_place ON slot_owner (source, position);
CREATE INDEX temp.slot_owner_word ON slot_owner (observer, first_at);

-- A view, not a table: it may be long, and most reports never read it.
CREATE TEMP VIEW timeline AS
SELECT t.*
FROM main.timeline t, temp.scope s
WHERE (s.incident IS NULL OR t.incident = s.incident)
  AND (s.since IS NULL OR t.at >= s.since)
  AND (s.until IS NULL OR t.at <= s.until)
  AND (s.client IS NULL OR instr(t.observer, s.client))
  AND (s.node IS NULL OR instr(lower(coalesce(t.observer, '') || ' ' || coalesce(t.subject, '')), s.node))
  AND (s.slot IS NULL OR EXISTS (
      SELECT 1 FROM json_each('["' || replace(t.slots, ',', '","') || '"]') r
      WHERE s.slot BETWEEN CAST(r.value AS INTEGER) AND CAST(substr(r.value, instr(r.value, '-') + 1) AS INTEGER)));

CREATE TEMP TABLE connect_storm AS
SELECT c.*
FROM main.connect_storm c, temp.scope s
WHERE (s.incident IS NULL OR c.incident = s.incident)
  AND (s.since IS NULL OR c.at >= s.since)
  AND (s.until IS NULL OR c.at <= s.until)
  AND (s.node IS NULL OR instr(lower(c.endpoint), s.node));

CREATE TEMP TABLE input AS
SELECT i.* FROM main.input i, temp.scope s
WHERE s.incident IS NULL OR i.incident = s.incident;

-- The counts follow the scope; what is no count of rows in scope stays as it
-- is for the whole incident, and is not shown in a limited report.
CREATE TEMP TABLE summary AS
SELECT m.*
FROM main.summary m, temp.scope s
WHERE s.incident IS NULL OR m.incident = s.incident
ORDER BY m.incident;

UPDATE temp.summary AS m SET
	errors = (SELECT count(*) FROM temp.failover_error e WHERE e.incident = m.incident),
	genuine = (SELECT count(*) FROM temp.failover_error e WHERE e.incident = m.incident AND e.verdict = 'genuine'),
	spurious = (SELECT count(*) FROM temp.failover_error e WHERE e.incident = m.incident AND e.verdict = 'spurious'),
	corruption = (SELECT count(*) FROM temp.failover_error e WHERE e.incident = m.incident AND e.verdict = 'corruption'),
	undetermined = (SELECT count(*) FROM temp.failover_error e WHERE e.incident = m.incident AND e.verdict = 'undetermined'),
	inferred = (SELECT count(*) FROM temp.failover_error e WHERE e.incident = m.incident AND e.inferred = 1),
	windows = (SELECT count(*) FROM temp.window w WHERE w.incident = m.incident AND w.cause <> 'migration'),
	migrations = (SELECT count(*) FROM temp.window w WHERE w.incident = m.incident AND w.cause = 'migration'),
	longest_ms = (SELECT max((w.closed_by - w.opened_by + 999) / 1000) FROM temp.window w WHERE w.incident = m.incident AND w.cause <> 'migration'),
	raises_avoided = NULL, raises_kept = NULL,
	backoff_p50_ms = NULL, backoff_p99_ms = NULL, backoff_max_ms = NULL,
	redirects = NULL, redirects_in_windows = NULL
WHERE (SELECT limited FROM temp.scope);
