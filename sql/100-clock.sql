-- 100-clock.sql - whose clock says what.
--
-- Reads: source, clock_declared.  Makes: source_clock, one row a source: the
-- offset that is added to its times, and how uncertain the sum is; the next
-- step measures what is not declared.  The parameter clock_correction = 0 leaves
-- all times as found.  Opens the one transaction of the analysis;
-- 400-surface.sql commits it.
--
-- The views c_* below are the base tables with corrected times: no later step,
-- and no view of the query surface, reads a time from a base table.

PRAGMA foreign_keys = OFF;
BEGIN IMMEDIATE;

DROP VIEW IF EXISTS failover_error;
DROP VIEW IF EXISTS window;
DROP VIEW IF EXISTS error_condition;
DROP VIEW IF EXISTS window_condition;
DROP VIEW IF EXISTS error_evidence;
DROP VIEW IF EXISTS slot_owner;
DROP VIEW IF EXISTS timeline;
DROP VIEW IF EXISTS connect_storm;
DROP VIEW IF EXISTS input;
DROP VIEW IF EXISTS summary;
DROP VIEW IF EXISTS node_address;
DROP VIEW IF EXISTS c_source;
DROP VIEW IF EXISTS c_view;
DROP VIEW IF EXISTS c_redirect;
DROP VIEW IF EXISTS c_contact;
DROP VIEW IF EXISTS c_error;
DROP VIEW IF EXISTS c_server_event;
DROP TABLE IF EXISTS clock_order;
DROP TABLE IF EXISTS source_clock;
DROP TABLE IF EXISTS divergence_window;
DROP TABLE IF EXISTS window_segment;
DROP TABLE IF EXISTS window_observer;
DROP TABLE IF EXISTS verdict;
DROP TABLE IF EXISTS condition;
DROP TABLE IF EXISTS evidence;
DROP TABLE IF EXISTS storm;
DROP TABLE IF EXISTS window_redirect;
DROP TABLE IF EXISTS redirect_again;
DROP TABLE IF EXISTS incident_redirect;

-- One row: one source's clock.
CREATE TABLE source_clock (
	source_id	INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
	offset_us	INTEGER NOT NULL,	-- added to its times
	uncertainty_us	INTEGER NOT NULL,	-- either way, of the sum
	basis		TEXT NOT NULL CHECK (basis IN ('as-found', 'declared', 'measured', 'zone')),
	applied		INTEGER NOT NULL CHECK (applied IN (0, 1)),
	doubtful	INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1)), -- 1: it contradicts others, by how much is not sure
	against_id	INTEGER,		-- source it was measured against
	pairs		INTEGER,		-- events of its own that agree with that source
	measured_us	INTEGER,		-- what was measured, applied or not
	spread_us	INTEGER,		-- how far nine in ten of the pairs are from it
	step_after	INTEGER,		-- its clock was set anew between this position
	step_by		INTEGER NOT NULL DEFAULT 9223372036854775807, -- and this one; none: no position comes so late
	step_us		INTEGER NOT NULL DEFAULT 0, -- added besides from step_by on
	drift_from	INTEGER NOT NULL DEFAULT 0, -- its clock runs fast or slow: from this time, as found,
	drift_ppb	INTEGER NOT NULL DEFAULT 0, -- so many ns a second are added
	widen_us	INTEGER NOT NULL DEFAULT 0, -- what its times may be off by beyond the floor that all have
	either_us	INTEGER NOT NULL DEFAULT 0, -- its clock may as well be like one that this was added to
	detail		TEXT			-- for people
) STRICT;

INSERT INTO source_clock (source_id, offset_us, uncertainty_us, basis, applied)
SELECT s.source_id, coalesce(d.offset_us, 0), (SELECT value FROM parameter WHERE name = 'clock_floor_us'),
    CASE WHEN d.offset_us IS NULL THEN 'as-found' ELSE 'declared' END, d.offset_us IS NOT NULL
  FROM source s LEFT JOIN clock_declared d ON d.source_id = s.source_id
	AND coalesce((SELECT value FROM parameter WHERE name = 'clock_correction'), 1) <> 0
 ORDER BY s.source_id;

-- One row: one row of a base table, its times corrected; blur_us: how much later
-- than it says it may have been, where its source states times coarsely.
CREATE VIEW c_source AS
SELECT s.source_id, s.incident, s.name, s.kind,
    s.first_at + k.offset_us + (s.first_at - k.drift_from) * k.drift_ppb / 1000000000 AS first_at,
    s.last_at + k.offset_us + k.step_us + (s.last_at - k.drift_from) * k.drift_ppb / 1000000000 AS last_at
  FROM source s JOIN source_clock k USING (source_id);
CREATE VIEW c_view AS
SELECT v.view_id, v.source_id, v.position, v.last_position,
    v.first_at + k.offset_us + (v.position >= k.step_by) * k.step_us + (v.first_at - k.drift_from) * k.drift_ppb / 1000000000 AS first_at,
    v.last_at + k.offset_us + (v.last_position >= k.step_by) * k.step_us + (v.last_at - k.drift_from) * k.drift_ppb / 1000000000 AS last_at,
    v.samples, v.max_gap_us, v.rtt_us, v.at_basis, v.precision_us,
    CASE WHEN v.precision_us > 1000 THEN v.precision_us ELSE 0 END AS blur_us, v.observer_id, v.kind, v.form, v.complete, v.partial, v.asked_by, v.current_epoch, v.state,
    k.uncertainty_us, k.widen_us, k.doubtful, s.incident, s.name AS source
  FROM view v JOIN source_clock k USING (source_id) JOIN source s USING (source_id);
CREATE VIEW c_redirect AS
SELECT r.redirect_id, r.source_id, r.position, r.request_position,
    r.at + k.offset_us + (r.position >= k.step_by) * k.step_us + (r.at - k.drift_from) * k.drift_ppb / 1000000000 AS at,
    r.asked_at + k.offset_us + (r.position >= k.step_by) * k.step_us + (r.asked_at - k.drift_from) * k.drift_ppb / 1000000000 AS asked_at,
    r.precision_us, r.observer_id, r.code, r.asked_id, r.slot,
    r.target_id, r.command, r.context, r.asking, r.client_error_id, r.hop, r.connection, r.tcp_seq,
    r.detail, k.uncertainty_us, k.widen_us, k.doubtful, s.incident, s.kind AS source_kind, s.name AS source
  FROM redirect r JOIN source_clock k USING (source_id) JOIN source s USING (source_id);
CREATE VIEW c_contact AS
SELECT c.contact_id, c.source_id, c.position, c.last_position,
    c.first_at + k.offset_us + (c.position >= k.step_by) * k.step_us + (c.first_at - k.drift_from) * k.drift_ppb / 1000000000 AS first_at,
    c.last_at + k.offset_us + (c.last_position >= k.step_by) * k.step_us + (c.last_at - k.drift_from) * k.drift_ppb / 1000000000 AS last_at,
    c.samples, c.max_gap_us, c.precision_us, CASE WHEN c.precision_us > 1000 THEN c.precision_us ELSE 0 END AS blur_us, c.observer_id, c.endpoint_id,
    c.outcome, c.retries, c.context, c.detail, k.uncertainty_us, k.widen_us, k.doubtful, s.incident, s.kind AS source_kind, s.name AS source
  FROM contact c JOIN source_clock k USING (source_id) JOIN source s USING (source_id);
CREATE VIEW c_error AS
SELECT e.client_error_id, e.source_id, e.position, e.last_position,
    e.at + k.offset_us + (e.position >= k.step_by) * k.step_us + (e.at - k.drift_from) * k.drift_ppb / 1000000000 AS at,
    e.started_at + k.offset_us + (e.position >= k.step_by) * k.step_us + (e.started_at - k.drift_from) * k.drift_ppb / 1000000000 AS started_at,
    e.precision_us, CASE WHEN e.precision_us > 1000 THEN e.precision_us ELSE 0 END AS blur_us, e.at_basis, e.observer_id, e.library, e.kind,
    e.error_class, e.message, e.slot, e.slot_basis, e.asked_id, e.target_id, e.last_code, e.attempts,
    e.timer, e.context, e.rule, e.budget, e.backoff_ms, k.uncertainty_us, k.widen_us, k.doubtful, s.incident, s.name AS source
  FROM client_error e JOIN source_clock k USING (source_id) JOIN source s USING (source_id);
CREATE VIEW c_server_event AS
SELECT v.server_event_id, v.source_id, v.position, v.last_position,
    v.at + k.offset_us + (v.position >= k.step_by) * k.step_us + (v.at - k.drift_from) * k.drift_ppb / 1000000000 AS at,
    v.last_at + k.offset_us + (v.last_position >= k.step_by) * k.step_us + (v.last_at - k.drift_from) * k.drift_ppb / 1000000000 AS last_at,
    v.samples, v.precision_us, CASE WHEN v.precision_us > 1000 THEN v.precision_us ELSE 0 END AS blur_us, v.observer_id, v.kind, v.event, v.role,
    v.subject_id, v.subject_endpoint_id, v.other_id, v.epoch, v.slots, v.detail, k.uncertainty_us,
    k.widen_us, k.doubtful, s.incident, s.kind AS source_kind, s.name AS source
  FROM server_event v JOIN source_clock k USING (source_id) JOIN source s USING (source_id);
