-- story.sql - the first screen of a report: what happened, which errors were
-- justified, what to change, as sentences.
--
-- Reads the views in scope (scope.sql), the digest (digest.sql), setting,
-- source, source_clock, observer, node, view, contact, endpoint, server_event,
-- redirect and client_error.
-- Makes temp.astray, temp.refused, temp.harmless, temp.apart, temp.together, temp.cluster_of, temp.clusters, temp.summary, temp.assumed, temp.limit_said, temp.headline, temp.whose, temp.tally, temp.fact, temp.story,
-- temp.advice (and temp.chapter, temp.fate and temp.deed, of which the story is
-- made).

-- The counts follow the scope; what is no count of rows in scope is not said in a
-- limited report, but for the problems, which are of the whole incident.
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

-- One row: the limits of the report, as the options say them.
CREATE TEMP TABLE limit_said AS
SELECT group_concat(t, ', ') AS says FROM (
	SELECT 'from ' || strftime('%Y-%m-%dT%H:%M:%S', since / 1000000, 'unixepoch') || printf('.%03dZ', since / 1000 % 1000) AS t FROM temp.scope
	UNION ALL SELECT 'until ' || strftime('%Y-%m-%dT%H:%M:%S', until / 1000000, 'unixepoch') || printf('.%03dZ', until / 1000 % 1000) FROM temp.scope
	UNION ALL SELECT 'slot ' || slot FROM temp.scope UNION ALL SELECT 'client ' || client FROM temp.scope
	UNION ALL SELECT 'node ' || node FROM temp.scope UNION ALL SELECT 'verdict ' || verdict FROM temp.scope);

-- One row: an incident and how many errors it had.
CREATE TEMP TABLE headline AS
SELECT m.incident, CASE m.errors WHEN 0 THEN 'no failover error' WHEN 1 THEN '1 failover error' ELSE m.errors || ' failover errors' END ||
       CASE WHEN s.limited THEN printf(' within the limits of this report (%s), of %d in all', l.says, (SELECT w.errors FROM main.summary w WHERE w.incident = m.incident)) ELSE '' END AS sentence
FROM summary m, temp.scope s, limit_said l
ORDER BY m.incident;

-- One row: an incident and what stands before what is its, where there are others.
CREATE TEMP TABLE whose AS
SELECT incident, CASE WHEN (SELECT count(*) FROM summary) > 1 THEN incident || ': ' ELSE '' END AS prefix FROM summary;

-- One row: a log without a zone or a year that shares no moment with what states
-- both; zone: the one in which its times would meet the rest, as --zone takes it, where
-- there is one only.
CREATE TEMP TABLE astray AS
WITH RECURSIVE quarter (q) AS (SELECT -56 UNION ALL SELECT q + 1 FROM quarter WHERE q < 56),
rest AS MATERIALIZED (SELECT o.incident, min(o.first_at) AS first_at, max(o.last_at) AS last_at FROM c_source o JOIN source x USING (source_id)
	WHERE x.at_basis IN ('stated', 'envelope') AND o.first_at IS NOT NULL GROUP BY o.incident)
SELECT t.incident, t.name, t.first_at, t.last_at, s.at_basis = 'file-time' AS year,
       (SELECT CASE WHEN count(*) = 1 THEN printf('%s%02d:%02d', CASE WHEN min(q) < 0 THEN '-' ELSE '+' END, abs(min(q)) / 4, abs(min(q)) % 4 * 15) END
        FROM quarter JOIN rest r ON r.incident = t.incident
        WHERE s.at_basis = 'assumed-utc' AND t.first_at - q * 900000000 <= r.last_at + 5000000 AND t.last_at - q * 900000000 >= r.first_at - 5000000) AS zone
FROM c_source t JOIN source s USING (source_id) JOIN source_clock k USING (source_id) JOIN rest USING (incident), temp.scope c
WHERE s.kind IN ('client-log', 'server-log') AND s.at_basis IN ('assumed-utc', 'file-time') AND k.basis = 'as-found' AND t.first_at IS NOT NULL
  AND (c.incident IS NULL OR t.incident = c.incident)
  AND NOT EXISTS (SELECT 1 FROM c_source o JOIN source x USING (source_id) WHERE o.incident = t.incident AND x.at_basis IN ('stated', 'envelope')
      AND o.first_at <= t.last_at + 60000000 AND o.last_at >= t.first_at - 60000000);

-- One row: how many errors of a verdict there are, what that means, and the name
-- of the first.
CREATE TEMP TABLE tally AS
SELECT m.incident, v.rank, v.verdict, v.says,
       CASE v.verdict WHEN 'genuine' THEN m.genuine WHEN 'spurious' THEN m.spurious WHEN 'corruption' THEN m.corruption ELSE m.undetermined END AS errors,
       (SELECT n.name FROM failover_error e JOIN error_name n USING (error_id) WHERE e.incident = m.incident AND e.verdict = v.verdict ORDER BY e.at IS NULL, e.at, e.error_id LIMIT 1) AS first
FROM summary m, (
	SELECT 1 AS rank, 'genuine' AS verdict, 'raising was right: the owner could not be reached, or the cluster did not serve the slot' AS says
	UNION ALL SELECT 2, 'spurious', 'raised too early: the nodes had not converged yet and the owner answered'
	UNION ALL SELECT 3, 'corruption', 'no failover at all: the nodes agreed, the client''s own slot map was wrong'
	UNION ALL SELECT 4, 'undetermined', 'the evidence does not decide') v
ORDER BY m.incident, v.rank;

-- One row: a stretch of time that evidence is of, no other nearer than six hours.
CREATE TEMP TABLE apart AS
SELECT a.incident, nth, max(gap) AS gap, strftime('%Y-%m-%dT%H:%M:%SZ', min(first_at) / 1000000, 'unixepoch') || ' to ' || strftime('%Y-%m-%dT%H:%M:%SZ', max(last_at) / 1000000, 'unixepoch') AS says
FROM (SELECT *, sum(gap IS NOT NULL) OVER (PARTITION BY incident ORDER BY first_at, source_id ROWS UNBOUNDED PRECEDING) + 1 AS nth
      FROM (SELECT *, CASE WHEN first_at - most > 21600000000 THEN first_at - most END AS gap
            FROM (SELECT incident, first_at, last_at, source_id, max(last_at) OVER (PARTITION BY incident ORDER BY first_at, source_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS most
                  FROM c_source WHERE first_at IS NOT NULL AND last_at IS NOT NULL
                    AND source_id IN (SELECT source_id FROM source WHERE status IN ('read', 'partial') AND at_basis NOT IN ('none', 'file-time', 'file-name', 'pong'))))) a, temp.scope c
WHERE c.incident IS NULL OR a.incident = c.incident
GROUP BY a.incident, nth;

-- One row: a node and the least one that it is in a view with, by way of others,
-- where views are of three nodes or more.
CREATE TEMP TABLE together AS
SELECT DISTINCT h.node_id AS a, v.node_id AS b FROM view_node h JOIN view_node v USING (view_id)
WHERE h.ordinal = 0 AND h.node_id IS NOT NULL AND v.node_id IS NOT NULL AND EXISTS (SELECT 1 FROM view_node x WHERE x.view_id = h.view_id AND x.ordinal = 2)
  AND (SELECT count(*) FROM node) <= 1000;	-- of more, pairs are too many
CREATE TEMP TABLE cluster_of (id INTEGER PRIMARY KEY, root INTEGER);
INSERT INTO cluster_of
WITH RECURSIVE edge (a, b) AS MATERIALIZED (SELECT a, b FROM together UNION SELECT b, a FROM together),
reach (id, root) AS (SELECT a, a FROM edge UNION SELECT e.b, r.root FROM reach r JOIN edge e ON e.a = r.id AND e.b > r.root)
SELECT id, min(root) FROM reach GROUP BY id;
CREATE TEMP TABLE clusters AS
SELECT n.incident, n.name, row_number() OVER (PARTITION BY n.incident ORDER BY n.name) AS nth
FROM (SELECT DISTINCT root FROM cluster_of) r JOIN node n ON n.node_id = r.root, temp.scope c
WHERE c.incident IS NULL OR n.incident = c.incident;

-- One row: one sentence about the whole incident.
CREATE TEMP TABLE fact (rank INTEGER, incident TEXT, sentence TEXT);
INSERT INTO fact
SELECT 5, incident, 'Errors, windows, storms and what happened are those within the limits; what was read, clocks, problems and settings are those of the whole incident.'
FROM summary WHERE (SELECT limited FROM temp.scope);
INSERT INTO fact
SELECT 10, incident, 'Evidence from ' || coalesce(min(a), 'an unknown time') || ' to ' || coalesce(max(b), 'an unknown time') || ': ' || group_concat(t, ', ') || '.'
FROM (SELECT incident, min(substr(first_at_utc, 1, 23) || 'Z') AS a, max(substr(last_at_utc, 1, 23) || 'Z') AS b,
             count(*) || ' ' || replace(kind, '-', ' ') || CASE count(*) WHEN 1 THEN '' ELSE 's' END AS t
      FROM input f WHERE status IN ('read', 'partial') AND NOT (records = 0 AND EXISTS (SELECT 1 FROM input l WHERE l.incident = f.incident AND substr(l.source, 1, length(f.source) + 1) = f.source || ':'))
      GROUP BY incident, kind ORDER BY incident, kind)
GROUP BY incident;
-- Several incidents in one: evidence that falls apart in time, or tells of clusters
-- that share no node.  Times that are not the log's own say nothing of it.
INSERT INTO fact
SELECT 12, incident, printf('The evidence falls into %d groups of time, at least %s apart: %s%s. If these are incidents of their own, read each by itself (--batch, a folder each): nothing of one then counts for another.', count(*),
           (SELECT printf('%d hours', min(g.gap) / 3600000000) FROM apart g WHERE g.incident = apart.incident AND g.gap IS NOT NULL),
           group_concat(says, '; ') FILTER (WHERE nth <= 4), CASE WHEN count(*) > 4 THEN printf('; and %d more', count(*) - 4) ELSE '' END)
FROM apart GROUP BY incident HAVING count(*) > 1;
INSERT INTO fact
SELECT 13, incident, printf('The views tell of %d clusters that share no node (first of each: %s%s). If these are incidents of their own, read each by itself (--batch, a folder each).', count(*),
           group_concat(substr(name, 1, 8), ', ') FILTER (WHERE nth <= 4), CASE WHEN count(*) > 4 THEN ', ...' ELSE '' END)
FROM clusters GROUP BY incident HAVING count(*) > 1;
INSERT INTO fact
SELECT 20, incident, windows || CASE windows WHEN 1 THEN ' divergence window' ELSE ' divergence windows' END ||
       CASE windows WHEN 0 THEN '' WHEN 1 THEN ', which lasted ' || lasted ELSE ', the longest of which lasted ' || lasted END ||
       CASE migrations WHEN 0 THEN '' WHEN 1 THEN ', 1 slot migration' ELSE ', ' || migrations || ' slot migrations' END ||
       coalesce('; ' || redirects || CASE redirects WHEN 0 THEN ' redirects' WHEN 1 THEN ' redirect, ' ELSE ' redirects' ||
           coalesce((SELECT printf(' (%d in captures, %d told by client logs, of which %s their like in a capture at that time)', r.captured, r.logged, CASE r.alike WHEN r.logged THEN CASE r.logged WHEN 1 THEN 'that one has' ELSE 'all have' END WHEN 0 THEN 'none has' WHEN 1 THEN '1 has' ELSE r.alike || ' have' END)
               FROM incident_redirect r WHERE r.incident = summary.incident AND r.captured > 0 AND r.logged > 0), '') || ', ' END || CASE redirects WHEN 0 THEN '' ELSE redirects_in_windows || ' of them while nodes disagreed' END, '') || '.'
FROM summary LEFT JOIN (
	SELECT incident, CASE WHEN count(*) = 1 THEN min(l.lasted) WHEN count(l.max_ms) < count(*) THEN coalesce('at least ' || nullif(max(l.min_ms), 0) || ' ms', min(l.lasted) FILTER (WHERE l.max_ms IS NULL))
	           WHEN max(coalesce(l.min_ms, 0)) = max(l.max_ms) THEN max(l.max_ms) || ' ms' ELSE max(coalesce(l.min_ms, 0)) || ' to ' || max(l.max_ms) || ' ms' END AS lasted
	FROM window w JOIN window_lasted l USING (window_id) WHERE w.cause <> 'migration' GROUP BY incident) USING (incident);
-- Packets that two captures show are counted once.
INSERT INTO fact
SELECT 25, s.incident, printf('%d repl%s in more than one capture of the same traffic: counted once.', count(*), CASE count(*) WHEN 1 THEN 'y (a redirect or a refusal) is' ELSE 'ies (redirects and refusals) are' END)
FROM main.redirect_again a JOIN redirect r USING (redirect_id) JOIN source s USING (source_id), temp.scope c
WHERE c.incident IS NULL OR s.incident = c.incident GROUP BY s.incident;
-- What the gate would have done, of the incident as a whole.
INSERT INTO fact
SELECT 30, incident, 'Had each client looked at the nodes'' views before raising (the gate), of ' || CASE errors WHEN 1 THEN 'one error' ELSE errors || ' errors' END ||
       ' it would have avoided ' || CASE raises_avoided WHEN 0 THEN 'none' ELSE raises_avoided END || CASE WHEN longer > 0 THEN ' (' || longer || ' only after more than one back-off)' ELSE '' END ||
       CASE WHEN raises_kept > 0 THEN ', raised ' || raises_kept ELSE '' END ||
       CASE WHEN renamed > 0 THEN ', raised ' || renamed || ' as SlotMapCorruptionError' ELSE '' END ||
       CASE WHEN undetermined > 0 THEN ', and nothing can be said of ' || undetermined ELSE '' END ||
       coalesce('; back-off: median ' || backoff_p50_ms || ' ms, p99 ' || backoff_p99_ms || ' ms, at most ' || max(backoff_max_ms, most) || ' ms', '') || '.'
FROM summary m JOIN (SELECT incident, sum(gate = 'raise-slot-map-corruption') AS renamed, sum(verdict = 'spurious' AND coalesce(sufficient, 1) = 0) AS longer,
                             max(backoff_most_ms) AS most
                     FROM failover_error JOIN error_time USING (error_id) GROUP BY incident) g USING (incident)
WHERE raises_avoided IS NOT NULL AND errors > 0;
INSERT INTO fact
SELECT 40, incident, CASE inferred WHEN 1 THEN 'One error was seen in a capture only.' ELSE inferred || ' errors were seen in a capture only.' END
FROM summary WHERE inferred > 0;
-- What the evidence tells of that is nobody's failover error.
INSERT INTO fact
SELECT 45, incident, upper(substr(reason, 1, 1)) || substr(reason, 2) || ' (' || min(locus) || CASE count(*) WHEN 1 THEN '' ELSE ' and ' || (count(*) - 1) || ' more' END || ').'
FROM (SELECT incident, reason, locus FROM loss WHERE code = 'out-of-scope'
      UNION ALL SELECT t.incident, 'a server without a cluster (cluster-enabled no): out of scope, not judged', s.name || ':' || t.position
      FROM setting t JOIN source s USING (source_id), temp.scope c WHERE t.name = 'cluster-enabled' AND t.value = 'no' AND (c.incident IS NULL OR c.incident = t.incident))
GROUP BY incident, reason ORDER BY incident, reason;
-- A client without a slot map, or with one that lacks the slot, follows no redirect.
INSERT INTO fact
SELECT 46, incident, CASE count(*) WHEN 1 THEN min(name) ELSE count(*) || ' clients' END ||
       CASE lacks WHEN 1 THEN ' had a slot map without an owner for a slot, and followed no redirect' ELSE ' could not read a slot map, and followed no redirect' END ||
       ': out of scope, not judged (' || min(locus) || CASE count(*) WHEN 1 THEN '' ELSE ' and ' || (count(*) - 1) || ' more' END || ').'
FROM (SELECT o.incident, o.name, min(s.name || ':' || v.position) AS locus,
             max(v.detail LIKE '%partition%for slot%' OR v.detail LIKE '%slots are not covered%' OR v.detail LIKE '%Slot "%" is not covered%') AS lacks
      FROM server_event v JOIN observer o USING (observer_id) JOIN source s USING (source_id), temp.scope c
      WHERE v.kind = 'topology-refresh-failed' AND o.kind = 'client' AND (c.incident IS NULL OR c.incident = o.incident) AND (c.client IS NULL OR instr(o.name, c.client))
        AND NOT EXISTS (SELECT 1 FROM server_event r WHERE r.observer_id = v.observer_id AND r.kind = 'topology-refresh')
        AND NOT EXISTS (SELECT 1 FROM redirect r WHERE r.observer_id = v.observer_id AND r.code IN ('MOVED', 'ASK'))
        AND NOT EXISTS (SELECT 1 FROM client_error e WHERE e.observer_id = v.observer_id)
      GROUP BY o.observer_id)
GROUP BY incident, lacks;
-- One row: a refusal that a client logged or, where no log has one, was given.  It
-- follows no redirect, so it is no failover error; yet the caller got it.
CREATE TEMP TABLE refused AS
SELECT r.incident, r.at, o.name AS client, r.source_kind = 'capture' AS on_wire
FROM c_redirect r JOIN observer o USING (observer_id), temp.scope c
WHERE r.code = 'CLUSTERDOWN' AND r.client_error_id IS NULL AND (c.incident IS NULL OR r.incident = c.incident) AND (c.client IS NULL OR instr(o.name, c.client))
  AND (c.since IS NULL OR r.at >= c.since) AND (c.until IS NULL OR r.at <= c.until);
DELETE FROM refused WHERE on_wire AND incident IN (SELECT incident FROM refused WHERE NOT on_wire);
CREATE INDEX temp.refused_at ON refused (incident, at);
INSERT INTO fact
SELECT 47, incident, printf('CLUSTERDOWN was %s %s%s: %s. By itself it is no failover error, and not judged.', CASE on_wire WHEN 1 THEN 'answered' ELSE 'logged' END,
           CASE sum(n) WHEN 1 THEN 'once' ELSE sum(n) || ' times' END, CASE sum(inside) WHEN 0 THEN '' ELSE ', ' || CASE WHEN sum(inside) = sum(n) THEN 'always' ELSE sum(inside) || ' of them' END || ' while nodes disagreed' END,
           group_concat(client || ' ' || n, ', ') FILTER (WHERE nth <= 6) || CASE WHEN count(*) > 6 THEN printf(' and %d more client%s', count(*) - 6, CASE count(*) WHEN 7 THEN '' ELSE 's' END) ELSE '' END)
FROM (SELECT incident, client, on_wire, count(*) AS n, row_number() OVER (PARTITION BY incident ORDER BY count(*) DESC, client) AS nth,
             sum(EXISTS (SELECT 1 FROM window w WHERE w.incident = r.incident AND r.at BETWEEN w.opened_by AND coalesce(w.converged_by, w.closed_by, r.at))) AS inside
      FROM refused r GROUP BY incident, client, on_wire ORDER BY incident, nth)
GROUP BY incident, on_wire;
-- One row: a window that no failover error followed, and what else did.
CREATE TEMP TABLE harmless AS
SELECT w.window_id, count(r.at) AS refusals, count(DISTINCT r.client) AS clients
FROM window w LEFT JOIN refused r ON r.incident = w.incident AND r.at BETWEEN w.opened_by AND coalesce(w.converged_by, w.closed_by, 9223372036854775807)
WHERE w.errors = 0 GROUP BY w.window_id;
CREATE UNIQUE INDEX temp.harmless_id ON harmless (window_id);
-- How far the rules may be trusted: the versions of the recordings that they
-- were validated on.
INSERT INTO fact
SELECT 48, m.incident, coalesce('Servers: ' || v.versions || '. ', 'No server states its version. ') ||
       'The rules were validated on recordings of Redis 7.0 and Valkey 9.1' || CASE WHEN coalesce(v.others, 0) = 0 THEN '' ELSE ', not on all of these' END || '.'
FROM summary m LEFT JOIN (
	SELECT incident, group_concat(value || CASE n WHEN 1 THEN '' ELSE ' (' || n || ' nodes)' END, ', ') AS versions, sum(value NOT GLOB '7.0.*' AND value NOT GLOB '9.1.*') AS others
	FROM (SELECT incident, value, count(DISTINCT observer_id) AS n FROM setting WHERE name = 'version' GROUP BY incident, value ORDER BY incident, value)
	GROUP BY incident) v USING (incident);
INSERT INTO fact
SELECT 50, incident, CASE problems WHEN 1 THEN 'One problem' ELSE problems || ' problems' END || ' with the evidence: see "What could not be seen".'
FROM summary WHERE problems > 0;

-- One row: one sentence of what happened.  A window that did no harm is told
-- together with others of its cause.
CREATE TEMP TABLE story (rank INTEGER PRIMARY KEY, incident TEXT, sentence TEXT);
CREATE TEMP TABLE chapter (at INTEGER, kind INTEGER, window_id INTEGER, incident TEXT, sentence TEXT);
INSERT INTO chapter
SELECT w.opened_by, 1, w.window_id, w.incident,
       printf('%s, window %d: ', coalesce(CASE WHEN w.opened_after IS NULL THEN 'not after ' WHEN w.opened_by - w.opened_after > 1000000 THEN 'between ' || substr(w.opened_after_utc, 1, 23) || 'Z and ' ELSE '' END || substr(w.opened_by_utc, 1, 23) || 'Z', 'at an unknown time'), w.window_id) ||
       CASE WHEN w.old_owner_id IS NULL AND coalesce(w.slots, '') = '' THEN printf('%s was promoted (%s%s); whose slots it took is not known', w.new, w.cause, coalesce(', epoch ' || w.new_epoch, ''))
            WHEN w.new_owner_id IS NULL THEN printf('%s gave up %s and no node took %s (as by CLUSTER DELSLOTS)', w.old, w.what, w.it)
            WHEN w.crossed THEN printf('%s and %s name each other as the owner of %s and neither claims %s (crossed CLUSTER SETSLOT)', w.old, w.new, w.what, w.it)
            WHEN w.cause = 'stale-return' THEN printf('%s came back and claimed %s again with its old epoch %s, while %s held %s with epoch %s (stale-return)', w.old, w.what, w.e0, w.new, w.it, w.e1)
            WHEN w.cause = 'stale-promotion' THEN printf('%s was promoted for %s with epoch %s, although %s held %s with epoch %s (stale-promotion)', w.old, w.what, w.e0, w.new, w.it, w.e1)
            WHEN w.cause = 'epoch-collision' THEN printf('%s and %s both claimed %s with epoch %s (epoch-collision)', w.old, w.new, w.what, w.e1)
            ELSE printf('%s took %s from %s (%s, epoch %s to %s)', w.new, w.what, w.old, w.cause, w.e0, w.e1) END ||
       CASE WHEN w.closed_by IS NULL AND w.old_owner_id IS NULL THEN '' WHEN w.closed_by IS NULL THEN CASE WHEN w.unheard THEN '; ' || w.ended ELSE '; still so at the end of the evidence' END
            WHEN w.close_reason = 'old-owner-unreachable' THEN '; the old owner was gone, the others disagreed ' || w.for_said ELSE '; nodes disagreed ' || w.for_said END ||
       CASE WHEN w.errors = 0 AND (SELECT limited FROM temp.scope) THEN '; no error within the limits' WHEN w.errors = 0 THEN '; ' || (SELECT CASE h.refusals WHEN 0 THEN 'no error followed' ELSE printf('no failover error followed, but CLUSTERDOWN, %d time%s, to %s', h.refusals, CASE h.refusals WHEN 1 THEN '' ELSE 's' END,
                    CASE h.clients WHEN 1 THEN 'one client' ELSE h.clients || ' clients' END) END FROM harmless h WHERE h.window_id = w.window_id) ELSE '; ' || w.errors || CASE w.errors WHEN 1 THEN ' error' ELSE ' errors' END || coalesce(' (' || w.split || ')', '') END
FROM (SELECT x.*, coalesce(x.old_owner_addr, substr(x.old_owner_id, 1, 8), 'an unknown node') AS old, coalesce(x.new_owner_addr, substr(x.new_owner_id, 1, 8), 'an unknown node') AS new,
             coalesce(x.old_epoch, '?') AS e0, coalesce(x.new_epoch, '?') AS e1,
             CASE WHEN coalesce(x.slots, '') = '' THEN 'slots that are not known' WHEN x.slot_count = 1 THEN 'slot ' || x.slots WHEN length(x.slots) < 60 THEN 'slots ' || x.slots
                  ELSE printf('%d slots (%s ...)', x.slot_count, substr(x.slots, 1, instr(x.slots, ',') - 1)) END AS what,
             CASE x.slot_count WHEN 1 THEN 'it' ELSE 'them' END AS it,
             EXISTS (SELECT 1 FROM failover_error e WHERE e.window_id = x.window_id AND e.fault = 'crossed-slots') AS crossed,
             (SELECT CASE WHEN sum(n) = x.errors THEN CASE WHEN count(*) = 1 THEN min(verdict) ELSE group_concat(n || ' ' || verdict, ', ') END END FROM (
                 SELECT e.verdict, count(*) AS n FROM failover_error e WHERE e.window_id = x.window_id GROUP BY e.verdict ORDER BY n DESC, e.verdict)) AS split,
             CASE WHEN x.errors = 0 THEN count(*) FILTER (WHERE x.errors = 0) OVER (PARTITION BY x.incident, x.cause) ELSE 0 END AS alike
      FROM (SELECT * FROM window JOIN (SELECT window_id, for_said, ended, unheard FROM window_lasted) USING (window_id)) x WHERE x.cause <> 'migration') w
WHERE w.alike <= 3;
INSERT INTO chapter
SELECT min(opened_by), 1, min(window_id), incident,
       printf('%s to %s: %d windows of cause %s, from window %d on, in which nodes disagreed for %s; %s', substr(min(opened_by_utc), 1, 23) || 'Z',
           substr(max(opened_by_utc), 1, 23) || 'Z', count(*), cause, min(window_id), CASE WHEN count(max_ms) < count(*) THEN 'an unknown time' ELSE 'at most ' || max(max_ms) || ' ms' END,
           CASE WHEN (SELECT limited FROM temp.scope) THEN 'no error within the limits' WHEN sum(refusals) > 0 THEN printf('no failover error followed, but CLUSTERDOWN (%d)', sum(refusals)) ELSE 'no error followed' END)
FROM window JOIN harmless USING (window_id) WHERE cause <> 'migration' AND errors = 0 GROUP BY incident, cause HAVING count(*) > 3;
INSERT INTO chapter
SELECT min(opened_by), 1, min(window_id), incident, printf('%s: %s of slots, in %s nodes disagreed for %s; %s', coalesce(substr(min(opened_by_utc), 1, 23) || 'Z', 'at an unknown time'), CASE count(*) WHEN 1 THEN 'one migration' ELSE count(*) || ' migrations' END, CASE count(*) WHEN 1 THEN 'which' ELSE 'each of which' END, CASE WHEN count(max_ms) < count(*) THEN 'an unknown time' ELSE 'at most ' || max(max_ms) || ' ms' END,
       CASE WHEN sum(errors) = 0 AND (SELECT limited FROM temp.scope) THEN 'no error within the limits' ELSE CASE sum(errors) WHEN 0 THEN 'no error followed' WHEN 1 THEN '1 error' ELSE sum(errors) || ' errors' END END)
FROM window WHERE cause = 'migration' GROUP BY incident;
-- When a node answered others, but not these clients.  An error whose own short
-- time shows no answer to anybody is of the same partition, not of a dead node.
CREATE TEMP TABLE partitioned AS
SELECT incident, claimant_id, min(at) - 2000000 AS since, max(at) + 2000000 AS until
FROM failover_error WHERE verdict = 'genuine' AND fault = 'network-partition' AND claimant_id IS NOT NULL GROUP BY incident, claimant_id;
-- The errors by what lay behind them.
INSERT INTO chapter
SELECT min(at), 2, NULL, incident,
       CASE WHEN min(at) IS NULL THEN 'at an unknown time' WHEN min(said_at) = max(said_at) THEN min(said_at) || 'Z'
            ELSE min(said_at) || 'Z to ' || substr(max(said_at), CASE WHEN substr(min(said_at), 1, 10) = substr(max(said_at), 1, 10) THEN 12 ELSE 1 END) || 'Z' END || ': ' ||
       CASE WHEN verdict = 'genuine' AND behind = 'network-partition' THEN printf('%s owned the slots and answered others, but not these clients', coalesce(node, 'an unknown node'))
            WHEN verdict = 'genuine' AND behind = 'cluster-down' THEN 'the cluster refused to serve (CLUSTERDOWN)'
            WHEN verdict = 'genuine' AND behind = 'partial-coverage' THEN 'nobody owned the slots that were asked for'
            WHEN verdict = 'genuine' AND behind = 'crossed-slots' THEN 'slots were left half moved: their owner sent clients on, and the other node sent them back'
            WHEN verdict = 'genuine' THEN printf('%s owned the slots and could not be reached', coalesce(node, 'an unknown node'))
            WHEN verdict = 'spurious' AND behind = 'failover-pause' THEN printf('%s was slow to answer while a failover was prepared', coalesce(node, 'the owner'))
            WHEN verdict = 'spurious' AND behind = 'divergence' THEN 'nodes disagreed about the owner, and it answered'
            WHEN verdict = 'spurious' THEN 'a timer of the client ran out although the owner answered'
            WHEN verdict = 'corruption' THEN 'the nodes agreed about the owner, and clients asked the wrong node all the same'
            ELSE 'the evidence does not decide' END ||
       CASE count(*) WHEN 1 THEN '; 1 error of ' || min(client) ELSE printf('; %d errors of %s', count(*), CASE count(DISTINCT client) WHEN 1 THEN min(client) ELSE count(DISTINCT client) || ' clients' END) END ||
       CASE WHEN verdict <> 'undetermined' THEN ' (' || verdict || ')' WHEN count(leans) > 0 THEN ' (' || count(leans) || CASE count(leans) WHEN 1 THEN ' leans to ' ELSE ' lean to ' END || group_concat(DISTINCT leans) || ')' ELSE '' END ||
       CASE WHEN count(window_id) = 0 THEN '' WHEN count(*) = 1 THEN ', told with window ' || min(window_id) ELSE printf(', %s told with window%s', CASE count(window_id) WHEN count(*) THEN 'all' ELSE count(window_id) || ' of them' END,
           CASE count(DISTINCT window_id) WHEN 1 THEN ' ' || min(window_id) ELSE 's too' END) END ||
       CASE WHEN elsewhere THEN ', by a log that shares no moment with the rest' ELSE '' END
FROM (SELECT *, EXISTS (SELECT 1 FROM astray x WHERE x.incident = failover_error.incident AND x.name = failover_error.source) AS elsewhere,
             CASE WHEN verdict = 'genuine' OR verdict = 'spurious' THEN coalesce(claimant_addr, substr(claimant_id, 1, 8)) END AS node,
             CASE WHEN verdict = 'corruption' OR verdict = 'undetermined' THEN '' WHEN fault IN ('owner-down', 'claimant-down') THEN CASE WHEN p.id IS NULL THEN 'down' ELSE 'network-partition' END WHEN verdict = 'spurious' AND rule = '4' THEN 'divergence' ELSE coalesce(fault, '') END AS behind
      FROM failover_error JOIN error_time USING (error_id) LEFT JOIN (SELECT incident AS whose, claimant_id AS id, since, until FROM partitioned) p
          ON p.whose = incident AND p.id = claimant_id AND at BETWEEN p.since AND p.until
      WHERE (coalesce(fault, '') <> 'crossed-slots' OR window_id IS NULL) AND (verdict <> 'spurious' OR window_id IS NULL))
GROUP BY incident, verdict, behind, CASE WHEN behind IN ('cluster-down', 'partial-coverage', 'crossed-slots') THEN NULL ELSE node END, elsewhere;
-- What became of the nodes, by their own word and that of others: told once a
-- node, or once for all where there are many.
CREATE TEMP TABLE fate (at INTEGER, node TEXT, what TEXT, many TEXT, incident TEXT, sentence TEXT);
INSERT INTO fate
SELECT min(at) FILTER (WHERE down), about_addr, 'fail', 'nodes were marked FAIL, first ' || about_addr, incident,
       printf('%s was marked FAIL by %s', about_addr, CASE count(DISTINCT observer) FILTER (WHERE down) WHEN 1 THEN 'one node' ELSE count(DISTINCT observer) FILTER (WHERE down) || ' nodes' END) ||
       coalesce(', suspected (PFAIL) since ' || substr(min(since), 12, 12) || 'Z', '') ||
       coalesce('; no longer FAIL at ' || substr(min(at_utc) FILTER (WHERE NOT down), 12, 12) || 'Z', '; not seen to come back')
FROM (SELECT *, sum(starts) OVER (PARTITION BY incident, about ORDER BY at, observer, source, position ROWS UNBOUNDED PRECEDING) AS n,
             (SELECT min(p.at_utc) FROM health p WHERE p.kind = 'pfail' AND p.down AND p.about = h.about AND p.incident = h.incident AND p.at BETWEEN h.at - 60000000 AND h.at) AS since
      FROM (SELECT *, down AND (lag(at) OVER w IS NULL OR (NOT lag(down) OVER w AND at - max(CASE WHEN down THEN at END) OVER (PARTITION BY incident, about ORDER BY at, observer, source, position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > 1000000)) AS starts
            FROM health WHERE kind = 'fail' WINDOW w AS (PARTITION BY incident, about ORDER BY at, observer, source, position)) h)
GROUP BY incident, about, n HAVING sum(down) > 0;
INSERT INTO fate
SELECT min(at), about_addr, 'pfail', 'nodes were suspected (PFAIL), but never marked FAIL', incident,
       printf('%s was suspected (PFAIL) by %s, but never marked FAIL', about_addr, CASE count(DISTINCT observer) WHEN 1 THEN 'one node' ELSE count(DISTINCT observer) || ' nodes' END)
FROM health p WHERE kind = 'pfail' AND down AND NOT EXISTS (SELECT 1 FROM health h WHERE h.kind = 'fail' AND h.about = p.about AND h.incident = p.incident)
GROUP BY incident, about;
-- A server's own word, and whom the word is of.
CREATE TEMP TABLE deed AS
SELECT v.at, CASE v.event WHEN 'started' THEN 'restarted' ELSE v.event END AS event, o.observer_id, coalesce(l.addr, substr(m.name, 1, 8), o.name) AS node, m.name AS id, v.incident
FROM c_server_event v JOIN server_event f USING (server_event_id) JOIN source s ON s.source_id = v.source_id JOIN observer o ON o.observer_id = v.observer_id
LEFT JOIN node m ON m.node_id = o.node_id LEFT JOIN node_label l ON l.id = m.name AND l.incident = v.incident, temp.scope c
WHERE (v.kind = 'promotion' OR v.event IN ('state-fail', 'state-ok', 'shutdown') OR (v.event IN ('started', 'restarted') AND f.at > s.first_at + 1000000)) AND c.slot IS NULL
  AND (c.incident IS NULL OR v.incident = c.incident) AND (c.since IS NULL OR v.at >= c.since) AND (c.until IS NULL OR v.at <= c.until)
  AND (c.node IS NULL OR instr(lower(coalesce(l.addr, '') || ' ' || coalesce(m.name, o.name)), c.node)) AND c.client IS NULL;
INSERT INTO deed
SELECT v.first_at, 'state-' || v.state, o.observer_id, coalesce(l.addr, substr(m.name, 1, 8), o.name), m.name, v.incident
FROM c_view v JOIN observer o ON o.observer_id = v.observer_id
LEFT JOIN node m ON m.node_id = o.node_id LEFT JOIN node_label l ON l.id = m.name AND l.incident = v.incident, temp.scope c
WHERE v.state IS NOT NULL AND c.slot IS NULL AND EXISTS (SELECT 1 FROM view f WHERE f.state = 'fail')
  AND (c.incident IS NULL OR v.incident = c.incident) AND (c.since IS NULL OR v.first_at >= c.since) AND (c.until IS NULL OR v.first_at <= c.until)
  AND (c.node IS NULL OR instr(lower(coalesce(l.addr, '') || ' ' || coalesce(m.name, o.name)), c.node)) AND c.client IS NULL;
INSERT INTO fate
SELECT min(at), node, event, CASE event WHEN 'shutdown' THEN 'nodes were shut down' ELSE 'nodes were started anew' END, incident,
       node || CASE event WHEN 'shutdown' THEN ' was shut down' ELSE ' was started anew' END
FROM (SELECT *, sum(starts) OVER (PARTITION BY incident, node, event ORDER BY at ROWS UNBOUNDED PRECEDING) AS n
      FROM (SELECT *, at - lag(at) OVER (PARTITION BY incident, node, event ORDER BY at) IS NULL OR at - lag(at) OVER (PARTITION BY incident, node, event ORDER BY at) > 30000000 AS starts
            FROM deed WHERE event IN ('shutdown', 'restarted')))
GROUP BY incident, node, event, n;
-- A promotion that no window tells of.
INSERT INTO fate
SELECT min(d.at), d.node, 'promotion', 'promotions, in none of which views were seen to disagree', d.incident,
       printf('%s was promoted to master%s; views were not seen to disagree', d.node, CASE min(d.event) WHEN 'election-won' THEN ' (it won the election)' WHEN 'takeover' THEN ' (CLUSTER FAILOVER TAKEOVER)' ELSE '' END)
FROM deed d WHERE d.event NOT IN ('state-fail', 'state-ok', 'shutdown', 'restarted')
  AND NOT EXISTS (SELECT 1 FROM main.window w WHERE w.incident = d.incident AND (d.id IN (w.new_owner_id, w.old_owner_id) OR (d.id IS NULL AND w.cause <> 'migration'))
      AND d.at BETWEEN coalesce(w.opened_after, w.opened_by) - 1000000 AND coalesce(w.converged_by, w.closed_by, 9223372036854775807) + 1000000)
GROUP BY d.incident, d.node, d.at / 1000000;
-- Where no error tells of it: who could not be reached.
INSERT INTO fate
SELECT min(at), endpoint, 'unreachable', 'nodes could not be reached by clients', incident,
       printf('%s could not be reached (%s), %s', endpoint, group_concat(DISTINCT outcome), CASE count(DISTINCT observer_id) WHEN 1 THEN 'by ' || min(name) ELSE 'by ' || count(DISTINCT observer_id) || ' clients' END)
FROM (SELECT c.first_at AS at, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port AS endpoint, c.outcome, o.observer_id, o.name, c.incident
      FROM c_contact c JOIN observer o USING (observer_id) JOIN endpoint e USING (endpoint_id), temp.scope z
      WHERE c.outcome IN ('refused', 'connect-timeout', 'unreachable') AND o.kind = 'client' AND z.slot IS NULL
        AND (z.incident IS NULL OR c.incident = z.incident) AND (z.since IS NULL OR c.last_at >= z.since) AND (z.until IS NULL OR c.first_at <= z.until)
        AND (z.client IS NULL OR instr(o.name, z.client)) AND (z.node IS NULL OR instr(lower(CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port), z.node))
      ORDER BY c.outcome)
WHERE incident IN (SELECT incident FROM summary WHERE errors = 0)
GROUP BY incident, endpoint;
-- The cluster's state, from the first node that says fail to the last that says
-- ok again.  That a node that has just started says so is nothing.
INSERT INTO fate
SELECT min(at) FILTER (WHERE event = 'state-fail'), 'the cluster', 'state', 'times the cluster was in state fail', incident,
       printf('the cluster was in state fail, as %s said', CASE count(DISTINCT observer_id) FILTER (WHERE event = 'state-fail') WHEN 1 THEN min(node) FILTER (WHERE event = 'state-fail')
           ELSE count(DISTINCT observer_id) FILTER (WHERE event = 'state-fail') || ' nodes' END) ||
       CASE WHEN max(at) FILTER (WHERE event = 'state-ok') > max(at) FILTER (WHERE event = 'state-fail')
            THEN ', until ' || strftime('%H:%M:%S', max(at) FILTER (WHERE event = 'state-ok') / 1000000, 'unixepoch') || printf('.%03dZ', max(at) FILTER (WHERE event = 'state-ok') / 1000 % 1000) ELSE '; not seen to end' END
FROM (SELECT *, sum(starts) OVER (PARTITION BY incident ORDER BY at, event, observer_id ROWS UNBOUNDED PRECEDING) AS n
      FROM (SELECT *, event = 'state-fail' AND (lag(event) OVER w IS NULL OR (lag(event) OVER w = 'state-ok' AND at - coalesce(max(CASE event WHEN 'state-fail' THEN at END)
                OVER (PARTITION BY incident ORDER BY at, event, observer_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) > 1000000)) AS starts
            FROM (SELECT *, lag(event) OVER (PARTITION BY incident, node ORDER BY at, event) AS before FROM deed WHERE event IN ('state-fail', 'state-ok')) d
            WHERE event IS NOT before AND (event = 'state-fail' OR before IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM deed r WHERE r.event = 'restarted' AND r.incident = d.incident AND r.node = d.node AND d.at BETWEEN r.at AND r.at + 10000000)
            WINDOW w AS (PARTITION BY incident ORDER BY at, event, observer_id)))
GROUP BY incident, n HAVING sum(event = 'state-fail') > 0;
INSERT INTO chapter
SELECT min(at), 0, NULL, incident, coalesce(strftime('%Y-%m-%dT%H:%M:%S', min(at) / 1000000, 'unixepoch') || printf('.%03dZ', min(at) / 1000 % 1000), 'at an unknown time') || ': ' ||
       CASE WHEN alike > 3 THEN count(*) || ' ' || (SELECT f.many FROM fate f WHERE f.incident = g.incident AND f.what = g.what ORDER BY f.at, f.node LIMIT 1) ELSE sentence END
FROM (SELECT *, count(*) OVER (PARTITION BY incident, what) AS alike FROM fate WHERE (SELECT verdict FROM temp.scope) IS NULL) g
GROUP BY incident, what, CASE WHEN alike > 3 THEN 0 ELSE node || at END;
-- No error, and no word of a divergence: say so, and of what.
INSERT INTO chapter
SELECT NULL, 3, NULL, m.incident,
       CASE WHEN (SELECT limited FROM temp.scope) THEN 'no failover error and no divergence of views is within the limits of this report'
            WHEN r.kinds IS NULL THEN 'nothing was read that tells of a cluster' || coalesce(': ' || r.others || ' of no known kind', '')
            ELSE printf('no failover error was found%s in %s (%d record%s)', CASE WHEN o.observers > 0 THEN ', and the views of ' || CASE o.observers WHEN 1 THEN 'one observer' ELSE o.observers || ' observers' END || ' never disagreed,' ELSE '' END, r.kinds, r.records, CASE r.records WHEN 1 THEN '' ELSE 's' END) ||
                CASE WHEN o.observers > 0 THEN '' ELSE '; nothing in it says who owned which slots, so a divergence could not be seen' END END
FROM summary m
LEFT JOIN (SELECT i.incident, group_concat(i.n || ' ' || replace(i.kind, '-', ' ') || CASE i.n WHEN 1 THEN '' ELSE 's' END, ', ') FILTER (WHERE i.kind <> 'unknown') AS kinds, sum(i.records) AS records,
                  max(CASE i.kind WHEN 'unknown' THEN CASE i.n WHEN 1 THEN 'one input is' ELSE i.n || ' inputs are' END END) AS others
           FROM (SELECT incident, CASE WHEN status IN ('read', 'partial') THEN kind ELSE 'unknown' END AS kind, count(*) AS n, sum(records) AS records FROM input
                 WHERE status <> 'duplicate' GROUP BY 1, 2 ORDER BY 1, 2) i
           GROUP BY i.incident) r USING (incident)
LEFT JOIN (SELECT incident, count(DISTINCT observer) AS observers FROM slot_owner GROUP BY incident) o USING (incident)
WHERE m.errors = 0 AND m.windows = 0 AND m.migrations = 0;
INSERT INTO story
SELECT row_number() OVER (ORDER BY incident, at IS NULL, at, kind, window_id, sentence), incident, sentence FROM chapter ORDER BY 1;

-- One row: one thing to change, and how many errors or events call for it.
CREATE TEMP TABLE advice (rank INTEGER, code TEXT, events INTEGER, sentence TEXT, incident TEXT);
INSERT INTO advice
SELECT 10, 'back-off', count(*),
       printf('Back off before raising: %d of %d errors %s spurious. While views disagree and the owner answers, wait min(2 x observed divergence, cluster-node-timeout)%s, read the slot map anew and try again.', count(*),
           (SELECT count(*) FROM failover_error a WHERE a.incident = e.incident), CASE count(*) WHEN 1 THEN 'was' ELSE 'were' END,
           coalesce(', here at most ' || max(backoff_most_ms) || ' ms', '')),
       incident
FROM failover_error e JOIN error_time USING (error_id) WHERE verdict = 'spurious' AND coalesce(gate, '') <> 'none' GROUP BY incident;
INSERT INTO advice
SELECT 11, 'back-off-longer', count(*),
       printf('Let the redirect budget last longer than one back-off: for %d spurious %s the nodes still disagreed after one%s. Or find out why convergence took so long.', count(*), CASE count(*) WHEN 1 THEN 'error' ELSE 'errors' END,
           coalesce(', and agreed at the latest ' || max((w.converged_by - e.at + 999) / 1000) || ' ms after the raise', '')),
       e.incident
FROM failover_error e JOIN error_time t USING (error_id) LEFT JOIN window w USING (window_id) WHERE e.verdict = 'spurious' AND t.sufficient = 0 GROUP BY e.incident;
INSERT INTO advice
SELECT 20 + row_number() OVER (PARTITION BY incident ORDER BY sum(n) DESC, behind, node), behind, sum(n),
       CASE sum(n) WHEN 1 THEN 'One error was' ELSE sum(n) || ' errors were' END || ' justified: ' || CASE behind
           WHEN 'crossed-slots' THEN 'nodes send clients to each other, which no client can wait out; repair it with CLUSTER SETSLOT <slot> NODE <id> on both nodes (redis-cli --cluster fix).'
           WHEN 'cluster-down' THEN 'the cluster refused to serve (CLUSTERDOWN); look for the masters that were lost.'
           WHEN 'partial-coverage' THEN 'nobody owned the slot; assign it (redis-cli --cluster fix).'
           WHEN 'network-partition' THEN printf('%s owned the slots and answered others, but not %s; look at the network between them.', node, clients)
           ELSE printf('%s owned the slots and could not be reached by %s; look at that node, and at the network between them.', node, clients) END,
       incident
FROM (SELECT incident, behind, node, n, group_concat(printf('%s (%d)', client, n), ', ') FILTER (WHERE nth <= 4) OVER w || CASE WHEN count(*) OVER w > 4 THEN printf(' and %d more', count(*) OVER w - 4) ELSE '' END AS clients
      FROM (SELECT incident, behind, node, client, count(*) AS n, row_number() OVER (PARTITION BY incident, behind, node ORDER BY count(*) DESC, client) AS nth
            FROM (SELECT e.incident, e.client, CASE WHEN fault IN ('crossed-slots', 'cluster-down', 'partial-coverage', 'network-partition') THEN fault WHEN p.claimant_id IS NULL THEN 'owner-down' ELSE 'network-partition' END AS behind,
                         CASE WHEN fault IN ('crossed-slots', 'cluster-down', 'partial-coverage') THEN '' ELSE coalesce(claimant_addr, e.claimant_id, '(unknown)') END AS node
                  FROM failover_error e LEFT JOIN partitioned p ON p.incident = e.incident AND p.claimant_id = e.claimant_id AND e.at BETWEEN p.since AND p.until
                  WHERE verdict = 'genuine')
            GROUP BY incident, behind, node, client)
      WINDOW w AS (PARTITION BY incident, behind, node ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
GROUP BY incident, behind, node;
-- The clients, those with most errors first, and no more than fit in a line.
INSERT INTO advice
SELECT 40, 'slot-map', sum(n),
       CASE sum(n) WHEN 1 THEN 'One error' ELSE sum(n) || ' errors' END || ' came from the client''s own slot map while the nodes agreed: ' ||
       'drop the map and read it anew, and raise SlotMapCorruptionError, never a failover error (' ||
       group_concat(client || ' ' || n, ', ') FILTER (WHERE nth <= 6) || CASE WHEN count(*) > 6 THEN printf(', and %d more client%s', count(*) - 6, CASE count(*) WHEN 7 THEN '' ELSE 's' END) ELSE '' END || ').',
       incident
FROM (SELECT incident, client, count(*) AS n, row_number() OVER (PARTITION BY incident ORDER BY count(*) DESC, client) AS nth
      FROM failover_error WHERE verdict = 'corruption' GROUP BY incident, client ORDER BY incident, nth)
GROUP BY incident;
INSERT INTO advice
SELECT 41, 'address-alias', sum(n),
       CASE sum(n) WHEN 1 THEN 'One' ELSE sum(n) END || ' of these errors, of ' || group_concat(client, ', ') FILTER (WHERE nth <= 6) || CASE WHEN count(*) > 6 THEN printf(', and %d more client%s', count(*) - 6, CASE count(*) WHEN 7 THEN '' ELSE 's' END) ELSE '' END ||
       ', can be explained: an address means another node to the client than to the cluster' ||
       coalesce((SELECT printf(' (sent to %s it asked %s)', a.sent_to, a.asked) FROM taken_for a WHERE a.incident = c.incident GROUP BY a.sent_to, a.asked ORDER BY count(*) DESC, a.sent_to, a.asked LIMIT 1), '') ||
       '; check cluster-announce-*, NAT and proxies.', incident
FROM (SELECT incident, client, count(*) AS n, row_number() OVER (PARTITION BY incident ORDER BY count(*) DESC, client) AS nth
      FROM failover_error WHERE verdict = 'corruption' AND fault = 'address-alias' GROUP BY incident, client ORDER BY incident, nth) c
GROUP BY incident;
INSERT INTO advice
SELECT 60, 'evidence', count(*),
       printf('%s undetermined; what would decide: %s.', CASE count(*) WHEN 1 THEN 'One error is' ELSE count(*) || ' errors are' END,
           (SELECT group_concat(says || ' (' || n || ')', ', ') FROM (
               SELECT says, sum(n) AS n
               -- a node may be missing by its id and by its address: one thing
               FROM (SELECT DISTINCT u.missing, u.n, m.says
                     FROM (SELECT missing, incident, count(*) AS n FROM failover_error WHERE verdict = 'undetermined' GROUP BY incident, missing) u, json_each('["' || replace(replace(replace(u.missing, '\', ''), '"', ''), ',', '","') || '"]') j JOIN missing_word m ON m.code = trim(j.value)
                     WHERE u.incident = e.incident)
               GROUP BY says ORDER BY n DESC, says LIMIT 6))),
       incident
FROM failover_error e WHERE verdict = 'undetermined' GROUP BY incident;
INSERT INTO advice
SELECT CASE maps WHEN 1 THEN 70 ELSE 71 END, 'storm', count(*),
       printf(CASE maps WHEN 1 THEN 'Spread map refreshes with jitter and over several nodes: %s of %s (worst: %s, %d a second).'
                   ELSE 'Wait between connects, with jitter: %s of %s (worst: %s, %d a second).' END, CASE count(*) WHEN 1 THEN 'a burst' ELSE count(*) || ' bursts' END,
           group_concat(DISTINCT what), (SELECT b.endpoint FROM connect_storm b WHERE b.incident = c.incident AND (b.command LIKE 'cluster%') = c.maps ORDER BY b.peak_per_s DESC, b.at, b.endpoint LIMIT 1),
           max(peak_per_s)),
       incident
FROM (SELECT *, command LIKE 'cluster%' AS maps, CASE command WHEN 'connect' THEN 'connects' WHEN 'setup' THEN 'connection set-ups (HELLO, AUTH, CLIENT)' ELSE upper(command) END AS what
      FROM connect_storm ORDER BY command) c
GROUP BY incident, maps;
INSERT INTO advice
SELECT 80, 'clock', count(*),
       printf('Synchronise the clocks: %s off, by up to %s ms, and edges are only as sharp as that.', CASE count(*) WHEN 1 THEN 'one was' ELSE count(*) || ' were' END, max(abs(round(clock_offset_ms, 1)))),
       incident
FROM input WHERE abs(clock_offset_ms) >= 50 GROUP BY incident;
INSERT INTO advice
SELECT 81, 'clock-unsure', count(*),
       printf('Find out whose clock is wrong: %s by up to %s, and too few events tell to correct it (%s: %s). If you know, declare it (slotrace clock DB SOURCE OFFSET) and analyze again.',
           CASE count(*) WHEN 1 THEN 'one source may be off' ELSE count(*) || ' sources may be off' END,
           CASE WHEN max(us) >= 10000000 THEN printf('%.0f s', max(us) / 1e6) ELSE printf('%.0f ms', max(us) / 1e3) END, source, detail), incident
FROM (SELECT s.incident, s.name AS source, k.uncertainty_us AS us, coalesce(k.detail, 'its events contradict those of others') AS detail
      FROM source s JOIN source_clock k USING (source_id), temp.scope c
      WHERE k.basis = 'as-found' AND k.widen_us >= 50000 AND (c.incident IS NULL OR s.incident = c.incident)
      ORDER BY k.uncertainty_us, s.source_id DESC)
GROUP BY incident;
INSERT INTO advice
SELECT 82, 'zone', count(*),
       printf('Check the zone%s of %s: %s no moment with the rest of the evidence (%s, from %s to %s). Read %s anew with --zone%s, or declare the offset (slotrace clock DB SOURCE OFFSET) and analyze again.', CASE WHEN max(year) THEN ' and year' ELSE '' END,
           CASE count(*) WHEN 1 THEN 'one log' ELSE count(*) || ' logs' END, CASE count(*) WHEN 1 THEN 'it shares' ELSE 'they share' END, min(name),
           strftime('%Y-%m-%dT%H:%M:%SZ', min(first_at) / 1000000, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%SZ', max(last_at) / 1000000, 'unixepoch'),
           CASE count(*) WHEN 1 THEN 'it' ELSE 'them' END,
           CASE WHEN max(year) THEN ' or --year' WHEN count(DISTINCT zone) = 1 AND count(zone) = count(*) THEN ' ' || min(zone) || ', with which ' || CASE count(*) WHEN 1 THEN 'it meets' ELSE 'they meet' END || ' the rest' ELSE '' END), incident
FROM astray GROUP BY incident;

-- Where no error was found: could one have been seen at all, and what would show
-- it?  One row: an incident and what was read of it.
CREATE TEMP TABLE seen AS
SELECT m.incident, m.windows,
       EXISTS (SELECT 1 FROM input i WHERE i.incident = m.incident AND i.status IN ('read', 'partial') AND ((i.kind = 'client-log' AND i.first_at_utc IS NOT NULL) OR i.kind = 'capture')) AS clients,
       EXISTS (SELECT 1 FROM input i WHERE i.incident = m.incident AND i.status IN ('read', 'partial') AND i.kind IN ('server-log', 'topology-dump', 'capture')) AS servers,
       (SELECT count(*) FROM loss l WHERE l.incident = m.incident AND l.code IN ('truncated', 'gap', 'snaplen', 'tls', 'malformed', 'too-long', 'limit', 'archive', 'encoding')) AS losses,
       EXISTS (SELECT 1 FROM fact f WHERE f.incident = m.incident AND f.rank IN (45, 46)) AS elsewhere
FROM summary m WHERE m.errors = 0 AND NOT (SELECT limited FROM temp.scope);
INSERT INTO advice
SELECT 85, 'collect-clients', 0, 'No failover error was found, but no client was heard: collect the logs of the clients' ||
       coalesce((SELECT ' around ' || substr(min(w.opened_by_utc), 1, 19) || 'Z' FROM window w WHERE w.incident = s.incident AND w.cause <> 'migration'), ' of that time') ||
       ', or a capture on one of their hosts, and read them too.', incident
FROM seen s WHERE NOT clients AND servers AND NOT elsewhere;
INSERT INTO advice
SELECT 86, 'collect-servers', 0, 'No failover error was found, and nothing tells what the servers did: collect their logs and CLUSTER NODES of each master, and read them too.', incident
FROM seen s WHERE clients AND NOT servers AND NOT elsewhere;
INSERT INTO advice
SELECT 87, 'collect-anew', losses, printf('No failover error was found in what could be read, and %s could not (%s: %s): collect it again, whole.',
           CASE losses WHEN 1 THEN 'a part of one input' ELSE 'parts of ' || losses || ' inputs' END, l.locus, l.reason), s.incident
FROM seen s JOIN (SELECT incident, locus, reason, row_number() OVER (PARTITION BY incident ORDER BY source, code) AS nth FROM loss
                  WHERE code IN ('truncated', 'gap', 'snaplen', 'tls', 'malformed', 'too-long', 'limit', 'archive', 'encoding')) l ON l.incident = s.incident AND l.nth = 1
WHERE losses > 0;
INSERT INTO advice
SELECT 88, 'collect-end', count(*), printf('%s before the evidence ends (window %d): collect CLUSTER NODES of %s and their server logs of the time after, to see when it ended and who was misled.',
           CASE count(*) WHEN 1 THEN 'Nodes were not seen to agree again' ELSE count(*) || ' divergences were not seen to end' END, min(w.window_id),
           coalesce(min(w.old_owner_addr), 'the old owner') || ' and ' || coalesce(min(w.new_owner_addr), 'the new one')), w.incident
FROM window w JOIN seen s USING (incident) WHERE w.closed_by IS NULL AND w.cause <> 'migration' GROUP BY w.incident;
INSERT INTO advice
SELECT 89, 'collect', 0, 'Nothing that tells of a cluster was read: give client logs, server logs, CLUSTER NODES dumps or captures.', incident
FROM seen WHERE NOT clients AND NOT servers AND NOT elsewhere;
INSERT INTO advice
SELECT 90, 'none', 0, CASE WHEN (SELECT limited FROM temp.scope) THEN 'Nothing within the limits of this report: no failover error is there.' ELSE 'Nothing: no failover error was found.' END, incident
FROM summary WHERE errors = 0 AND incident NOT IN (SELECT incident FROM advice);

UPDATE fact SET sentence = (SELECT prefix FROM whose w WHERE w.incident = fact.incident) || sentence;
UPDATE story SET sentence = (SELECT prefix FROM whose w WHERE w.incident = story.incident) || sentence;
UPDATE advice SET sentence = (SELECT prefix FROM whose w WHERE w.incident = advice.incident) || sentence;
