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
--	error_from, error_to	error_id from this to that: explain reads one error
--			of a million without looking at the others
-- Makes temporary relations of the same names and columns.  Names that are not
-- qualified find these first, so every query of a report keeps to the scope
-- without saying so, and the timeline is not written to.

CREATE TEMP TABLE failover_error AS
SELECT e.*
FROM temp.scope s CROSS JOIN main.failover_error e
LEFT JOIN main.window w ON w.window_id = e.window_id
WHERE e.error_id BETWEEN s.error_from AND s.error_to
  AND (s.incident IS NULL OR e.incident = s.incident)
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
-- Counts are of what is in scope; what cannot be counted so is not said.
UPDATE temp.window SET redirects = NULL, errors = coalesce((SELECT e.n FROM (SELECT window_id, count(*) AS n FROM temp.failover_error GROUP BY window_id) e
    WHERE e.window_id = window.window_id), 0)
WHERE (SELECT limited FROM temp.scope);

-- Views, not tables: a report reads those of the first error of each group only.
CREATE TEMP VIEW error_condition AS
SELECT * FROM main.error_condition WHERE error_id IN (SELECT error_id FROM temp.failover_error);
CREATE TEMP VIEW error_evidence AS
SELECT * FROM main.error_evidence WHERE error_id IN (SELECT error_id FROM temp.failover_error);

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
  AND (s.node IS NULL OR instr(lower(c.endpoint), s.node))
  AND ((s.client IS NULL AND s.verdict IS NULL AND s.slot IS NULL) OR c.window_id IN (SELECT window_id FROM temp.window));

-- Not limited: what was read stands behind everything else.
CREATE TEMP TABLE input AS
SELECT i.* FROM main.input i, temp.scope s
WHERE s.incident IS NULL OR i.incident = s.incident;
