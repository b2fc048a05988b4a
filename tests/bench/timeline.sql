-- timeline.sql - base rows of a large incident, made from nothing: a cluster of
-- three shards of two nodes each, one failover after the other, observed every
-- 50 ms; a million redirects and a hundred thousand errors of 200 clients.
--
-- Run on a timeline that `slotrace set` made:
--	sqlite3 t.db "CREATE TEMP TABLE size AS SELECT 1000 AS windows" ".read timeline.sql"
-- A window is 2 s apart from the next; for 300 ms of it two nodes claim a shard.

BEGIN;
CREATE TEMP TABLE w AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL
    SELECT i + 1 FROM n WHERE i + 1 < (SELECT windows FROM size))
SELECT i, i % 3 AS shard, i / 3 % 2 AS old, 1796004000000000 + i * 2000000 AS at FROM n;

INSERT INTO source (source_id, incident, name, kind, status, bytes, records, first_at, last_at, at_basis, precision_us)
SELECT 1, 'bench', 'capture.pcap', 'capture', 'read', 4000000000, 2000000000, min(at), max(at) + 2000000, 'stated', 1 FROM w;
INSERT INTO source (source_id, incident, name, kind, status, bytes, records, first_at, last_at, at_basis, precision_us)
SELECT 2, 'bench', 'app.log', 'client-log', 'read', 4000000000, 2000000000, min(at), max(at) + 2000000, 'stated', 1000 FROM w;

-- Node and endpoint 1 to 6: shard + 1 is its first node, shard + 4 its second.
INSERT INTO node (node_id, incident, name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
    SELECT i + 1 FROM n WHERE i < 6) SELECT i, 'bench', printf('%040x', i * 1048583) FROM n;
INSERT INTO endpoint (endpoint_id, incident, host, port) SELECT node_id, 'bench',
    '10.0.0.' || (10 + node_id), 6379 FROM node;
INSERT INTO observer (observer_id, incident, kind, name, node_id, endpoint_id)
SELECT node_id, 'bench', 'node', name, node_id, node_id FROM node;
INSERT INTO observer (observer_id, incident, kind, name, host) WITH RECURSIVE n(i) AS (SELECT 1
    UNION ALL SELECT i + 1 FROM n WHERE i < 200)
SELECT 100 + i, 'bench', 'client', '10.0.1.' || i, '10.0.1.' || i FROM n;

-- What each node says: from the promotion on (the new owner), or 300 ms later
-- (the old one and all others), to the next promotion that it hears of.
CREATE TEMP TABLE says AS SELECT w.i, n.node_id AS who, w.at + CASE
    WHEN n.node_id = w.shard + 1 + 3 * (1 - w.old) THEN 0 ELSE 300000 END AS at
    FROM w, node n;
CREATE INDEX temp.says_who ON says (who, at);
INSERT INTO view (view_id, source_id, position, last_position, first_at, last_at, samples,
    max_gap_us, rtt_us, observer_id, kind, form, complete, state, precision_us)
SELECT s.i * 6 + s.who, 1, s.i * 6 + s.who, s.i * 6 + s.who, s.at,
    lead(s.at, 1, s.at + 1000000) OVER (PARTITION BY s.who ORDER BY s.at) - 50000, 30, 50000, 500,
    s.who, 'reply', 'nodes', 1, 'ok', 1 FROM says s;
-- Who owns a shard after window i: the side that the last window of it made.
CREATE TEMP TABLE owner AS SELECT w.i, h.shard, coalesce((SELECT 1 - v.old FROM w v
    WHERE v.shard = h.shard AND v.i <= w.i AND v.i > w.i - 3), 0) AS side
    FROM w, (SELECT 0 AS shard UNION SELECT 1 UNION SELECT 2) h;
INSERT INTO view_node (view_id, ordinal, node_id, endpoint_id, role, master_id, config_epoch,
    link_state, myself)
SELECT o.i * 6 + m.node_id, (n.node_id - 1), n.node_id, n.node_id,
    CASE WHEN (n.node_id - 1) / 3 = o.side THEN 'master' ELSE 'replica' END,
    CASE WHEN (n.node_id - 1) / 3 <> o.side THEN o.shard + 1 + 3 * o.side END,
    CASE WHEN o.i < o.shard THEN o.shard + 1 ELSE o.i - (o.i - o.shard) % 3 + 10 END, 'connected', n.node_id = m.node_id
FROM owner o JOIN node n ON (n.node_id - 1) % 3 = o.shard JOIN node m;
INSERT INTO view_slots (view_id, slot_from, slot_to, state, ordinal)
SELECT o.i * 6 + m.node_id, o.shard * 5461, min(o.shard * 5461 + 5460, 16383), 'owned',
    o.shard + 3 * o.side FROM owner o JOIN node m;

-- A thousand redirects a window: by the old owner to the new one, 250 us apart.
INSERT INTO redirect (source_id, position, request_position, at, asked_at, precision_us, at_basis,
    observer_id, code, asked_id, slot, target_id, command, connection, tcp_seq)
WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 999)
SELECT 1, w.i * 2000 + k * 2 + 2, w.i * 2000 + k * 2 + 1, w.at + 310000 + k * 250,
    w.at + 309900 + k * 250, 1, 'stated', 101 + k % 200, 'MOVED', w.shard + 1 + 3 * w.old,
    w.shard * 5461 + k % 97, w.shard + 1 + 3 * (1 - w.old), 'get', 1 + k % 200, k * 64
FROM w, n ORDER BY w.i, k;

-- Each client reaches the new owner meanwhile.
INSERT INTO contact (source_id, position, last_position, first_at, last_at, samples, max_gap_us,
    precision_us, observer_id, endpoint_id, outcome, connection)
SELECT 1, w.i * 2000 + 1, w.i * 2000 + 2000, w.at + 200000, w.at + 700000, 100, 5000, 1,
    o.observer_id, w.shard + 1 + 3 * (1 - w.old), 'ok', o.observer_id
FROM w, observer o WHERE o.kind = 'client' ORDER BY w.i, o.observer_id;

-- A hundred errors a window.
INSERT INTO client_error (source_id, position, last_position, at, precision_us, observer_id,
    library, kind, error_class, message, slot, slot_basis, target_id, last_code, attempts)
WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 99)
SELECT 2, w.i * 100 + k + 1, w.i * 100 + k + 1, w.at + 320000 + k * 2000, 1000, 101 + k % 200, 'any',
    'failover-error', 'RedisClusterFailoverError',
    'RedisClusterFailoverError: redirect cycle for slot ' || (w.shard * 5461 + k % 97),
    w.shard * 5461 + k % 97, 'stated', w.shard + 1 + 3 * (1 - w.old), 'MOVED', 3
FROM w, n ORDER BY w.i, k;
COMMIT;
