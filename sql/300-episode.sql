-- 300-episode.sql - the failover errors and the time that each is judged over.
--
-- Reads: client errors, redirects, settings.  Makes, for the later steps:
--   temp.incident	one row an incident: its settings
--   temp.party		one row a client or sampler: its host, where it can be known
--   temp.err		one row a failover error, inferred ones too
--   temp.chain		one row a redirect that led to an error
--   temp.ep		one row an error and a segment that it may be about, with
--			its episode [ep_from, ep_to]
-- An episode runs from the first redirect of the chain to the raise, widened
-- by the clock uncertainty of the error's source and by the resolution of its
-- times, by nothing else.

DROP TABLE IF EXISTS temp.incident;
CREATE TEMP TABLE incident (incident TEXT PRIMARY KEY, node_timeout_us INTEGER NOT NULL, timeout_basis TEXT NOT NULL,
	full_coverage INTEGER NOT NULL, coverage_basis TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO incident
SELECT i.incident,
	coalesce((SELECT CAST(s.value AS INTEGER) * 1000 FROM main.setting s WHERE s.incident = i.incident
	    AND s.name = 'cluster-node-timeout' AND CAST(s.value AS INTEGER) > 0 ORDER BY s.basis = 'seen' DESC, s.setting_id DESC LIMIT 1),
	    (SELECT value FROM parameter WHERE name = 'node_timeout_us')),
	coalesce((SELECT s.basis FROM main.setting s WHERE s.incident = i.incident
	    AND s.name = 'cluster-node-timeout' AND CAST(s.value AS INTEGER) > 0 ORDER BY s.basis = 'seen' DESC, s.setting_id DESC LIMIT 1), 'assumed'),
	coalesce((SELECT lower(s.value) IN ('yes', '1', 'true') FROM main.setting s WHERE s.incident = i.incident
	    AND s.name = 'cluster-require-full-coverage' ORDER BY s.basis = 'seen' DESC, s.setting_id DESC LIMIT 1),
	    (SELECT value FROM parameter WHERE name = 'full_coverage')),
	coalesce((SELECT s.basis FROM main.setting s WHERE s.incident = i.incident
	    AND s.name = 'cluster-require-full-coverage' ORDER BY s.basis = 'seen' DESC, s.setting_id DESC LIMIT 1), 'assumed')
  FROM (SELECT DISTINCT incident FROM main.source) i;

-- Hosts.  A log seldom names its host, and the names that it states ("vm", a
-- container's id) are not addresses.  Best: the one capture host whose
-- redirects are the log's own (three at least, nearly all of them); else the
-- folder, where client logs lie in several and it names one host at most; else
-- what the log states.
DROP TABLE IF EXISTS temp.client_source;
CREATE TEMP TABLE client_source AS
SELECT DISTINCT o.observer_id, s.incident, rtrim(s.name, replace(s.name, '/', '')) AS folder
  FROM main.source s JOIN (SELECT source_id, observer_id FROM main.client_error
	UNION SELECT source_id, observer_id FROM main.redirect UNION SELECT source_id, observer_id FROM main.contact
	UNION SELECT source_id, observer_id FROM main.server_event) x USING (source_id)
  JOIN main.observer o USING (observer_id)
 WHERE s.kind = 'client-log' AND o.kind = 'client';
DROP TABLE IF EXISTS temp.wire_redirect;
CREATE TEMP TABLE wire_redirect (incident TEXT NOT NULL, slot INTEGER NOT NULL, target_id INTEGER NOT NULL, code TEXT NOT NULL,
	at INTEGER NOT NULL, observer_id INTEGER NOT NULL);
INSERT INTO wire_redirect
SELECT incident, slot, target_id, code, at, observer_id FROM c_redirect
 WHERE source_kind = 'capture' AND slot IS NOT NULL AND target_id IS NOT NULL AND at IS NOT NULL;
CREATE INDEX temp.wire_redirect_i ON wire_redirect (incident, slot, target_id, code, at);
DROP TABLE IF EXISTS temp.capture_span;
CREATE TEMP TABLE capture_span AS
SELECT incident, first_at, last_at FROM c_source WHERE kind = 'capture' AND first_at IS NOT NULL;
DROP TABLE IF EXISTS temp.host_match;
CREATE TEMP TABLE host_match AS
SELECT l.observer_id, coalesce(o.host, o.name) AS host, count(DISTINCT l.redirect_id) AS pairs
  FROM c_redirect l JOIN client_source cs USING (observer_id)
  JOIN wire_redirect c ON c.incident = l.incident AND c.slot = l.slot AND c.target_id = l.target_id AND c.code = l.code
	AND c.at BETWEEN l.at - 10000 AND l.at + 10000
  JOIN main.observer o ON o.observer_id = c.observer_id
 WHERE l.source_kind = 'client-log' AND l.at IS NOT NULL AND l.slot IS NOT NULL AND l.target_id IS NOT NULL
 GROUP BY l.observer_id, coalesce(o.host, o.name);
-- The host that a log's own redirects match.
DROP TABLE IF EXISTS temp.host_sure;
CREATE TEMP TABLE host_sure AS
SELECT observer_id, max(host) AS host FROM host_match h
 WHERE pairs >= 3 AND pairs * 10 >= 9 * (SELECT count(*) FROM main.redirect r JOIN main.source s USING (source_id)
	WHERE r.observer_id = h.observer_id AND s.kind = 'client-log' AND r.slot IS NOT NULL AND r.target_id IS NOT NULL AND r.at IS NOT NULL)
 GROUP BY observer_id HAVING count(*) = 1;
-- The host of a folder: the one that all of its matched logs were matched to,
-- where folders tell hosts apart or the captures know one redirected host only.
DROP TABLE IF EXISTS temp.folder_host;
CREATE TEMP TABLE folder_host AS
SELECT c.incident, c.folder, max(m.host) AS host
  FROM client_source c JOIN host_sure m USING (observer_id)
 GROUP BY c.incident, c.folder
HAVING count(DISTINCT m.host) = 1
   AND ((SELECT count(DISTINCT x.folder) FROM client_source x WHERE x.incident = c.incident) > 1
	OR 1 = (SELECT count(DISTINCT r.observer_id) FROM c_redirect r WHERE r.incident = c.incident AND r.source_kind = 'capture'));
-- Who was ever redirected, and how often who asked for the topology.
CREATE INDEX temp.client_source_i ON client_source (incident, folder);
DROP TABLE IF EXISTS temp.redirected;
CREATE TEMP TABLE redirected (observer_id INTEGER PRIMARY KEY);
INSERT INTO redirected SELECT DISTINCT observer_id FROM main.redirect;
DROP TABLE IF EXISTS temp.asks;
CREATE TEMP TABLE asks (observer_id INTEGER PRIMARY KEY, samples INTEGER NOT NULL);
INSERT INTO asks SELECT asked_by, sum(samples) FROM main.view WHERE form = 'nodes' AND asked_by IS NOT NULL GROUP BY asked_by;
DROP TABLE IF EXISTS temp.party;
CREATE TEMP TABLE party (observer_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, host TEXT, host_basis TEXT, level TEXT NOT NULL);
INSERT INTO party
SELECT o.observer_id, o.incident,
	coalesce(m.host, h.host, CASE WHEN f.folders > 1 AND c.hosts <= 1 THEN 'folder:' || c.folder END, o.host),
	CASE WHEN m.host IS NOT NULL OR h.host IS NOT NULL THEN 'matched' WHEN f.folders > 1 AND c.hosts <= 1 THEN 'folder' WHEN o.host IS NOT NULL THEN 'stated' END,
	CASE WHEN o.kind = 'sampler' THEN 'sampler'
	    -- a client that only asks for the topology samples it
	    WHEN o.kind = 'client' AND o.observer_id NOT IN (SELECT observer_id FROM redirected)
		AND (SELECT a.samples FROM asks a WHERE a.observer_id = o.observer_id) >= 20 THEN 'sampler'
	    ELSE 'client' END
  FROM main.observer o
  LEFT JOIN host_sure m USING (observer_id)
  LEFT JOIN (SELECT a.observer_id, a.incident, min(a.folder) AS folder,
		(SELECT count(DISTINCT y.host) FROM client_source x JOIN main.observer y USING (observer_id) WHERE x.incident = a.incident AND x.folder = min(a.folder)) AS hosts
	  FROM client_source a GROUP BY a.observer_id, a.incident) c ON c.observer_id = o.observer_id
  LEFT JOIN folder_host h ON h.incident = c.incident AND h.folder = c.folder
  LEFT JOIN (SELECT incident, count(DISTINCT folder) AS folders FROM client_source GROUP BY incident) f ON f.incident = c.incident
 WHERE o.kind IN ('client', 'sampler');

-- Inferred errors: three redirects of one host for one slot that go A -> B -> A
-- -> B, seen in a capture, where no log of that host covers the time.
DROP TABLE IF EXISTS temp.logged;
CREATE TEMP TABLE logged (incident TEXT NOT NULL, host TEXT, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL);
INSERT INTO logged
SELECT DISTINCT s.incident, CASE WHEN p.host_basis = 'folder' THEN NULL ELSE p.host END, s.first_at - 1000000, s.last_at + 1000000
  FROM c_source s JOIN client_source cs ON cs.incident = s.incident JOIN party p USING (observer_id)
 WHERE s.kind = 'client-log' AND s.first_at IS NOT NULL;
-- Hosts whose logs cover all that captures show of them need no look.
DROP TABLE IF EXISTS temp.unlogged;
CREATE TEMP TABLE unlogged (observer_id INTEGER PRIMARY KEY);
INSERT INTO unlogged
SELECT r.observer_id FROM (SELECT observer_id, min(at) AS first_at, max(at) AS last_at FROM wire_redirect GROUP BY observer_id) r
  JOIN party p USING (observer_id)
 WHERE NOT EXISTS (SELECT 1 FROM logged l WHERE l.incident = p.incident AND (l.host IS NULL OR l.host = p.host)
	AND r.first_at >= l.first_at AND r.last_at <= l.last_at);
DROP TABLE IF EXISTS temp.hop;
CREATE TEMP TABLE hop (hop_id INTEGER PRIMARY KEY, observer_id INTEGER NOT NULL, slot INTEGER NOT NULL, at INTEGER, asked_id INTEGER,
	target_id INTEGER, redirect_id INTEGER NOT NULL);	-- numbered by host, slot, time
INSERT INTO hop (observer_id, slot, at, asked_id, target_id, redirect_id)
SELECT observer_id, slot, at, asked_id, target_id, redirect_id FROM c_redirect
 WHERE source_kind = 'capture' AND code = 'MOVED' AND slot IS NOT NULL AND asking = 0
   AND observer_id IN (SELECT observer_id FROM unlogged) AND redirect_id NOT IN (SELECT redirect_id FROM redirect_again)
 ORDER BY observer_id, slot, at, redirect_id;
DROP TABLE IF EXISTS temp.loop;
CREATE TEMP TABLE loop AS
WITH l AS MATERIALIZED (
	SELECT x.redirect_id, h2.at AS at2, lag(x.at) OVER (PARTITION BY x.observer_id, x.slot ORDER BY x.hop_id) AS prev_at
	  FROM hop x JOIN hop h1 ON h1.hop_id = x.hop_id - 1 JOIN hop h2 ON h2.hop_id = x.hop_id - 2
	 WHERE h1.observer_id = x.observer_id AND h1.slot = x.slot AND h2.observer_id = x.observer_id AND h2.slot = x.slot
	   AND h1.asked_id = h2.target_id AND x.asked_id = h1.target_id AND x.target_id = h2.target_id AND h2.asked_id = x.asked_id
	   AND x.at - h2.at <= 1000000),
c AS (SELECT r.*, l.at2, l.prev_at FROM l JOIN c_redirect r USING (redirect_id))
SELECT incident, observer_id, slot, redirect_id, source_id, position, at, at2 AS started_at, asked_id, target_id
  FROM c
 WHERE (prev_at IS NULL OR at - prev_at > 200000)
   AND NOT EXISTS (SELECT 1 FROM logged l WHERE l.incident = c.incident AND c.at BETWEEN l.first_at AND l.last_at
	AND (l.host IS NULL OR l.host = (SELECT q.host FROM party q WHERE q.observer_id = c.observer_id)));

DROP TABLE IF EXISTS temp.err;
CREATE TEMP TABLE err (error_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, client_error_id INTEGER, observer_id INTEGER NOT NULL,
	source_id INTEGER NOT NULL, source TEXT NOT NULL, position INTEGER NOT NULL, at INTEGER, raise_at INTEGER, started_at INTEGER,
	unc INTEGER NOT NULL, precision_us INTEGER NOT NULL, library TEXT, kind TEXT NOT NULL, error_class TEXT, message TEXT NOT NULL,
	slot INTEGER, asked_id INTEGER, target_id INTEGER, last_code TEXT, attempts INTEGER, timer INTEGER NOT NULL, context TEXT,
	rule TEXT, budget INTEGER, backoff_ms INTEGER, inferred INTEGER NOT NULL);
INSERT INTO err
SELECT row_number() OVER (ORDER BY incident, at IS NULL, at, source, position, inferred, observer_id),
	incident, client_error_id, observer_id, source_id, source, position, at,
	at + blur_us, started_at,
	uncertainty_us, precision_us, library, kind, error_class, message, slot, asked_id, target_id, last_code, attempts, timer, context,
	rule, budget, backoff_ms, inferred
  FROM (SELECT incident, client_error_id, observer_id, source_id, source, position, at, started_at, uncertainty_us, precision_us, blur_us, library,
		kind, error_class, message, slot, asked_id, target_id, last_code, attempts, timer, context, rule, budget, backoff_ms, 0 AS inferred
	  FROM c_error
	UNION ALL
	SELECT l.incident, NULL, l.observer_id, l.source_id, s.name, l.position, l.at, l.started_at, k.uncertainty_us, 1, 0, NULL,
		'redirect-loop', NULL, 'redirect cycle seen in the capture', l.slot, l.asked_id, l.target_id, 'MOVED', 3, 0, NULL, NULL, NULL, NULL, 1
	  FROM loop l JOIN main.source s USING (source_id) JOIN main.source_clock k USING (source_id));
CREATE INDEX temp.err_o ON err (observer_id, slot, at);
CREATE INDEX temp.err_c ON err (client_error_id);

-- The redirects of an error's chain: the ones its own text names, and the ones
-- that the same client (and thread or request) logged for the slot before it,
-- back to its previous error; for an inferred error the capture's.
DROP TABLE IF EXISTS temp.chain;
CREATE TEMP TABLE chain (error_id INTEGER NOT NULL, place INTEGER NOT NULL, at INTEGER, code TEXT NOT NULL, asked_id INTEGER, target_id INTEGER,
	asked_node INTEGER, target_node INTEGER, own_text INTEGER NOT NULL, source_id INTEGER NOT NULL, position INTEGER NOT NULL,
	redirect_id INTEGER NOT NULL, PRIMARY KEY (error_id, place)) WITHOUT ROWID;
-- Redirects that no error's text names, by client and time.
DROP TABLE IF EXISTS temp.lr;
CREATE TEMP TABLE lr (redirect_id INTEGER, source_id INTEGER, observer_id INTEGER, slot INTEGER, at INTEGER, code TEXT, asked_id INTEGER,
	target_id INTEGER, context TEXT, position INTEGER);
INSERT INTO lr
SELECT redirect_id, source_id, observer_id, slot, at, code, asked_id, target_id, context, position
  FROM c_redirect WHERE client_error_id IS NULL AND code IN ('MOVED', 'ASK') AND at IS NOT NULL
   AND observer_id IN (SELECT observer_id FROM err);
CREATE INDEX temp.lr_i ON lr (observer_id, source_id, at);
CREATE INDEX temp.err_p ON err (observer_id, source_id, at);
INSERT INTO chain
WITH e AS MATERIALIZED (
	SELECT x.*, coalesce((SELECT p.position FROM err p WHERE p.observer_id = x.observer_id AND p.source_id = x.source_id
		AND p.at BETWEEN x.at - (SELECT value FROM parameter WHERE name = 'chain_us') AND x.raise_at
		AND p.position < x.position AND p.inferred = x.inferred AND (p.slot = x.slot OR p.slot IS NULL OR x.slot IS NULL)
		AND (p.context IS NULL OR x.context IS NULL OR p.context = x.context) ORDER BY p.position DESC LIMIT 1), 0) AS after_position
	  FROM err x WHERE x.at IS NOT NULL)
SELECT error_id, row_number() OVER (PARTITION BY error_id ORDER BY own_text, at, position, hop, redirect_id) - 1, at, code, asked_id, target_id,
	(SELECT a.node_id FROM addr a WHERE a.endpoint_id = asked_id AND a.nodes = 1),
	(SELECT a.node_id FROM addr a WHERE a.endpoint_id = target_id AND a.nodes = 1),
	own_text, source_id, position, redirect_id
  FROM (SELECT e.error_id, r.at, r.code, r.asked_id, r.target_id, 1 AS own_text, r.source_id, r.position, r.hop, r.redirect_id
	  FROM c_redirect r JOIN err e ON e.client_error_id = r.client_error_id
	 WHERE r.client_error_id IS NOT NULL
	UNION ALL
	SELECT e.error_id, r.at, r.code, r.asked_id, r.target_id, 0, r.source_id, r.position, NULL, r.redirect_id
	  FROM e
	  JOIN lr r ON r.observer_id = e.observer_id AND r.source_id = e.source_id
		AND r.at BETWEEN e.at - (SELECT value FROM parameter WHERE name = 'chain_us') AND e.raise_at
	 WHERE (r.slot = e.slot OR r.slot IS NULL OR e.slot IS NULL)
	   AND (r.context IS NULL OR e.context IS NULL OR r.context = e.context)
	   AND (r.position < e.position OR (e.inferred AND r.position <= e.position))
	   AND r.position > e.after_position
	   AND (NOT e.inferred OR r.at >= e.started_at));
CREATE INDEX temp.redirect_err ON chain (error_id, at);

-- A slot that the text does not name but a capture does: all redirects that the
-- only redirected host was given before the raise are about one slot.
UPDATE err SET slot = (
	SELECT min(r.slot) FROM c_redirect r WHERE r.incident = err.incident AND r.source_kind = 'capture' AND r.code IN ('MOVED', 'ASK')
	   AND r.at BETWEEN err.at - (SELECT value FROM parameter WHERE name = 'chain_us') AND err.raise_at)
 WHERE slot IS NULL AND at IS NOT NULL
   AND 1 = (SELECT count(DISTINCT r.slot) FROM c_redirect r WHERE r.incident = err.incident AND r.source_kind = 'capture'
	AND r.code IN ('MOVED', 'ASK') AND r.at BETWEEN err.at - (SELECT value FROM parameter WHERE name = 'chain_us') AND err.raise_at)
   AND 1 = (SELECT count(DISTINCT r.observer_id) FROM c_redirect r WHERE r.incident = err.incident AND r.source_kind = 'capture');

DROP TABLE IF EXISTS temp.ep;
CREATE TEMP TABLE ep (ep_id INTEGER PRIMARY KEY, error_id INTEGER NOT NULL, incident TEXT NOT NULL, observer_id INTEGER NOT NULL, host TEXT,
	slot INTEGER, seg_id INTEGER, window_id INTEGER, ep_from INTEGER NOT NULL, ep_to INTEGER NOT NULL, seen INTEGER NOT NULL, timer INTEGER NOT NULL,
	last_code TEXT, shift INTEGER NOT NULL DEFAULT 0);
INSERT INTO ep (error_id, incident, observer_id, host, slot, seg_id, ep_from, ep_to, seen, timer, last_code)
SELECT e.error_id, e.incident, e.observer_id, p.host, e.slot, g.seg_id,
	min(coalesce((SELECT min(c.at) FROM chain c WHERE c.error_id = e.error_id), e.started_at,
	    e.at - coalesce(max(e.budget * e.backoff_ms * 1000, (SELECT value FROM parameter WHERE name = 'episode_us')),
		(SELECT value FROM parameter WHERE name = 'episode_us'))), e.at,
	    -- a log that has fewer redirects than led to the raise may lack the first
	    CASE WHEN (SELECT count(c.at) FROM chain c WHERE c.error_id = e.error_id) BETWEEN 1 AND coalesce(e.attempts, e.budget, 1000) - 1 AND NOT e.inferred
		THEN coalesce(e.started_at, e.at - (SELECT value FROM parameter WHERE name = 'episode_us')) ELSE e.at END) - e.unc,
	e.raise_at + e.unc,
	EXISTS (SELECT 1 FROM chain c WHERE c.error_id = e.error_id AND c.code IN ('MOVED', 'ASK')) OR e.kind IN ('moved', 'ask', 'redirect-loop')
	    OR coalesce(e.last_code, '') IN ('MOVED', 'ASK'),
	e.timer, e.last_code
  FROM err e JOIN party p USING (observer_id)
  LEFT JOIN seg_slots g ON g.incident = e.incident AND e.slot BETWEEN g.s0 AND g.s1
 WHERE e.at IS NOT NULL AND e.slot IS NOT NULL;
-- A log that states whole seconds: the raise may as well be at the second's
-- beginning, before what happened inside it.
INSERT INTO ep (error_id, incident, observer_id, host, slot, seg_id, ep_from, ep_to, seen, timer, last_code)
SELECT p.error_id, p.incident, p.observer_id, p.host, p.slot, p.seg_id, p.ep_from, e.at + e.unc, p.seen, p.timer, p.last_code
  FROM ep p JOIN err e USING (error_id) WHERE e.precision_us >= 1000000;
-- A log whose clock may as well be like another.
INSERT INTO ep (error_id, incident, observer_id, host, slot, seg_id, ep_from, ep_to, seen, timer, last_code, shift)
SELECT p.error_id, p.incident, p.observer_id, p.host, p.slot, p.seg_id, p.ep_from + k.either_us, p.ep_to + k.either_us, p.seen, p.timer, p.last_code, k.either_us
  FROM ep p JOIN err e USING (error_id) JOIN source_clock k USING (source_id) WHERE k.either_us <> 0;
-- A capture shows the redirects that a log does not print: those of the same
-- host, or, the host unknown, of the only host that was redirected at all.
UPDATE ep SET seen = 1 WHERE NOT seen AND EXISTS (
	SELECT 1 FROM c_redirect r JOIN party p USING (observer_id)
	 WHERE r.incident = ep.incident AND r.slot = ep.slot AND r.at BETWEEN ep.ep_from - ep.timer * 1000000 AND ep.ep_to AND r.code IN ('MOVED', 'ASK')
	   AND r.source_kind = 'capture' AND (p.host = ep.host OR (ep.host IS NULL AND 1 = (
		SELECT count(DISTINCT q.host) FROM main.redirect x JOIN party q USING (observer_id) JOIN main.source s USING (source_id)
		 WHERE s.incident = ep.incident AND s.kind = 'capture'))));
-- A slot that nobody knows: the error may be about any window open over it, or,
-- where none is, about any segment (of the redirect's target, if it names one).
DROP TABLE IF EXISTS temp.noslot;
CREATE TEMP TABLE noslot AS
SELECT e.error_id, e.incident, e.observer_id, p.host, e.target_id,
	min(coalesce((SELECT min(c.at) FROM chain c WHERE c.error_id = e.error_id), e.started_at, e.at - (SELECT value FROM parameter WHERE name = 'episode_us')), e.at) - e.unc AS ep_from,
	e.raise_at + e.unc AS ep_to,
	EXISTS (SELECT 1 FROM chain c WHERE c.error_id = e.error_id) OR e.kind IN ('moved', 'ask', 'redirect-loop') AS seen, e.timer, e.last_code
  FROM err e JOIN party p USING (observer_id) WHERE e.at IS NOT NULL AND e.slot IS NULL;
INSERT INTO ep (error_id, incident, observer_id, host, slot, seg_id, ep_from, ep_to, seen, timer, last_code)
SELECT DISTINCT x.error_id, x.incident, x.observer_id, x.host, NULL, g.seg_id, x.ep_from, x.ep_to, x.seen, x.timer, x.last_code
  FROM noslot x
  JOIN main.divergence_window w ON w.incident = x.incident AND w.opened_by <= x.ep_to AND coalesce(w.opened_after, w.opened_by) <= x.ep_to
	AND coalesce(w.converged_by, 9223372036854775807) >= x.ep_from
  JOIN main.window_segment s USING (window_id) JOIN seg_slots g ON g.incident = x.incident AND g.s0 = s.slot_from;
INSERT INTO ep (error_id, incident, observer_id, host, slot, seg_id, ep_from, ep_to, seen, timer, last_code)
SELECT x.error_id, x.incident, x.observer_id, x.host, NULL, g.seg_id, x.ep_from, x.ep_to, x.seen, x.timer, x.last_code
  FROM noslot x JOIN seg_live g ON g.incident = x.incident
 WHERE NOT EXISTS (SELECT 1 FROM ep e WHERE e.error_id = x.error_id)
   AND (SELECT count(*) FROM seg_live k WHERE k.incident = x.incident) <= 64
   AND (x.target_id IS NULL OR NOT EXISTS (SELECT 1 FROM addr a WHERE a.endpoint_id = x.target_id)
	OR EXISTS (SELECT 1 FROM belief b JOIN addr a ON a.endpoint_id = x.target_id AND a.node_id = b.owner WHERE b.seg_id = g.seg_id));
-- The window of an error: the one whose [opened_after, converged_by] its
-- episode overlaps; of several the one that is open at the raise, the newest.
DROP TABLE IF EXISTS temp.seg_window;
CREATE TEMP TABLE seg_window (seg_id INTEGER NOT NULL, window_id INTEGER NOT NULL, opened INTEGER NOT NULL, opened_by INTEGER NOT NULL, until INTEGER NOT NULL);
INSERT INTO seg_window
SELECT DISTINCT g.seg_id, w.window_id, coalesce(w.opened_after, w.opened_by), w.opened_by, coalesce(w.converged_by, 9223372036854775807)
  FROM main.divergence_window w JOIN main.window_segment s USING (window_id)
  JOIN seg_slots g ON g.incident = w.incident AND g.s0 BETWEEN s.slot_from AND s.slot_to AND g.s1 <= s.slot_to;
CREATE INDEX temp.seg_window_short ON seg_window (seg_id, opened) WHERE until - opened <= 60000000;
CREATE INDEX temp.seg_window_long ON seg_window (seg_id, opened) WHERE until - opened > 60000000;
UPDATE ep SET window_id = (
	SELECT x.window_id FROM (
		SELECT w.window_id, w.opened_by, w.opened_by <= ep.ep_to AS certain FROM seg_window w INDEXED BY seg_window_short WHERE w.seg_id = ep.seg_id AND w.until - w.opened <= 60000000
		   AND w.opened BETWEEN ep.ep_from - 60000000 AND ep.ep_to AND w.until >= ep.ep_from
		UNION ALL
		SELECT w.window_id, w.opened_by, w.opened_by <= ep.ep_to AS certain FROM seg_window w INDEXED BY seg_window_long WHERE w.seg_id = ep.seg_id AND w.until - w.opened > 60000000
		   AND w.opened <= ep.ep_to AND w.until >= ep.ep_from) x
	 ORDER BY x.certain DESC, x.opened_by DESC, x.window_id LIMIT 1);
CREATE INDEX temp.ep_e ON ep (error_id);
