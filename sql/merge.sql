-- merge.sql - the base rows of another timeline, attached as `shard`, into this.
--
-- Runs inside the caller's transaction.  A source that is here already (same
-- incident and content; unread ones: same name) is left out with all that it
-- said, so merging twice changes nothing; so is an earlier, shorter state of one.
-- Answers of other nodes than those here are taken, though they are the same bytes
-- (take_twin, by the caller).
-- Ids are given anew; names (node,
-- endpoint, observer) meet by what they are called.  The limits of the analysis
-- (`parameter`) stay this timeline's own; derived tables are made anew by the
-- next analysis.

-- Sources to take, a rotated set whole, with their new ids.
CREATE TEMP TABLE take_source AS
SELECT s.source_id AS old,
       (SELECT coalesce(max(source_id), 0) FROM main.source)
           + row_number() OVER (ORDER BY s.source_id) AS new
FROM shard.source s
JOIN shard.source f ON f.source_id = coalesce(s.group_id, s.source_id)
WHERE NOT EXISTS (
    SELECT 1 FROM main.source m
    WHERE m.incident = f.incident
      AND m.xxh3 IS f.xxh3
      AND (f.xxh3 IS NULL AND m.name = f.name
           OR f.xxh3 IS NOT NULL AND m.bytes = f.bytes
               AND (f.status <> 'duplicate' OR m.name = f.name)
               AND (m.status <> 'duplicate' OR m.name = f.name AND f.status = 'duplicate')
               AND f.source_id NOT IN (SELECT source_id FROM temp.take_twin)))
  AND NOT EXISTS (
    SELECT 1 FROM main.source_prefix p JOIN main.source m USING (source_id)
    WHERE m.incident = f.incident AND p.xxh3 = f.xxh3 AND p.bytes = f.bytes
      AND f.status <> 'duplicate');
CREATE UNIQUE INDEX temp.take_source_old ON take_source (old);

INSERT INTO main.source
SELECT t.new, s.incident, s.name, s.kind, s.status, s.bytes, s.xxh3, s.head, g.new,
       s.group_part, s.records, s.problems, s.first_at, s.last_at, s.at_basis,
       s.precision_us, s.mtime, s.detail
FROM take_source t
JOIN shard.source s ON s.source_id = t.old
LEFT JOIN take_source g ON g.old = s.group_id
ORDER BY t.new;

-- What they were when they were shorter (the caller then removes such states).
INSERT OR IGNORE INTO main.source_prefix
SELECT m.source_id, p.bytes, p.xxh3
FROM shard.source_prefix p
JOIN shard.source s USING (source_id)
JOIN main.source m ON m.incident = s.incident AND m.xxh3 = s.xxh3 AND m.bytes = s.bytes
    AND m.status <> 'duplicate';

-- Names.
INSERT OR IGNORE INTO main.node (incident, name)
SELECT incident, name FROM shard.node ORDER BY node_id;
CREATE TEMP TABLE take_node AS
SELECT s.node_id AS old, m.node_id AS new
FROM shard.node s JOIN main.node m ON m.incident = s.incident AND m.name = s.name;
CREATE UNIQUE INDEX temp.take_node_old ON take_node (old);

INSERT OR IGNORE INTO main.endpoint (incident, host, port)
SELECT incident, host, port FROM shard.endpoint ORDER BY endpoint_id;
CREATE TEMP TABLE take_endpoint AS
SELECT s.endpoint_id AS old, m.endpoint_id AS new
FROM shard.endpoint s
JOIN main.endpoint m ON m.incident = s.incident AND m.host = s.host AND m.port = s.port;
CREATE UNIQUE INDEX temp.take_endpoint_old ON take_endpoint (old);

-- An observer that is called by its log, where another log here is called alike,
-- takes the name that the caller chose (take_name).
CREATE TEMP TABLE take_called AS
SELECT s.observer_id, s.incident, s.kind, coalesce(
       (SELECT t.new || substr(s.name, length(t.old) + 1) FROM temp.take_name t
        WHERE t.incident = s.incident AND t.kind = s.kind
          AND (s.name = t.old
               OR substr(s.name, 1, length(t.old) + 1) IN (t.old || ':', t.old || '/'))
        ORDER BY length(t.old) DESC LIMIT 1), s.name) AS name
FROM shard.observer s;
CREATE UNIQUE INDEX temp.take_called_old ON take_called (observer_id);
INSERT OR IGNORE INTO main.observer (incident, kind, name)
SELECT incident, kind, name FROM take_called ORDER BY observer_id;
CREATE TEMP TABLE take_observer AS
SELECT s.observer_id AS old, m.observer_id AS new, s.host, n.new AS node_id,
       e.new AS endpoint_id, s.library
FROM shard.observer s
JOIN take_called c USING (observer_id)
JOIN main.observer m ON m.incident = c.incident AND m.kind = c.kind AND m.name = c.name
LEFT JOIN take_node n ON n.old = s.node_id
LEFT JOIN take_endpoint e ON e.old = s.endpoint_id;
CREATE UNIQUE INDEX temp.take_observer_old ON take_observer (old);
UPDATE main.observer SET
    host = coalesce(observer.host, t.host),
    node_id = coalesce(observer.node_id, t.node_id),
    endpoint_id = coalesce(observer.endpoint_id, t.endpoint_id),
    library = coalesce(observer.library, t.library)
FROM take_observer t WHERE t.new = observer.observer_id;

-- Rows of the sources that are taken.
INSERT INTO main.problem (source_id, position, offset, at, at_end, code, endpoint_id,
    bytes, samples, reason)
SELECT t.new, p.position, p.offset, p.at, p.at_end, p.code, e.new, p.bytes, p.samples,
       p.reason
FROM shard.problem p
JOIN take_source t ON t.old = p.source_id
LEFT JOIN take_endpoint e ON e.old = p.endpoint_id
ORDER BY p.problem_id;

INSERT INTO main.setting (incident, source_id, position, at, observer_id, name, value,
    basis)
SELECT s.incident, t.new, s.position, s.at, o.new, s.name, s.value, s.basis
FROM shard.setting s
LEFT JOIN take_source t ON t.old = s.source_id
LEFT JOIN take_observer o ON o.old = s.observer_id
WHERE t.new IS NOT NULL
   OR s.source_id IS NULL AND NOT EXISTS (
       SELECT 1 FROM main.setting m
       WHERE m.source_id IS NULL AND m.incident = s.incident AND m.name = s.name)
ORDER BY s.setting_id;

INSERT OR IGNORE INTO main.log_rule SELECT * FROM shard.log_rule;

CREATE TEMP TABLE take_view AS
SELECT v.view_id AS old,
       (SELECT coalesce(max(view_id), 0) FROM main.view)
           + row_number() OVER (ORDER BY v.view_id) AS new
FROM shard.view v JOIN take_source t ON t.old = v.source_id;
CREATE UNIQUE INDEX temp.take_view_old ON take_view (old);

INSERT INTO main.view
SELECT w.new, t.new, v.position, v.last_position, v.first_at, v.last_at, v.samples,
       v.max_gap_us, v.rtt_us, v.at_basis, v.precision_us, o.new, v.kind, v.form,
       v.complete, v.partial, a.new, v.current_epoch, v.state, v.connection, v.tcp_seq
FROM take_view w
JOIN shard.view v ON v.view_id = w.old
JOIN take_source t ON t.old = v.source_id
JOIN take_observer o ON o.old = v.observer_id
LEFT JOIN take_observer a ON a.old = v.asked_by
ORDER BY w.new;

INSERT INTO main.view_node
SELECT w.new, n.ordinal, i.new, e.new, n.hostname, n.bus_port, n.role, n.flags, m.new,
       n.config_epoch, n.link_state, n.myself
FROM take_view w
JOIN shard.view_node n ON n.view_id = w.old
LEFT JOIN take_node i ON i.old = n.node_id
LEFT JOIN take_node m ON m.old = n.master_id
LEFT JOIN take_endpoint e ON e.old = n.endpoint_id
ORDER BY w.new, n.ordinal;

INSERT INTO main.view_slots
SELECT w.new, s.slot_from, s.slot_to, s.state, s.ordinal, p.new
FROM take_view w
JOIN shard.view_slots s ON s.view_id = w.old
LEFT JOIN take_node p ON p.old = s.peer_id
ORDER BY w.new, s.slot_from;

CREATE TEMP TABLE take_error AS
SELECT x.client_error_id AS old,
       (SELECT coalesce(max(client_error_id), 0) FROM main.client_error)
           + row_number() OVER (ORDER BY x.client_error_id) AS new
FROM shard.client_error x JOIN take_source t ON t.old = x.source_id;
CREATE UNIQUE INDEX temp.take_error_old ON take_error (old);

INSERT INTO main.client_error
SELECT w.new, t.new, x.position, x.last_position, x.at, x.started_at, x.precision_us,
       x.at_basis, o.new, x.library, x.kind, x.error_class, x.message, x.slot,
       x.slot_basis, a.new, g.new, x.last_code, x.attempts, x.timer, x.context, x.rule,
       x.budget, x.backoff_ms
FROM take_error w
JOIN shard.client_error x ON x.client_error_id = w.old
JOIN take_source t ON t.old = x.source_id
JOIN take_observer o ON o.old = x.observer_id
LEFT JOIN take_endpoint a ON a.old = x.asked_id
LEFT JOIN take_endpoint g ON g.old = x.target_id
ORDER BY w.new;

INSERT INTO main.redirect (source_id, position, request_position, at, asked_at,
    precision_us, at_basis, observer_id, code, asked_id, slot, target_id, command,
    context, asking, client_error_id, hop, connection, tcp_seq, detail)
SELECT t.new, r.position, r.request_position, r.at, r.asked_at, r.precision_us,
       r.at_basis, o.new, r.code, a.new, r.slot, g.new, r.command, r.context, r.asking,
       x.new, r.hop, r.connection, r.tcp_seq, r.detail
FROM shard.redirect r
JOIN take_source t ON t.old = r.source_id
JOIN take_observer o ON o.old = r.observer_id
LEFT JOIN take_endpoint a ON a.old = r.asked_id
LEFT JOIN take_endpoint g ON g.old = r.target_id
LEFT JOIN take_error x ON x.old = r.client_error_id
ORDER BY r.redirect_id;

INSERT INTO main.contact (source_id, position, last_position, first_at, last_at, samples,
    max_gap_us, precision_us, at_basis, observer_id, endpoint_id, outcome, retries,
    context, connection, tcp_seq, detail)
SELECT t.new, c.position, c.last_position, c.first_at, c.last_at, c.samples,
       c.max_gap_us, c.precision_us, c.at_basis, o.new, e.new, c.outcome, c.retries,
       c.context, c.connection, c.tcp_seq, c.detail
FROM shard.contact c
JOIN take_source t ON t.old = c.source_id
JOIN take_observer o ON o.old = c.observer_id
JOIN take_endpoint e ON e.old = c.endpoint_id
ORDER BY c.contact_id;

INSERT INTO main.server_event (source_id, position, last_position, at, last_at, samples,
    precision_us, at_basis, observer_id, kind, event, role, subject_id,
    subject_endpoint_id, other_id, epoch, slots, detail)
SELECT t.new, v.position, v.last_position, v.at, v.last_at, v.samples, v.precision_us,
       v.at_basis, o.new, v.kind, v.event, v.role, n.new, e.new, m.new, v.epoch, v.slots,
       v.detail
FROM shard.server_event v
JOIN take_source t ON t.old = v.source_id
JOIN take_observer o ON o.old = v.observer_id
LEFT JOIN take_node n ON n.old = v.subject_id
LEFT JOIN take_node m ON m.old = v.other_id
LEFT JOIN take_endpoint e ON e.old = v.subject_endpoint_id
ORDER BY v.server_event_id;

INSERT INTO main.command_rate
SELECT t.new, c.at, e.new, o.new, c.command, c.requests, c.connections
FROM shard.command_rate c
JOIN take_source t ON t.old = c.source_id
JOIN take_observer o ON o.old = c.observer_id
JOIN take_endpoint e ON e.old = c.endpoint_id;

INSERT INTO main.clock_declared
SELECT t.new, c.offset_us
FROM shard.clock_declared c JOIN take_source t ON t.old = c.source_id;

DROP TABLE take_source;
DROP TABLE take_node;
DROP TABLE take_endpoint;
DROP TABLE take_observer;
DROP TABLE take_called;
DROP TABLE take_name;
DROP TABLE take_twin;
DROP TABLE take_view;
DROP TABLE take_error;
