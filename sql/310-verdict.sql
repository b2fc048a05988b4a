-- 310-verdict.sql - one verdict an error.
--
-- Reads: temp.ep, temp.belief, redirects, contacts.  Makes:
--   verdict	one row an error: the rule that applied, what follows, why
-- The rule's number decides, the verdict is derived from it.  Each episode is
-- judged once with every view and once more for each claim that only possible
-- views name, leaving these out (scenario > 0).

CREATE TABLE verdict (
	error_id	INTEGER PRIMARY KEY,	-- numbered by (incident, time, source, position)
	incident	TEXT NOT NULL,
	client_error_id	INTEGER,		-- NULL: inferred from a capture
	observer_id	INTEGER NOT NULL,	-- the client
	source_id	INTEGER NOT NULL,
	position	INTEGER NOT NULL,
	at		INTEGER,		-- the raise, corrected
	ep_from		INTEGER,		-- its episode
	ep_to		INTEGER,
	slot		INTEGER,
	library		TEXT,
	error_class	TEXT,
	message		TEXT NOT NULL,
	chain		TEXT,			-- redirects, 'asked>target,...', '?' where not printed
	redirects	INTEGER,
	rule		TEXT NOT NULL,
	verdict		TEXT NOT NULL CHECK (verdict IN ('genuine', 'spurious', 'corruption', 'undetermined')),
	leans		TEXT CHECK (leans IN ('genuine', 'spurious', 'corruption')),
	fault		TEXT NOT NULL,
	confidence	TEXT NOT NULL CHECK (confidence IN ('observed', 'bounded', 'inferred')),
	reason		TEXT NOT NULL,
	window_id	INTEGER,
	divergence_ms	INTEGER,		-- from its opening to the raise: what the client could have known
	timeout_ms	INTEGER NOT NULL,	-- cluster-node-timeout of the incident
	claimant	INTEGER,		-- node_id
	claimant_epoch	INTEGER,
	reachable	INTEGER CHECK (reachable IN (0, 1)),
	reach_basis	TEXT,			-- how that is known
	views		INTEGER NOT NULL,	-- parties whose view counted
	views_disagreeing INTEGER NOT NULL,	-- of these, naming another than the claimant
	missing		TEXT,			-- codes, comma-separated
	flips		TEXT,			-- claim whose absence would change the verdict
	inferred	INTEGER NOT NULL CHECK (inferred IN (0, 1))
) STRICT;

-- Redirects as views: the answering node's own word about one slot that an error
-- is about.  A target that meant two nodes names nobody.  A served slot is a span.
DROP TABLE IF EXISTS temp.err_slot;
CREATE TEMP TABLE err_slot (slot INTEGER PRIMARY KEY);
INSERT INTO err_slot SELECT DISTINCT slot FROM ep WHERE slot IS NOT NULL;
-- An empty host is the one that answered; port 0 is no address.
DROP TABLE IF EXISTS temp.hostless;
CREATE TEMP TABLE hostless (endpoint_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, port INTEGER NOT NULL);
INSERT INTO hostless SELECT endpoint_id, incident, port FROM main.endpoint WHERE host = '';
DROP TABLE IF EXISTS temp.rd;
CREATE TEMP TABLE rd (incident TEXT NOT NULL, who INTEGER NOT NULL, slot INTEGER NOT NULL, at INTEGER NOT NULL,
	owner INTEGER NOT NULL, last_at INTEGER NOT NULL, source_id INTEGER NOT NULL, position INTEGER NOT NULL);
INSERT INTO rd
SELECT r.incident, x.node_id, r.slot, r.at, y.node_id, r.at, r.source_id, r.position
  FROM c_redirect r JOIN addr x ON x.endpoint_id = r.asked_id AND x.nodes = 1
  JOIN addr y ON y.nodes = 1 AND y.endpoint_id = CASE WHEN r.target_id NOT IN (SELECT endpoint_id FROM hostless) THEN r.target_id
	ELSE (SELECT z.endpoint_id FROM hostless h JOIN main.endpoint q ON q.endpoint_id = r.asked_id
		JOIN main.endpoint z ON z.incident = h.incident AND z.host = q.host AND z.port = h.port WHERE h.endpoint_id = r.target_id) END
 WHERE r.code = 'MOVED' AND r.slot IN (SELECT slot FROM err_slot) AND r.at IS NOT NULL AND r.asking = 0 AND NOT r.doubtful
   -- a view is of an instant: whole seconds are none
   AND r.precision_us <= 100000;
-- A data reply to a keyed command is the answering node's claim.
INSERT INTO rd
SELECT v.incident, w.who, x.slot_from, v.first_at, w.who, v.last_at, v.source_id, v.position
  FROM c_view v JOIN who w USING (observer_id) JOIN main.view_slots x USING (view_id)
 WHERE v.kind = 'served' AND v.first_at IS NOT NULL AND x.slot_from = x.slot_to AND x.slot_from IN (SELECT slot FROM err_slot) AND NOT v.doubtful;
CREATE INDEX temp.rd_w ON rd (who, slot, at, owner);
CREATE INDEX temp.rd_t ON rd (incident, slot, at);
CREATE INDEX temp.rd_o ON rd (owner, slot, at);
CREATE INDEX temp.rd_span ON rd (incident, slot, at) WHERE last_at > at;

-- Candidates: who named whom over an episode.  kind b: a belief, r: a redirect
-- or a served command.  gap_us: distance from the episode to the nearest
-- samples, 0 when one lies inside.  ref: the belief, or the last redirect of them.
DROP TABLE IF EXISTS temp.cand;
CREATE TEMP TABLE cand (ep_id INTEGER NOT NULL, who INTEGER NOT NULL, kind TEXT NOT NULL, ref INTEGER NOT NULL, owner INTEGER NOT NULL, epoch INTEGER,
	sure INTEGER NOT NULL, full INTEGER NOT NULL, inside INTEGER NOT NULL, age_us INTEGER NOT NULL,
	sided INTEGER NOT NULL, st INTEGER, f0 INTEGER, PRIMARY KEY (ep_id, who, kind, ref)) WITHOUT ROWID;
-- Beliefs over an episode: long ones are few, short ones begin near it.
CREATE INDEX temp.said_n ON said (who, seg_id, owner, epoch, first_at, track, last_at);
CREATE INDEX temp.said_p ON said (who, seg_id, owner, epoch, last_at);
CREATE INDEX temp.belief_short ON belief (seg_id, mf, mt, owner) WHERE mt - mf <= 60000000;
CREATE INDEX temp.belief_long ON belief (seg_id, mf, mt, owner) WHERE mt - mf > 60000000;
INSERT INTO cand (ep_id, who, owner, epoch, sure, kind, full, inside, age_us, sided, ref, st, f0)
WITH x AS MATERIALIZED (
	SELECT y.*, y.sure AND EXISTS (SELECT 1 FROM said s INDEXED BY said_n WHERE s.who = y.who AND s.seg_id = y.seg_id AND s.owner = y.owner
		AND s.epoch IS y.epoch AND s.first_at <= y.ep_to AND s.first_at >= y.ep_from - 70000000 AND s.last_at >= y.ep_from) AS inside
	  FROM (SELECT k.ep_id, k.incident, k.ep_from, k.ep_to, b.belief_id, b.who, b.seg_id, b.owner, b.epoch, b.mf, b.st, b.mt, b.track, b.f0,
		-- by a clock that may be off: from the latest time that it can have begun
		CASE WHEN b.widen_us = 0 THEN b.f0 <= k.ep_to ELSE b.sf <= min(k.ep_to, b.st) END AND b.st >= k.ep_from AS sure
		  FROM (SELECT e.ep_id, e.incident, e.ep_from, e.ep_to, b.belief_id
			  FROM ep e JOIN belief b INDEXED BY belief_short ON b.seg_id = e.seg_id AND b.mt - b.mf <= 60000000
				AND b.mf BETWEEN e.ep_from - 60000000 AND e.ep_to
			 WHERE b.owner <> -1 AND b.mt >= e.ep_from
			UNION ALL
			SELECT e.ep_id, e.incident, e.ep_from, e.ep_to, b.belief_id
			  FROM ep e JOIN belief b INDEXED BY belief_long ON b.seg_id = e.seg_id AND b.mt - b.mf > 60000000
				AND b.mf <= e.ep_to
			 WHERE b.owner <> -1 AND b.mt >= e.ep_from) k JOIN belief b USING (belief_id)) y)
SELECT x.ep_id, x.who, x.owner, x.epoch, x.sure, 'b', x.track <= 3, x.inside,
	CASE WHEN x.inside THEN 0
	    WHEN x.sure THEN coalesce((SELECT min(s.first_at) FROM said s WHERE s.who = x.who AND s.seg_id = x.seg_id AND s.owner = x.owner
		    AND s.epoch IS x.epoch AND s.first_at > x.ep_to), x.ep_to)
		- coalesce((SELECT max(s.last_at) FROM said s WHERE s.who = x.who AND s.seg_id = x.seg_id AND s.owner = x.owner
		    AND s.epoch IS x.epoch AND s.last_at < x.ep_from), x.ep_from)
	    WHEN x.st < x.ep_from THEN x.ep_from - x.st ELSE max(0, x.f0 - x.ep_to) END,
	CASE WHEN x.sure THEN 2 WHEN x.f0 <= x.ep_to AND x.st >= x.ep_from THEN 3 WHEN x.st < x.ep_from AND x.mt < 9223372036854775807 THEN 3 WHEN x.f0 > x.ep_to AND x.mf > -9223372036854775807 THEN 3 ELSE 1 END,
	x.belief_id, x.st, x.f0
  FROM x JOIN temp.incident t ON t.incident = x.incident
 WHERE x.sure OR (x.f0 <= x.ep_to AND x.st >= x.ep_from)
    OR (x.st < x.ep_from AND (x.mt < 9223372036854775807 OR x.ep_from - x.st <= t.node_timeout_us))
    OR (x.f0 > x.ep_to AND (x.mf > -9223372036854775807 OR x.f0 - x.ep_to <= t.node_timeout_us));
-- A redirect is an instant, a served slot a span of 60 s at most.
INSERT INTO cand (ep_id, who, owner, epoch, sure, kind, full, inside, age_us, sided, ref, st, f0)
WITH r AS MATERIALIZED (
	SELECT ep_id, ep_to, who, owner, max(id) AS ref, max(last_at) AS st, min(at) AS f0 FROM (
		SELECT e.ep_id, e.ep_to, r.who, r.owner, r.rowid AS id, r.at, r.last_at
		  FROM ep e JOIN rd r INDEXED BY rd_t ON r.incident = e.incident AND r.slot = e.slot AND r.at BETWEEN e.ep_from AND e.ep_to
		UNION ALL
		SELECT e.ep_id, e.ep_to, r.who, r.owner, r.rowid, r.at, r.last_at
		  FROM ep e JOIN rd r INDEXED BY rd_span ON r.incident = e.incident AND r.slot = e.slot AND r.last_at > r.at
			AND r.at BETWEEN e.ep_from - 70000000 AND e.ep_from - 1 AND r.last_at >= e.ep_from)
	 GROUP BY ep_id, ep_to, who, owner)
SELECT r.ep_id, r.who, r.owner,
	coalesce((SELECT n.epoch FROM node_epoch n WHERE n.node_id = r.owner AND n.at <= max(r.st, r.ep_to) ORDER BY n.at DESC, n.epoch DESC LIMIT 1),
	    (SELECT n.epoch FROM node_epoch n WHERE n.node_id = r.owner ORDER BY n.at, n.epoch LIMIT 1)),
	1, 'r', 1, 1, 0, 2, r.ref, r.st, r.f0
  FROM r;

-- A claim that ended with its claimant's process, higher than any that is left:
-- whoever heard of it may still name it, and the client may have been sent there.
DROP TABLE IF EXISTS temp.dead_claim;
CREATE TEMP TABLE dead_claim AS
SELECT b.belief_id, b.seg_id, b.who, b.epoch, b.st, b.f0, b.mt, b.track,
	coalesce((SELECT min(x.f0) FROM belief x WHERE x.seg_id = b.seg_id AND x.who = b.who AND x.f0 > b.st), 9223372036854775807) AS next_f0
  FROM belief b WHERE b.who = b.owner AND EXISTS (SELECT 1 FROM outage o WHERE o.who = b.who AND o.from_at = b.mt);
CREATE INDEX temp.dead_claim_i ON dead_claim (seg_id, mt);
INSERT INTO cand (ep_id, who, owner, epoch, sure, kind, full, inside, age_us, sided, ref, st, f0)
SELECT e.ep_id, d.who, d.who, d.epoch, 0, 'b', d.track <= 3, 0, e.ep_from - d.st, 3, d.belief_id, d.st, d.f0
  FROM ep e JOIN dead_claim d ON d.seg_id = e.seg_id AND d.mt < e.ep_from AND d.next_f0 > e.ep_to
 WHERE d.epoch > (SELECT max(c.epoch) FROM cand c WHERE c.ep_id = e.ep_id);

-- What a party held from before to after the episode is only possible where its
-- own redirect inside says otherwise (SETSLOT leaves no line in a log).
UPDATE cand SET sure = 0, sided = 3 WHERE kind = 'b' AND sure AND NOT inside AND EXISTS (
	SELECT 1 FROM cand r WHERE r.ep_id = cand.ep_id AND r.kind = 'r' AND r.who = cand.who AND r.owner <> cand.owner);

-- A redirect supersedes its sender's older views; a view that begins after the
-- raise is dropped where its observer, or the owner that it names, says
-- otherwise at first hand at the raise (earlier in the episode is no proof: the
-- view may have begun between that word and the raise).
DELETE FROM cand WHERE kind = 'b' AND NOT sure AND EXISTS (
	SELECT 1 FROM ep e JOIN rd r ON r.who = cand.who AND r.slot = e.slot
	 WHERE e.ep_id = cand.ep_id AND r.owner <> cand.owner AND r.at > cand.st AND r.at <= e.ep_from AND cand.st < e.ep_from);
DELETE FROM cand WHERE kind = 'b' AND NOT sure AND EXISTS (SELECT 1 FROM ep e WHERE e.ep_id = cand.ep_id AND cand.st > e.ep_to)
   AND EXISTS (SELECT 1 FROM cand k WHERE k.ep_id = cand.ep_id AND k.sure AND k.inside AND k.who IN (cand.who, cand.owner) AND k.owner <> cand.owner
	AND k.st >= (SELECT e.ep_to - 10000 FROM ep e WHERE e.ep_id = cand.ep_id));
-- A node that says one thing to its sampler, close before and close after, and
-- another to a client in between, as the times have it: a clock is off.
DROP TABLE IF EXISTS temp.clash;
CREATE TEMP TABLE clash AS
WITH p AS MATERIALIZED (
	SELECT c.ep_id, c.who, s.source_id AS one_id, (SELECT r.source_id FROM rd r INDEXED BY rd_w WHERE r.who = c.who AND r.slot = e.slot
		AND r.at BETWEEN max(e.ep_from, s.first_at + max(50000, s.gap_us)) AND min(e.ep_to, s.last_at - max(50000, s.gap_us))
		AND r.owner = k.owner LIMIT 1) AS other_id
	  FROM cand c CROSS JOIN cand k ON k.ep_id = c.ep_id AND k.who = c.who AND k.kind = 'r' AND k.owner <> c.owner
	  CROSS JOIN ep e ON e.ep_id = c.ep_id
	  CROSS JOIN said s INDEXED BY said_n ON s.who = c.who AND s.seg_id = e.seg_id AND s.owner = c.owner AND s.epoch IS c.epoch
		AND s.first_at BETWEEN e.ep_from - 70000000 AND e.ep_to - 50000 AND s.last_at >= e.ep_from + 50000
		AND s.track IN (2, 3) AND s.gap_us <= 200000
	 WHERE c.kind = 'b' AND c.sure)
SELECT ep_id, min(who) AS who, min(one_id) AS one_id, min(other_id) AS other_id FROM p WHERE other_id IS NOT NULL GROUP BY ep_id;
CREATE UNIQUE INDEX temp.clash_i ON clash (ep_id);
-- Redirects that the error's log prints and a capture shows within a minute: at
-- their time or, though the capture lasts over it, at another one.  There the
-- clock of one of the two is off; where that is so for most errors of a log, or
-- for all of three at least wherever they lie, it is for the whole log.
DROP TABLE IF EXISTS temp.on_wire;
CREATE TEMP TABLE on_wire AS
WITH w AS (
	SELECT e.ep_id, x.source_id, e.ep_from, e.ep_to, 20000 + x.raise_at - x.at AS near_us,
	    EXISTS (SELECT 1 FROM capture_span s WHERE s.incident = e.incident AND s.first_at <= e.ep_from AND s.last_at >= e.ep_to) AS covered,
	    (SELECT max(w.at) FROM wire_redirect w WHERE w.incident = e.incident AND w.slot = e.slot AND w.target_id = c.target_id
		AND w.code = c.code AND w.at BETWEEN e.ep_from - 60000000 AND e.ep_to + 20000 + x.raise_at - x.at) AS before_at,
	    (SELECT min(w.at) FROM wire_redirect w WHERE w.incident = e.incident AND w.slot = e.slot AND w.target_id = c.target_id
		AND w.code = c.code AND w.at BETWEEN e.ep_from - 20000 - x.raise_at + x.at AND e.ep_to + 60000000) AS after_at
	  FROM ep e JOIN chain c USING (error_id) JOIN err x USING (error_id)
	 WHERE NOT x.inferred AND c.target_id IS NOT NULL AND c.code IN ('MOVED', 'ASK'))
SELECT ep_id, source_id, covered, min(min(coalesce(ep_from - before_at, 9223372036854775807), coalesce(after_at - ep_to, 9223372036854775807))) AS off_us,
    max(coalesce(before_at >= ep_from - near_us, 0)) AS near
  FROM w WHERE before_at IS NOT NULL OR after_at IS NOT NULL GROUP BY ep_id, source_id, covered;
-- Refused connections likewise: a capture has one to the same node within a
-- minute, and none when the log says that they began or ended.
DROP TABLE IF EXISTS temp.refused_wire;
CREATE TEMP TABLE refused_wire (endpoint_id INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL);
INSERT INTO refused_wire
SELECT endpoint_id, first_at, last_at FROM c_contact WHERE source_kind = 'capture' AND outcome = 'refused' AND first_at IS NOT NULL;
CREATE INDEX temp.refused_wire_i ON refused_wire (endpoint_id, first_at);
DROP TABLE IF EXISTS temp.refused_log;
CREATE TEMP TABLE refused_log AS
SELECT c.contact_id, c.source_id,
    EXISTS (SELECT 1 FROM refused_wire w WHERE w.endpoint_id = c.endpoint_id AND w.first_at BETWEEN c.first_at - 60100000 AND c.first_at + 100000 + c.blur_us
	AND w.last_at >= c.first_at - 100000 - c.blur_us)
    AND EXISTS (SELECT 1 FROM refused_wire w WHERE w.endpoint_id = c.endpoint_id AND w.first_at BETWEEN c.last_at - 60100000 AND c.last_at + 100000 + c.blur_us
	AND w.last_at >= c.last_at - 100000 - c.blur_us) AS near
  FROM c_contact c
 WHERE c.source_kind = 'client-log' AND c.outcome = 'refused' AND c.first_at IS NOT NULL
   AND EXISTS (SELECT 1 FROM capture_span s WHERE s.incident = c.incident AND s.first_at <= c.first_at AND s.last_at >= c.last_at)
   AND EXISTS (SELECT 1 FROM refused_wire w WHERE w.endpoint_id = c.endpoint_id AND w.first_at BETWEEN c.first_at - 60000000 AND c.last_at + 60000000);
DROP TABLE IF EXISTS temp.off_source;
CREATE TEMP TABLE off_source (source_id INTEGER PRIMARY KEY, off_us INTEGER);
INSERT INTO off_source
SELECT source_id, min(CASE WHEN NOT near THEN off_us END) FROM on_wire GROUP BY source_id
HAVING sum(covered AND NOT near) * 2 > sum(covered) OR (count(*) >= 3 AND sum(near) = 0);
INSERT OR IGNORE INTO off_source
SELECT source_id, NULL FROM refused_log GROUP BY source_id HAVING sum(NOT near) * 2 > count(*);
DROP TABLE IF EXISTS temp.elsewhere;
CREATE TEMP TABLE elsewhere (ep_id INTEGER PRIMARY KEY, off_us INTEGER);
INSERT INTO elsewhere SELECT ep_id, off_us FROM on_wire WHERE covered AND NOT near;
INSERT OR IGNORE INTO elsewhere
SELECT e.ep_id, o.off_us FROM ep e JOIN err x USING (error_id) JOIN off_source o USING (source_id) WHERE NOT x.inferred;

-- Contacts by node, party and outcome.  lender: the host, or who has none.
-- gap_us: the longest silence inside a span, of which nothing is known.  blur_us:
-- how coarse its log states times; last_at is the latest that it can have been.
DROP TABLE IF EXISTS temp.ct;
CREATE TEMP TABLE ct (contact_id INTEGER PRIMARY KEY, node_id INTEGER NOT NULL, observer_id INTEGER NOT NULL, host TEXT, lender TEXT NOT NULL,
	level TEXT NOT NULL, ok INTEGER, slow INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, gap_us INTEGER NOT NULL,
	outcome TEXT NOT NULL, source_id INTEGER NOT NULL, position INTEGER NOT NULL, last_position INTEGER NOT NULL,
	blur_us INTEGER NOT NULL DEFAULT 0, either_us INTEGER NOT NULL DEFAULT 0);
INSERT INTO ct
SELECT c.contact_id, a.node_id, c.observer_id, p.host, coalesce(p.host, '#' || p.observer_id), p.level,
	CASE c.outcome WHEN 'ok' THEN 1 WHEN 'refused' THEN 0 WHEN 'connect-timeout' THEN 0 WHEN 'read-timeout' THEN 0 WHEN 'unreachable' THEN 0 END,
	0, c.first_at, c.last_at + c.blur_us, coalesce(c.max_gap_us, 0), c.outcome,
	c.source_id, c.position, c.last_position, c.blur_us, k.either_us
  FROM c_contact c JOIN source_clock k USING (source_id) JOIN addr a ON a.endpoint_id = c.endpoint_id AND a.nodes = 1 JOIN party p USING (observer_id)
 WHERE c.first_at IS NOT NULL AND c.outcome IN ('ok', 'refused', 'connect-timeout', 'read-timeout', 'unreachable', 'reset')
   -- a clock that is off tells of another time
   AND NOT c.doubtful AND c.source_id NOT IN (SELECT source_id FROM off_source)
   AND c.contact_id NOT IN (SELECT contact_id FROM refused_log WHERE NOT near);
-- A redirect is an answer of the node that gave it; a second of them is one
-- contact.
INSERT INTO ct (node_id, observer_id, host, lender, level, ok, slow, first_at, last_at, gap_us, outcome, source_id, position, last_position, either_us)
SELECT a.node_id, r.observer_id, p.host, coalesce(p.host, '#' || p.observer_id), p.level, 1, 0, min(r.at), max(r.at), max(r.at) - min(r.at), 'ok',
	r.source_id, min(r.position), max(r.position), k.either_us
  FROM c_redirect r JOIN source_clock k USING (source_id) JOIN addr a ON a.endpoint_id = r.asked_id AND a.nodes = 1 JOIN party p USING (observer_id)
 WHERE r.at IS NOT NULL AND r.source_kind <> 'capture' AND NOT r.doubtful AND r.source_id NOT IN (SELECT source_id FROM off_source)
 GROUP BY a.node_id, r.observer_id, r.source_id, r.at / 1000000;
CREATE INDEX temp.ct_i ON ct (node_id, level, first_at);
CREATE INDEX temp.ct_o ON ct (node_id, observer_id, first_at);
CREATE INDEX temp.ct_h ON ct (node_id, host, first_at);
-- Of other hosts only answers count, whoever of a host was given them.
DROP TABLE IF EXISTS temp.ct_other;
CREATE TEMP TABLE ct_other (contact_id INTEGER PRIMARY KEY, node_id INTEGER NOT NULL, host TEXT, lender TEXT NOT NULL,
	first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, gap_us INTEGER NOT NULL);
INSERT INTO ct_other
SELECT min(contact_id), node_id, host, lender, min(first_at), max(last_at),
	max(max(gap_us), CASE WHEN count(*) > 1 THEN 1000000 ELSE 0 END)
  FROM ct WHERE ok = 1 AND level = 'client'
 GROUP BY node_id, host, lender, first_at / 1000000, (last_at - first_at) / 1000000;
CREATE INDEX temp.ct_other_i ON ct_other (node_id, first_at) WHERE last_at - first_at <= 2000000;
CREATE INDEX temp.ct_other_l ON ct_other (node_id, first_at) WHERE last_at - first_at > 2000000;
-- A reply time-out of a node that is paused, or answers others of the same host.
UPDATE ct SET slow = 1, ok = NULL WHERE outcome = 'read-timeout' AND (
	EXISTS (SELECT 1 FROM ct k WHERE k.node_id = ct.node_id AND k.outcome = 'ok' AND k.host = ct.host AND k.contact_id <> ct.contact_id
	    AND k.first_at BETWEEN ct.first_at - 60000000 AND ct.last_at AND k.last_at > ct.first_at)
	OR EXISTS (SELECT 1 FROM c_event v JOIN who w USING (observer_id) WHERE w.who = ct.node_id
	    AND v.event IN ('manual-requested', 'writes-paused') AND v.at BETWEEN ct.first_at - 5000000 AND ct.last_at));

-- Who claims, per episode and owner; what reachability says of each.
DROP TABLE IF EXISTS temp.owner;
CREATE TEMP TABLE owner (ep_id INTEGER NOT NULL, owner INTEGER NOT NULL, PRIMARY KEY (ep_id, owner)) WITHOUT ROWID;
INSERT INTO owner SELECT DISTINCT ep_id, owner FROM cand WHERE owner > 0;

-- Hosts that contradict each other about a node within the contact window: one
-- failed to reach what answered the other, and not just before the node came
-- back or after it went: the times of the two overlap.  Neither lends its word to a host
-- that has none of its own; nor does anybody to a client that no log speaks of,
-- since its log is where its own failures would stand.
CREATE INDEX temp.ct_short ON ct (first_at) WHERE last_at - first_at <= 2000000;
CREATE INDEX temp.ct_long ON ct (first_at) WHERE last_at - first_at > 2000000;
DROP TABLE IF EXISTS temp.contrary;
CREATE TEMP TABLE contrary (incident TEXT NOT NULL, sec INTEGER NOT NULL, lender TEXT NOT NULL, PRIMARY KEY (incident, sec, lender)) WITHOUT ROWID;
INSERT INTO contrary
WITH e AS MATERIALIZED (
	SELECT DISTINCT ep_to / 1000000 AS sec,
	    ep_to / 1000000 * 1000000 - 1000000 - (SELECT value FROM parameter WHERE name = 'contact_window_us') AS lo,
	    ep_to / 1000000 * 1000000 + 1000000 + (SELECT value FROM parameter WHERE name = 'contact_window_us') AS hi
	  FROM ep WHERE EXISTS (SELECT 1 FROM ct WHERE ok = 0)),
c AS (
	SELECT e.sec, c.node_id, c.lender, c.ok, c.first_at, c.last_at
	  FROM e JOIN ct c INDEXED BY ct_short ON c.last_at - c.first_at <= 2000000 AND c.first_at BETWEEN e.lo - 2000000 AND e.hi
	 WHERE c.last_at >= e.lo AND c.ok IS NOT NULL
	UNION ALL
	SELECT e.sec, c.node_id, c.lender, c.ok, c.first_at, c.last_at
	  FROM e JOIN ct c INDEXED BY ct_long ON c.last_at - c.first_at > 2000000 AND c.first_at <= e.hi
	 WHERE c.last_at >= e.lo AND c.ok IS NOT NULL),
w AS MATERIALIZED (
	SELECT sec, node_id, lender, ok, min(first_at) AS first_at, max(last_at) AS last_at FROM c GROUP BY sec, node_id, lender, ok),
k AS MATERIALIZED (
	SELECT f.sec, f.node_id, f.lender AS failed, g.lender AS answered
	  FROM w f JOIN w g ON g.sec = f.sec AND g.node_id = f.node_id AND g.ok = 1 AND g.lender <> f.lender
		AND g.first_at <= f.last_at AND g.last_at >= f.first_at
	 WHERE f.ok = 0)
SELECT n.incident, k.sec, k.failed FROM k JOIN main.node n USING (node_id)
UNION
SELECT n.incident, k.sec, k.answered FROM k JOIN main.node n USING (node_id);

-- The contacts that can matter, by level: 1 client, 2 host, 3 sampler, 4 others.
-- Of the many short answers that clients were given, the nearest before, inside
-- and after the episode.
DROP TABLE IF EXISTS temp.about;
CREATE TEMP TABLE about (ep_id INTEGER NOT NULL, owner INTEGER NOT NULL, incident TEXT NOT NULL, observer_id INTEGER NOT NULL, host TEXT,
	ep_from INTEGER NOT NULL, ep_to INTEGER NOT NULL, lo INTEGER NOT NULL, hi INTEGER NOT NULL, inferred INTEGER NOT NULL,
	own INTEGER NOT NULL, settled INTEGER NOT NULL, shift INTEGER NOT NULL, PRIMARY KEY (ep_id, owner)) WITHOUT ROWID;
INSERT INTO about
SELECT e.ep_id, o.owner, e.incident, e.observer_id, e.host, e.ep_from, e.ep_to,
	e.ep_from - (SELECT value FROM parameter WHERE name = 'contact_window_us'),
	e.ep_to + (SELECT value FROM parameter WHERE name = 'contact_window_us'), x.inferred, 0, 0, e.shift
  FROM ep e JOIN owner o USING (ep_id) JOIN err x USING (error_id);
DROP TABLE IF EXISTS temp.word;
CREATE TEMP TABLE word (ep_id INTEGER NOT NULL, owner INTEGER NOT NULL, level INTEGER NOT NULL, contact_id INTEGER NOT NULL, ok INTEGER,
	slow INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, gap_us INTEGER NOT NULL, outcome TEXT NOT NULL);
-- On which side of the episode each stands.  A span whose silence may hold the
-- whole episode is one answer before and one after it.  Where a log states times
-- coarsely, its own order tells what came after the raise; an answer that may have
-- been before the episode as well as inside it was before it, a failure is unsure.
DROP VIEW IF EXISTS temp.placed;
CREATE TEMP VIEW placed AS
WITH p AS (
	SELECT w.*, o.ep_from, o.ep_to, o.lo, o.hi,
	    (w.ok IS 1 AND w.first_at < o.ep_from AND w.last_at > o.ep_to AND w.gap_us > o.ep_to - o.ep_from) AS around,
	    CASE WHEN k.blur_us = 0 THEN NULL
		WHEN k.source_id = x.source_id AND k.position > x.position THEN 'after'
		WHEN k.source_id <> x.source_id AND w.last_at >= o.ep_from AND w.first_at <= o.ep_to
		    AND NOT (w.first_at >= o.ep_from AND w.last_at <= o.ep_to)
		    AND NOT (w.first_at + k.blur_us <= min(o.ep_to, w.last_at - k.blur_us) AND w.last_at - k.blur_us >= o.ep_from)
		    THEN CASE w.ok WHEN 0 THEN 'unsure' ELSE 'before' END
		END AS blurred
	  FROM word w JOIN about o USING (ep_id, owner) JOIN ep e USING (ep_id) JOIN err x USING (error_id) JOIN ct k USING (contact_id)
	 WHERE w.last_at >= o.lo AND (w.ok IS NOT NULL OR w.slow OR w.outcome = 'reset'))
SELECT ep_id, owner, contact_id, ok, slow, first_at, last_at,
	CASE WHEN last_at <= ep_to THEN last_at WHEN ok IS 1 THEN max(first_at, ep_to - gap_us) ELSE ep_to END AS clip_at, outcome, level,
	coalesce(blurred, CASE WHEN last_at < ep_from THEN 'before' WHEN first_at > ep_to THEN 'after' ELSE 'inside' END) AS side
  FROM p WHERE NOT around
UNION ALL
SELECT ep_id, owner, contact_id, ok, slow, first_at, max(first_at, ep_from - gap_us), NULL, outcome, level, 'before'
  FROM p WHERE around AND max(first_at, ep_from - gap_us) >= lo
UNION ALL
SELECT ep_id, owner, contact_id, ok, slow, min(last_at, ep_to + gap_us), last_at, NULL, outcome, level, 'after'
  FROM p WHERE around AND min(last_at, ep_to + gap_us) <= hi;
CREATE INDEX temp.ct_answer ON ct (node_id, host, first_at) WHERE ok = 1 AND level = 'client' AND last_at - first_at <= 2000000;
INSERT INTO word
SELECT o.ep_id, o.owner, 1, c.contact_id, c.ok, c.slow, c.first_at + (o.shift <> 0) * c.either_us, c.last_at + (o.shift <> 0) * c.either_us, c.gap_us, c.outcome
  FROM about o JOIN ct c ON c.node_id = o.owner AND c.observer_id = o.observer_id AND c.first_at BETWEEN o.lo - 60000000 - o.shift AND o.hi - o.shift
UNION ALL
SELECT o.ep_id, o.owner, 2, c.contact_id, c.ok, c.slow, c.first_at + (o.shift <> 0) * c.either_us, c.last_at + (o.shift <> 0) * c.either_us, c.gap_us, c.outcome
  FROM about o JOIN ct c INDEXED BY ct_h ON c.node_id = o.owner AND c.host = o.host AND c.observer_id <> o.observer_id
	AND c.first_at BETWEEN o.lo - 60000000 - o.shift AND o.hi - o.shift
 WHERE c.ok IS NOT 1 OR c.level <> 'client' OR c.last_at - c.first_at > 2000000
UNION ALL
SELECT ep_id, owner, 2, c.contact_id, 1, 0, c.first_at, c.last_at, c.gap_us, 'ok' FROM (
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct c INDEXED BY ct_answer WHERE c.ok = 1 AND c.level = 'client' AND c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host = o.host AND c.first_at BETWEEN o.lo - 2000000 AND o.ep_from AND c.last_at < o.ep_from
		ORDER BY c.first_at DESC LIMIT 1) AS id FROM about o WHERE o.host IS NOT NULL
	UNION ALL
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct c INDEXED BY ct_answer WHERE c.ok = 1 AND c.level = 'client' AND c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host = o.host AND c.first_at BETWEEN o.ep_from - 2000000 AND o.ep_to AND c.last_at >= o.ep_from
		ORDER BY c.first_at DESC LIMIT 1) FROM about o WHERE o.host IS NOT NULL
	UNION ALL
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct c INDEXED BY ct_answer WHERE c.ok = 1 AND c.level = 'client' AND c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host = o.host AND c.first_at > o.ep_to AND c.first_at <= o.hi
		ORDER BY c.first_at LIMIT 1) FROM about o WHERE o.host IS NOT NULL) x
  JOIN ct c ON c.contact_id = x.id;
DROP TABLE IF EXISTS temp.near;
CREATE TEMP TABLE near (ep_id INTEGER NOT NULL, owner INTEGER NOT NULL, contact_id INTEGER NOT NULL, ok INTEGER, slow INTEGER NOT NULL, first_at INTEGER NOT NULL,
	last_at INTEGER NOT NULL, clip_at INTEGER, outcome TEXT NOT NULL, level INTEGER NOT NULL, side TEXT NOT NULL);
CREATE INDEX temp.near_i ON near (ep_id, owner, side, level);
CREATE INDEX temp.word_i ON word (ep_id, owner);
INSERT INTO near SELECT * FROM placed;
-- Who has a word of its own, within the contact window; and for whom it settles
-- the matter: answers inside the episode, and no failure.  Nobody else is asked.
UPDATE about SET own = EXISTS (SELECT 1 FROM word w WHERE w.ep_id = about.ep_id AND w.owner = about.owner
	AND w.ok IS NOT NULL AND w.last_at >= about.lo AND w.first_at <= about.hi),
    settled = EXISTS (SELECT 1 FROM near n WHERE n.ep_id = about.ep_id AND n.owner = about.owner AND n.side = 'inside' AND n.ok = 1)
	AND NOT EXISTS (SELECT 1 FROM near n WHERE n.ep_id = about.ep_id AND n.owner = about.owner AND n.side = 'inside' AND n.ok = 0);
DELETE FROM word;
INSERT INTO word
SELECT o.ep_id, o.owner, 3, c.contact_id, c.ok, c.slow, c.first_at, c.last_at, c.gap_us, c.outcome
  FROM about o JOIN ct c ON c.node_id = o.owner AND c.level = 'sampler' AND c.observer_id <> o.observer_id AND c.host IS NOT coalesce(o.host, '')
	AND c.first_at BETWEEN o.lo - 60000000 AND o.hi
 WHERE NOT o.settled AND (o.own OR NOT (o.inferred OR EXISTS (SELECT 1 FROM contrary k WHERE k.incident = o.incident AND k.sec = o.ep_to / 1000000 AND k.lender = c.lender)))
UNION ALL
SELECT x.ep_id, x.owner, 4, c.contact_id, 1, 0, c.first_at, c.last_at, c.gap_us, 'ok' FROM (
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct_other c INDEXED BY ct_other_i WHERE c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host IS NOT coalesce(o.host, '') AND c.first_at BETWEEN o.lo - 2000000 AND o.ep_from AND c.last_at < o.ep_from AND c.last_at >= o.lo
		AND (o.own OR NOT EXISTS (SELECT 1 FROM contrary k WHERE k.incident = o.incident AND k.sec = o.ep_to / 1000000 AND k.lender = c.lender))
		ORDER BY c.first_at DESC, c.contact_id DESC LIMIT 1) AS id FROM about o WHERE NOT o.settled AND (o.own OR NOT o.inferred)
	UNION ALL
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct_other c INDEXED BY ct_other_i WHERE c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host IS NOT coalesce(o.host, '') AND c.first_at BETWEEN o.ep_from - 2000000 AND o.ep_to AND c.last_at >= o.ep_from
		AND (c.first_at >= o.ep_from OR c.last_at <= o.ep_to OR c.gap_us <= o.ep_to - o.ep_from)
		AND (o.own OR NOT EXISTS (SELECT 1 FROM contrary k WHERE k.incident = o.incident AND k.sec = o.ep_to / 1000000 AND k.lender = c.lender))
		ORDER BY c.first_at DESC, c.contact_id DESC LIMIT 1) FROM about o WHERE NOT o.settled AND (o.own OR NOT o.inferred)
	UNION ALL
	-- around it: one answer before, one after
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct_other c INDEXED BY ct_other_i WHERE c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host IS NOT coalesce(o.host, '') AND c.first_at BETWEEN o.ep_from - 2000000 AND o.ep_from - 1 AND c.last_at > o.ep_to
		AND c.gap_us > o.ep_to - o.ep_from
		AND (o.own OR NOT EXISTS (SELECT 1 FROM contrary k WHERE k.incident = o.incident AND k.sec = o.ep_to / 1000000 AND k.lender = c.lender))
		ORDER BY c.first_at DESC, c.contact_id DESC LIMIT 1) FROM about o WHERE NOT o.settled AND (o.own OR NOT o.inferred)
	UNION ALL
	SELECT o.ep_id, o.owner, (SELECT c.contact_id FROM ct_other c INDEXED BY ct_other_i WHERE c.last_at - c.first_at <= 2000000
		AND c.node_id = o.owner AND c.host IS NOT coalesce(o.host, '') AND c.first_at > o.ep_to AND c.first_at <= o.hi
		AND (o.own OR NOT EXISTS (SELECT 1 FROM contrary k WHERE k.incident = o.incident AND k.sec = o.ep_to / 1000000 AND k.lender = c.lender))
		ORDER BY c.first_at, c.contact_id LIMIT 1) FROM about o WHERE NOT o.settled AND (o.own OR NOT o.inferred)) x
  JOIN ct_other c ON c.contact_id = x.id
UNION ALL
SELECT o.ep_id, o.owner, 4, c.contact_id, 1, 0, c.first_at, c.last_at, c.gap_us, 'ok'
  FROM about o JOIN ct_other c INDEXED BY ct_other_l ON c.last_at - c.first_at > 2000000 AND c.node_id = o.owner
	AND c.host IS NOT coalesce(o.host, '') AND c.first_at BETWEEN o.lo - 60000000 AND o.hi
 WHERE NOT o.settled AND (o.own OR NOT (o.inferred OR EXISTS (SELECT 1 FROM contrary k WHERE k.incident = o.incident AND k.sec = o.ep_to / 1000000 AND k.lender = c.lender)));
INSERT INTO near SELECT * FROM placed;

-- When its peers marked a node fail or fail?.
DROP TABLE IF EXISTS temp.fail_span;
CREATE TEMP TABLE fail_span (node_id INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL);
INSERT INTO fail_span
SELECT x.node_id, v.first_at, v.last_at FROM main.view_node x JOIN c_view v USING (view_id) JOIN who w USING (observer_id)
 WHERE x.flags LIKE '%fail%' AND (',' || x.flags || ',' LIKE '%,fail,%' OR ',' || x.flags || ',' LIKE '%,fail?,%')
   AND x.myself = 0 AND x.node_id IS NOT NULL AND w.who <> x.node_id AND v.first_at IS NOT NULL
   -- who misses half of the masters or more is cut off itself
   AND (SELECT 2 * sum(',' || m.flags || ',' LIKE '%,fail,%' OR ',' || m.flags || ',' LIKE '%,fail?,%') < count(*)
	  FROM main.view_node m WHERE m.view_id = x.view_id AND m.role = 'master');
-- A log says so too, until it says that the mark was cleared.
INSERT INTO fail_span
SELECT e.subject_id, e.at, coalesce((SELECT min(c.at) FROM c_event c WHERE c.observer_id = e.observer_id AND c.subject_id = e.subject_id
		AND c.event = 'fail-cleared' AND c.at >= e.at), e.at + i.node_timeout_us)
  FROM c_event e JOIN temp.incident i USING (incident) JOIN who w USING (observer_id)
 WHERE e.event IN ('fail-marked', 'fail-received') AND e.subject_id IS NOT NULL AND e.at IS NOT NULL AND w.who <> e.subject_id;
-- Nodes that ever shared an address: a peer's mark may be about the other's.
DELETE FROM fail_span WHERE node_id IN (SELECT n.node_id FROM addr a JOIN addr_node n USING (endpoint_id) WHERE a.nodes > 1);
CREATE INDEX temp.fail_span_i ON fail_span (node_id, first_at);

DROP TABLE IF EXISTS temp.reach;
CREATE TEMP TABLE reach (ep_id INTEGER NOT NULL, owner INTEGER NOT NULL, r INTEGER, basis TEXT, failed_inside INTEGER NOT NULL, slow INTEGER NOT NULL,
	PRIMARY KEY (ep_id, owner)) WITHOUT ROWID;
-- The last contact of its own inside decides.  in_x: with the level, 11 the
-- client's own answer, 12 its host's, 1 and 2 a failure.  Where the raise is known
-- to the second only, contacts that end both ways within it decide nothing, but
-- for those of the log itself, by its order.
INSERT INTO reach
WITH q AS MATERIALIZED (
	SELECT o.ep_id, o.owner, x.raise_at > x.at AS coarse,
	    (SELECT n.ok * 10 + n.level FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'inside' AND n.level <= 2 AND n.ok IS NOT NULL
		ORDER BY n.clip_at DESC, n.first_at DESC, n.level, n.contact_id DESC LIMIT 1) AS in_x
	  FROM owner o JOIN ep e USING (ep_id) JOIN err x USING (error_id))
SELECT ep_id, owner,
	CASE WHEN coarse AND in_x % 10 <> 1 AND (SELECT count(DISTINCT n.ok) = 2 FROM near n WHERE n.ep_id = q.ep_id AND n.owner = q.owner
	    AND n.side = 'inside' AND n.level <= 2) THEN NULL ELSE in_x / 10 END,
	CASE WHEN in_x % 10 = 1 THEN 'own contact' ELSE 'a contact of its host' END || ' inside the episode',
	EXISTS (SELECT 1 FROM near n WHERE n.ep_id = q.ep_id AND n.owner = q.owner AND n.side = 'inside' AND n.level <= 2 AND n.ok = 0),
	EXISTS (SELECT 1 FROM near n WHERE n.ep_id = q.ep_id AND n.owner = q.owner AND n.side = 'inside' AND n.level <= 2 AND n.slow)
  FROM q WHERE in_x IS NOT NULL;
-- Else its own before and after, its peers' word, the sampler, others.
INSERT INTO reach
WITH q AS MATERIALIZED (
	SELECT o.ep_id, o.owner,
	    x.raise_at > x.at AND (SELECT count(DISTINCT n.ok) = 2 FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'inside'
		AND n.level = 3) AS sam_mixed,
	    EXISTS (SELECT 1 FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'unsure' AND n.level <= 3) AS unsure,
	    (SELECT n.ok * 10 + n.level FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'before' AND n.level <= 2 AND n.ok IS NOT NULL
		ORDER BY n.last_at DESC, n.contact_id DESC LIMIT 1) AS before_x,
	    (SELECT n.ok * 10 + n.level FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'after' AND n.level <= 2 AND n.ok IS NOT NULL
		ORDER BY n.first_at, n.contact_id LIMIT 1) AS after_x,
	    (SELECT n.ok FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'inside' AND n.level = 3 AND n.ok IS NOT NULL
		ORDER BY n.clip_at DESC, n.first_at DESC, n.contact_id DESC LIMIT 1) AS sam_in,
	    (SELECT max(n.ok) FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'inside' AND n.level = 4) AS oth_in,
	    (SELECT n.ok FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'before' AND n.level = 3 AND n.ok IS NOT NULL
		ORDER BY n.last_at DESC, n.contact_id DESC LIMIT 1) AS sam_b,
	    (SELECT n.ok FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'after' AND n.level = 3 AND n.ok IS NOT NULL
		ORDER BY n.first_at, n.contact_id LIMIT 1) AS sam_a,
	    (SELECT n.ok FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'before' AND n.level = 4 AND n.ok IS NOT NULL
		ORDER BY n.last_at DESC, n.contact_id DESC LIMIT 1) AS oth_b,
	    (SELECT n.ok FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'after' AND n.level = 4 AND n.ok IS NOT NULL
		ORDER BY n.first_at, n.contact_id LIMIT 1) AS oth_a,
	    EXISTS (SELECT 1 FROM near n WHERE n.ep_id = o.ep_id AND n.owner = o.owner AND n.side = 'inside' AND n.level <= 2 AND n.slow) AS slow,
	    EXISTS (SELECT 1 FROM fail_span x WHERE x.node_id = o.owner AND x.first_at BETWEEN e.ep_from - 70000000 AND e.ep_to AND x.last_at >= e.ep_from) AS peers_fail
	  FROM owner o JOIN ep e USING (ep_id) JOIN err x USING (error_id)
	 WHERE NOT EXISTS (SELECT 1 FROM reach r WHERE r.ep_id = o.ep_id AND r.owner = o.owner)),
d AS (SELECT q.*, before_x / 10 AS own_b, after_x / 10 AS own_a FROM q)
SELECT ep_id, owner,
	CASE
	WHEN sam_mixed OR unsure THEN NULL
	WHEN peers_fail AND coalesce(own_b, 0) = 0 AND coalesce(own_a, 0) = 0 THEN 0
	WHEN own_b = own_a THEN own_b
	WHEN sam_in = 0 AND coalesce(own_b, 0) = 0 AND coalesce(own_a, 0) = 0 THEN 0
	WHEN (own_b = 0 AND own_a IS NULL) OR (own_a = 0 AND own_b IS NULL) THEN NULL
	WHEN sam_in IS NOT NULL AND NOT (coalesce(own_b, 1) = 0 OR coalesce(own_a, 1) = 0) THEN sam_in
	WHEN oth_in = 1 AND NOT (coalesce(own_b, 1) = 0 OR coalesce(own_a, 1) = 0) THEN 1
	WHEN own_b = 1 AND own_a = 0 OR own_b = 0 AND own_a = 1 THEN NULL
	WHEN sam_b = sam_a THEN sam_b
	WHEN oth_b = 1 AND oth_a = 1 THEN 1
	WHEN own_b = 1 OR own_a = 1 THEN 1
	WHEN sam_b IS NOT NULL AND sam_a IS NOT NULL THEN NULL
	WHEN sam_b = 1 OR sam_a = 1 THEN 1
	WHEN oth_b IS NOT NULL AND oth_a IS NOT NULL THEN NULL
	WHEN oth_b = 1 OR oth_a = 1 THEN 1
	END,
	CASE WHEN peers_fail AND coalesce(own_b, 0) = 0 AND coalesce(own_a, 0) = 0 THEN 'its peers marked it fail'
	    WHEN own_b = own_a THEN CASE WHEN before_x % 10 = 1 AND after_x % 10 = 1 THEN 'own contacts' ELSE 'contacts of its host' END || ' before and after'
	    WHEN sam_in IS NOT NULL THEN 'the sampler inside the episode'
	    WHEN oth_in = 1 THEN 'another client inside the episode'
	    ELSE 'contacts around the episode' END,
	0, slow
  FROM d;

-- Scenarios: 0 with every candidate; n leaves out one claim's possible views.
DROP TABLE IF EXISTS temp.scen;
CREATE TEMP TABLE scen (ep_id INTEGER NOT NULL, scen INTEGER NOT NULL, owner INTEGER, epoch INTEGER, PRIMARY KEY (ep_id, scen)) WITHOUT ROWID;
INSERT INTO scen SELECT ep_id, 0, NULL, NULL FROM ep;
INSERT INTO scen
SELECT ep_id, row_number() OVER (PARTITION BY ep_id ORDER BY owner, epoch), owner, epoch
  FROM (SELECT DISTINCT ep_id, owner, epoch FROM cand WHERE NOT sure);
-- From when on who held a belief may have come to name another.
CREATE INDEX temp.belief_f_short ON belief (seg_id, who, f0, owner, mf) WHERE mt - mf <= 60000000;
CREATE INDEX temp.belief_f_long ON belief (seg_id, who, mf) WHERE mt - mf > 60000000;
DROP TABLE IF EXISTS temp.belief_next;
CREATE TEMP TABLE belief_next (belief_id INTEGER PRIMARY KEY, mf INTEGER NOT NULL);
INSERT INTO belief_next
WITH x AS MATERIALIZED (SELECT c.ref AS belief_id, max(e.ep_to) AS last_to FROM cand c JOIN ep e USING (ep_id) WHERE c.kind = 'b' GROUP BY c.ref)
SELECT x.belief_id, min(
	coalesce((SELECT min(k.mf) FROM belief k INDEXED BY belief_f_short WHERE k.seg_id = b.seg_id AND k.who = b.who
	    AND k.mt - k.mf <= 60000000 AND k.f0 > b.st AND k.f0 <= x.last_to + 60000000 AND k.owner NOT IN (-1, b.owner)), 9223372036854775807),
	coalesce((SELECT min(k.mf) FROM belief k INDEXED BY belief_f_long WHERE k.seg_id = b.seg_id AND k.who = b.who
	    AND k.mt - k.mf > 60000000 AND k.mf <= x.last_to AND k.f0 > b.st AND k.owner NOT IN (-1, b.owner)), 9223372036854775807))
  FROM x JOIN belief b USING (belief_id);
-- The candidates of a scenario.  late: its party said nothing else later in the
-- episode; an own claim that its own later word gave up is history.  newer: it may
-- have come to name another by the raise.
DROP TABLE IF EXISTS temp.sc;
CREATE TEMP TABLE sc (ep_id INTEGER NOT NULL, scen INTEGER NOT NULL, owner INTEGER NOT NULL, who INTEGER NOT NULL, kind TEXT NOT NULL, ref INTEGER NOT NULL,
	epoch INTEGER, sure INTEGER NOT NULL, full INTEGER NOT NULL, inside INTEGER NOT NULL, age_us INTEGER NOT NULL,
	sided INTEGER NOT NULL, st INTEGER, late INTEGER NOT NULL, newer INTEGER NOT NULL,
	PRIMARY KEY (ep_id, scen, owner, who, kind, ref)) WITHOUT ROWID;
INSERT INTO sc
SELECT s.ep_id, s.scen, c.owner, c.who, c.kind, c.ref, c.epoch, c.sure, c.full, c.inside, c.age_us, c.sided, c.st,
	NOT EXISTS (SELECT 1 FROM cand k WHERE k.ep_id = c.ep_id AND k.who = c.who AND k.sure AND k.owner <> c.owner AND k.f0 > c.st),
	CASE c.kind WHEN 'b' THEN (SELECT n.mf FROM belief_next n WHERE n.belief_id = c.ref) < e.ep_to
	    ELSE EXISTS (SELECT 1 FROM belief k INDEXED BY belief_f_short WHERE k.seg_id = e.seg_id AND k.who = c.who
		    AND k.mt - k.mf <= 60000000 AND k.f0 > c.st AND k.f0 <= e.ep_to + 60000000 AND k.owner NOT IN (-1, c.owner) AND k.mf < e.ep_to)
		OR EXISTS (SELECT 1 FROM belief k INDEXED BY belief_f_long WHERE k.seg_id = e.seg_id AND k.who = c.who
		    AND k.mt - k.mf > 60000000 AND k.mf < e.ep_to AND k.owner NOT IN (-1, c.owner) AND k.f0 > c.st) END
  FROM scen s JOIN ep e USING (ep_id) JOIN cand c USING (ep_id)
 WHERE s.scen = 0 OR c.sure OR NOT (c.owner = s.owner AND c.epoch IS s.epoch);

-- Owners of a scenario; what is only asked of one that does not claim the slot
-- itself is 0 for all others.  A node that others name but whose own view, not older
-- than the first sighting of its claim, disowns the slot is no claimant while
-- another live node claims it.
DROP TABLE IF EXISTS temp.so;
CREATE TEMP TABLE so AS
WITH s AS (SELECT ep_id, scen, owner, max(epoch) AS epoch, max(who = owner AND late) AS self
	  FROM sc WHERE owner > 0 GROUP BY ep_id, scen, owner),
f AS MATERIALIZED (SELECT s.*, e.seg_id, CASE WHEN NOT s.self THEN min(
		coalesce((SELECT min(b.f0) FROM belief b WHERE b.seg_id = e.seg_id AND b.owner = s.owner AND b.epoch IS s.epoch), 9223372036854775807),
		coalesce((SELECT min(r.at) FROM rd r WHERE r.owner = s.owner AND r.slot = e.slot), 9223372036854775807)) END AS first_seen
	  FROM s JOIN ep e USING (ep_id))
SELECT ep_id, scen, owner, epoch, self,
	-- an epoch that is news is a promotion, not SETSLOT: if the node itself seems
	-- to disown the slot after that, its clock is late
	NOT self AND NOT EXISTS (SELECT 1 FROM node_epoch x WHERE x.node_id = f.owner AND x.epoch = f.epoch AND x.at < f.first_seen)
	AND (EXISTS (SELECT 1 FROM node_epoch x WHERE x.node_id = f.owner AND x.epoch < f.epoch AND x.at < f.first_seen)
	    OR EXISTS (SELECT 1 FROM follows x WHERE x.node_id = f.owner AND x.at < f.first_seen)) AS news,
	NOT self AND EXISTS (SELECT 1 FROM sc d WHERE d.ep_id = f.ep_id AND d.scen = f.scen AND d.who = f.owner AND d.owner <> f.owner AND d.st >= f.first_seen) AS disowned,
	-- it never claims the segment itself, as far as anything shows, and names
	-- another, or had its epoch before anybody named it here (SETSLOT)
	NOT self AND NOT EXISTS (SELECT 1 FROM belief b INDEXED BY belief_e WHERE b.seg_id = f.seg_id AND b.who = f.owner AND b.owner = f.owner AND b.epoch IS f.epoch)
	AND (EXISTS (SELECT 1 FROM sc d WHERE d.ep_id = f.ep_id AND d.scen = f.scen AND d.who = f.owner AND d.owner <> f.owner)
	    OR EXISTS (SELECT 1 FROM node_epoch x WHERE x.node_id = f.owner AND x.epoch = f.epoch AND x.at < f.first_seen)) AS unclaimed
  FROM f;
CREATE INDEX temp.so_i ON so (ep_id, scen);
DROP TABLE IF EXISTS temp.lead_owner;
CREATE TEMP TABLE lead_owner AS
WITH k AS (SELECT o.*, NOT (o.self = 0 AND o.disowned AND EXISTS (SELECT 1 FROM so z WHERE z.ep_id = o.ep_id AND z.scen = o.scen
		AND z.owner <> o.owner AND z.self))
	-- nor is one that itself names another of that epoch or a higher: it is that
	-- one's replica, whose epoch its header carries, and a header from before, late
	-- on its way, made a peer list both together
	    AND NOT (o.self = 0 AND o.disowned AND EXISTS (SELECT 1 FROM sc d JOIN so z ON z.ep_id = d.ep_id AND z.scen = d.scen AND z.owner = d.owner
		WHERE d.ep_id = o.ep_id AND d.scen = o.scen AND d.who = o.owner AND d.owner <> o.owner AND d.late AND z.epoch >= o.epoch)) AS counts FROM so o)
SELECT ep_id, scen, owner, epoch, self, disowned, unclaimed, news, n, r,
	-- an owner of unknown epoch may be the highest: 0 each of them was reached,
	-- 1 one was not, or nothing shows it; NULL there is none
	(SELECT max(coalesce(x.r, 0) = 0) FROM so u LEFT JOIN reach x ON x.ep_id = u.ep_id AND x.owner = u.owner
	  WHERE u.ep_id = t.ep_id AND u.scen = t.scen AND u.owner <> t.owner AND u.epoch IS NULL) AS rival FROM (
	SELECT k.*, row_number() OVER (PARTITION BY ep_id, scen ORDER BY epoch DESC, self DESC, owner) AS r,
	    count(*) OVER (PARTITION BY ep_id, scen, epoch) AS n FROM k WHERE counts) t
 WHERE r = 1;
CREATE INDEX temp.lead_i ON lead_owner (ep_id, scen);

-- Whom must agreement be proven by: the owner, every node of the chain, every
-- node that the client could read its map from (unknown: every master).
DROP TABLE IF EXISTS temp.need;
CREATE TEMP TABLE need (ep_id INTEGER NOT NULL, who INTEGER NOT NULL, PRIMARY KEY (ep_id, who)) WITHOUT ROWID;
INSERT OR IGNORE INTO need SELECT e.ep_id, c.asked_node FROM ep e JOIN chain c USING (error_id) WHERE c.asked_node IS NOT NULL;
INSERT OR IGNORE INTO need SELECT e.ep_id, c.target_node FROM ep e JOIN chain c USING (error_id) WHERE c.target_node IS NOT NULL;
DROP TABLE IF EXISTS temp.full_view;
CREATE TEMP TABLE full_view (incident TEXT NOT NULL, first_at INTEGER NOT NULL, view_id INTEGER NOT NULL, PRIMARY KEY (incident, first_at, view_id)) WITHOUT ROWID;
INSERT INTO full_view SELECT incident, first_at, view_id FROM c_view WHERE complete AND first_at IS NOT NULL;
INSERT OR IGNORE INTO need SELECT e.ep_id, m.owner FROM ep e JOIN named m ON m.view_id = (
	SELECT v.view_id FROM full_view v WHERE v.incident = e.incident AND v.first_at <= e.ep_to
	 ORDER BY v.first_at DESC, v.view_id DESC LIMIT 1) WHERE m.owner > 0;

-- Facts of the chain that proofs by older views rest on.
DROP TABLE IF EXISTS temp.cfact;
CREATE TEMP TABLE cfact AS
SELECT e.ep_id, count(c.asked_node) AS known_askers, count(c.place) AS hops,
	min(c.target_node) AS tmin, max(c.target_node) AS tmax, count(c.target_node) AS targets
  FROM ep e LEFT JOIN chain c ON c.error_id = e.error_id AND c.code = 'MOVED' GROUP BY e.ep_id;

-- When a node's own log or bus header says that the cluster state was fail.
DROP TABLE IF EXISTS temp.state_span;
CREATE TEMP TABLE state_span AS
SELECT w.who, v.first_at AS from_at, v.last_at AS to_at FROM c_view v JOIN who w USING (observer_id)
 WHERE v.state = 'fail' AND v.first_at IS NOT NULL
UNION ALL
SELECT who, at AS from_at, coalesce(next_at, 9223372036854775807) AS to_at
  FROM (SELECT w.who, v.at, v.event, lead(v.at) OVER (PARTITION BY w.who ORDER BY v.at, v.server_event_id) AS next_at
	  FROM c_event v JOIN who w USING (observer_id) WHERE v.event IN ('state-fail', 'state-ok', 'started') AND v.at IS NOT NULL)
 WHERE event = 'state-fail';
CREATE INDEX temp.state_i ON state_span (who);

-- When which currentEpoch was seen, beside the highest configEpoch of all.
DROP TABLE IF EXISTS temp.epoch_seen;
CREATE TEMP TABLE epoch_seen AS
SELECT v.incident, v.current_epoch AS epoch, min(v.first_at) AS first_at, max(v.last_at) AS last_at,
	(SELECT max(n.epoch) FROM node_epoch n JOIN main.node x USING (node_id) WHERE x.incident = v.incident) AS top
  FROM c_view v WHERE v.current_epoch IS NOT NULL AND v.first_at IS NOT NULL GROUP BY v.incident, v.current_epoch;

-- When a node's own view names an owner that it marks fail.
DROP TABLE IF EXISTS temp.failed_owner;
CREATE TEMP TABLE failed_owner AS
SELECT w.who, g.seg_id, v.first_at, v.last_at
  FROM main.view_node n JOIN c_view v USING (view_id) JOIN who w USING (observer_id)
  JOIN named m ON m.view_id = v.view_id AND m.owner = n.node_id
  JOIN seg_live g ON g.incident = v.incident AND g.s0 BETWEEN m.slot_from AND m.slot_to
 WHERE n.role = 'master' AND (',' || n.flags || ',') LIKE '%,fail,%' AND v.first_at IS NOT NULL AND n.node_id <> w.who;
CREATE INDEX temp.failed_i ON failed_owner (who, seg_id);

-- What a scenario's candidates come to.  fresh: whose full words reach the raise.
DROP TABLE IF EXISTS temp.counted;
CREATE TEMP TABLE counted (ep_id INTEGER NOT NULL, scen INTEGER NOT NULL, views INTEGER NOT NULL, owners INTEGER NOT NULL, min_owner INTEGER,
	sure_owners INTEGER NOT NULL, self INTEGER, fresh INTEGER NOT NULL, PRIMARY KEY (ep_id, scen)) WITHOUT ROWID;
INSERT INTO counted
SELECT c.ep_id, c.scen, count(DISTINCT c.who), count(DISTINCT c.owner), min(c.owner), count(DISTINCT CASE WHEN c.sure THEN c.owner END),
	max(c.who = c.owner AND c.late), count(DISTINCT CASE WHEN c.sure AND c.full AND c.st >= e.ep_to - 10000 THEN c.who END)
  FROM sc c JOIN ep e USING (ep_id) GROUP BY c.ep_id, c.scen;
-- A slot half moved.  Its owner marks it as migrating and sends clients on (ASK)
-- for what it no longer has; the node that it is to go to must have marked it as
-- importing, or it sends them back.  One row: an episode and an owner that was
-- handing the slot to peer.  shown: that peer sent clients back after ASKING, or
-- that its own views hold no such mark while the owner's do.
DROP TABLE IF EXISTS temp.ask;
CREATE TEMP TABLE ask (incident TEXT NOT NULL, slot INTEGER NOT NULL, at INTEGER NOT NULL, asked INTEGER, target INTEGER NOT NULL, back INTEGER NOT NULL);
INSERT INTO ask
SELECT r.incident, r.slot, r.at, x.node_id, y.node_id, r.code = 'MOVED'
  FROM c_redirect r JOIN addr y ON y.endpoint_id = r.target_id AND y.nodes = 1 LEFT JOIN addr x ON x.endpoint_id = r.asked_id AND x.nodes = 1
 WHERE (r.code = 'ASK' OR (r.code = 'MOVED' AND r.asking)) AND r.at IS NOT NULL AND r.slot IS NOT NULL AND NOT r.doubtful;
CREATE INDEX temp.ask_i ON ask (incident, slot, at);
-- What nodes that give or take slots said of their own, in order, and whether
-- they marked the slot.
DROP TABLE IF EXISTS temp.own_view;
CREATE TEMP TABLE own_view (who INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, view_id INTEGER NOT NULL,
	PRIMARY KEY (who, first_at, view_id)) WITHOUT ROWID;
INSERT INTO own_view
SELECT w.who, v.first_at, v.last_at, v.view_id FROM c_view v JOIN who w USING (observer_id)
 WHERE v.form = 'nodes' AND v.complete AND v.first_at IS NOT NULL
   AND w.who IN (SELECT z.who FROM moving m JOIN who z USING (observer_id) UNION SELECT m.peer_id FROM moving m);
CREATE INDEX temp.moving_v ON moving (view_id, slot);
DROP TABLE IF EXISTS temp.open_slot;
CREATE TEMP TABLE open_slot (incident TEXT NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (incident, slot)) WITHOUT ROWID;
INSERT INTO open_slot SELECT incident, slot FROM ask UNION SELECT incident, slot FROM moving;
CREATE INDEX temp.ep_slot ON ep (incident, slot);
DROP TABLE IF EXISTS temp.half_moved;
CREATE TEMP TABLE half_moved (ep_id INTEGER NOT NULL, owner INTEGER NOT NULL, peer INTEGER, back INTEGER NOT NULL, shown INTEGER NOT NULL,
	PRIMARY KEY (ep_id, owner)) WITHOUT ROWID;
INSERT INTO half_moved
WITH s AS MATERIALIZED (
	SELECT o.ep_id, o.owner, e.incident, e.error_id, e.ep_from, e.ep_to, k.slot, 1 AS known
	  FROM open_slot k JOIN ep e ON e.incident = k.incident AND e.slot = k.slot JOIN owner o USING (ep_id)
	UNION ALL
	SELECT o.ep_id, o.owner, e.incident, e.error_id, e.ep_from, e.ep_to, k.slot, 0
	  FROM ep e JOIN seg_slots g ON g.seg_id = e.seg_id JOIN open_slot k ON k.incident = e.incident AND k.slot BETWEEN g.s0 AND g.s1 JOIN owner o USING (ep_id)
	 WHERE e.slot IS NULL),
-- the owner's view at the episode's end, and the next one
v AS MATERIALIZED (
	SELECT s.*, (SELECT a.view_id FROM own_view a WHERE a.who = s.owner AND a.first_at <= s.ep_to ORDER BY a.first_at DESC, a.view_id DESC LIMIT 1) AS at_view,
	    (SELECT a.view_id FROM own_view a WHERE a.who = s.owner AND a.first_at > s.ep_to ORDER BY a.first_at, a.view_id LIMIT 1) AS next_view
	  FROM s),
m AS MATERIALIZED (
	SELECT v.*, a.peer_id AS at_peer, b.peer_id AS next_peer, (SELECT x.last_at FROM own_view x WHERE x.who = v.owner AND x.view_id = v.at_view) AS at_last,
	    a.slot IS NOT NULL AS at_marked, b.slot IS NOT NULL AS next_marked,
	    (SELECT max(k.back) FROM ask k WHERE k.incident = v.incident AND k.slot = v.slot AND k.at BETWEEN v.ep_from AND v.ep_to
		AND CASE k.back WHEN 1 THEN k.target = v.owner AND k.asked IS NOT v.owner ELSE k.target <> v.owner AND coalesce(k.asked, v.owner) = v.owner END) AS asked,
	    (SELECT k.target FROM ask k WHERE k.incident = v.incident AND k.slot = v.slot AND k.at BETWEEN v.ep_from AND v.ep_to
		AND NOT k.back AND k.target <> v.owner AND coalesce(k.asked, v.owner) = v.owner ORDER BY k.at LIMIT 1) AS sent_to,
	    (SELECT max(c.code = 'ASK' AND c.target_node <> v.owner AND coalesce(c.asked_node, v.owner) = v.owner) FROM chain c WHERE c.error_id = v.error_id AND v.known) AS own_ask
	  FROM v LEFT JOIN moving a ON a.view_id = v.at_view AND a.slot = v.slot AND a.state = 'migrating'
	  LEFT JOIN moving b ON b.view_id = v.next_view AND b.slot = v.slot AND b.state = 'migrating'),
p AS MATERIALIZED (
	SELECT m.*, coalesce(CASE WHEN at_marked THEN at_peer END, next_peer, sent_to) AS peer, coalesce(asked, 0) AS back,
	    -- marked over the episode: inside it, or on both sides
	    at_marked AND (at_last >= ep_from OR next_marked) AS sure
	  FROM m WHERE asked IS NOT NULL OR own_ask OR at_marked OR next_marked),
q AS MATERIALIZED (
	SELECT p.*, (SELECT a.view_id FROM own_view a WHERE a.who = p.peer AND a.first_at <= p.ep_to ORDER BY a.first_at DESC, a.view_id DESC LIMIT 1) AS peer_view,
	    (SELECT a.view_id FROM own_view a WHERE a.who = p.peer AND a.first_at > p.ep_to ORDER BY a.first_at, a.view_id LIMIT 1) AS peer_next,
	    (SELECT max(a.last_at) FROM own_view a WHERE a.who = p.peer AND a.first_at <= p.ep_to) AS peer_last
	  FROM p)
SELECT ep_id, owner, max(peer), max(back AND known), max(known AND (back
	-- where a capture lasts over the episode, the ASK that led there is in it
	OR (sure AND (asked IS NOT NULL OR NOT EXISTS (SELECT 1 FROM capture_span c WHERE c.incident = q.incident AND c.first_at <= q.ep_from AND c.last_at >= q.ep_to))
	    AND peer_view IS NOT NULL AND NOT EXISTS (SELECT 1 FROM moving x WHERE x.view_id = q.peer_view AND x.slot = q.slot)
	    AND (peer_last >= ep_from OR (next_marked AND peer_next IS NOT NULL))
	    AND NOT EXISTS (SELECT 1 FROM moving x WHERE x.view_id = q.peer_next AND x.slot = q.slot))))
  FROM q GROUP BY ep_id, owner;

DROP TABLE IF EXISTS temp.judged;
CREATE TEMP TABLE judged AS
WITH a AS MATERIALIZED (
	SELECT s.ep_id, s.scen,
	    coalesce(c.views, 0) AS views, coalesce(c.owners, 0) AS owners, c.min_owner, coalesce(c.sure_owners, 0) AS sure_owners,
	    coalesce(c.self, 0) AS self, coalesce(c.fresh, 0) AS fresh,
	    l.owner AS claimant, l.epoch AS claimant_epoch, l.n AS tied, l.disowned, l.unclaimed, l.news, l.rival, r.r AS reach, r.basis, r.failed_inside, r.slow,
	    -- the owner before the claimant was dead: an outage ended inside the episode
	    EXISTS (SELECT 1 FROM reach x WHERE x.ep_id = s.ep_id AND x.owner <> l.owner AND x.r = 0) AS other_down,
	    -- one owner that was handing the slot over: 1 perhaps to a node that did not take it, 2 surely
	    coalesce(CASE WHEN c.owners = 1 THEN 1 + h.shown END, 0) AS half, h.peer, h.back,
	    e.seen, e.timer, e.last_code, e.ep_from, e.ep_to, e.seg_id, e.incident, s.owner AS left_owner, s.epoch AS left_epoch
	  FROM scen s JOIN ep e USING (ep_id)
	  LEFT JOIN counted c ON c.ep_id = s.ep_id AND c.scen = s.scen
	  LEFT JOIN lead_owner l ON l.ep_id = s.ep_id AND l.scen = s.scen
	  LEFT JOIN reach r ON r.ep_id = s.ep_id AND r.owner = l.owner
	  LEFT JOIN half_moved h ON h.ep_id = s.ep_id AND h.owner = l.owner),
p AS MATERIALIZED (
	SELECT a.*,
	    -- Agreement, where there is one owner.
	    -- every needed node, and the owner itself, names the owner: 2 freshly, 1 held over a longer gap, 0 not
	    CASE WHEN a.owners <> 1 OR a.claimant IS NULL THEN 0 ELSE
		(SELECT min(coalesce((SELECT max(CASE
			WHEN c.newer THEN 0
			-- a word that does not reach the raise proves nothing of it
			WHEN c.st < a.ep_to - 10000 THEN 0
			WHEN c.inside OR c.kind = 'r' THEN 2
			WHEN c.sided = 2 AND c.age_us <= (SELECT value FROM parameter WHERE name = 'age_limit_us') THEN 2
			WHEN c.sided = 2 THEN 1 ELSE 0 END)
		    FROM sc c WHERE c.ep_id = a.ep_id AND c.scen = a.scen AND c.who = n.who AND c.owner = a.claimant
			AND (c.full OR (c.who = c.owner))), 0))
		   FROM (SELECT who FROM need WHERE ep_id = a.ep_id UNION SELECT a.claimant) n) END AS proof,
	    CASE WHEN a.owners = 1 THEN
		(SELECT group_concat(name) FROM (SELECT n2.name FROM (SELECT who FROM need WHERE ep_id = a.ep_id UNION SELECT a.claimant) n
		    JOIN main.node n2 ON n2.node_id = n.who
		    WHERE NOT EXISTS (SELECT 1 FROM sc c WHERE c.ep_id = a.ep_id AND c.scen = a.scen AND c.who = n.who AND c.owner = a.claimant
			AND (c.full OR c.who = c.owner) AND NOT c.newer AND c.st >= a.ep_to - 10000) ORDER BY n2.name)) END AS unproven,
	    -- (a) of the older-views clause
	    (a.owners = 1 AND f.known_askers >= 1 AND f.targets = f.hops AND f.tmin = a.claimant AND f.tmax = a.claimant
		AND NOT EXISTS (SELECT 1 FROM chain c JOIN ep e ON e.error_id = c.error_id WHERE e.ep_id = a.ep_id AND c.asked_node = a.claimant)) AS older_a,
	    -- (b) (c): the owner (or two others) and another node, one epoch, none higher anywhere
	    a.owners = 1 AND (SELECT count(DISTINCT c.who) >= 2 AND (max(c.who = a.claimant) OR count(DISTINCT c.who) >= 2) AND count(DISTINCT c.epoch) = 1
		FROM sc c WHERE c.ep_id = a.ep_id AND c.scen = a.scen AND c.owner = a.claimant AND c.full) AS older_b,
	    a.owners = 1 AND NOT EXISTS (SELECT 1 FROM belief b INDEXED BY belief_n WHERE b.seg_id = a.seg_id AND b.owner <> -1 AND b.epoch > a.claimant_epoch) AS older_c,
	    -- (e) held on both sides by the owner and another node
	    a.owners = 1 AND (SELECT max(c.who = a.claimant) = 1 AND count(DISTINCT c.who) >= 2
		FROM sc c WHERE c.ep_id = a.ep_id AND c.scen = a.scen AND c.owner = a.claimant AND c.full AND c.sided = 2) AS older_e,
	    -- a server's own word to the client named another: not all agreed.  The
	    -- addresses of a path that the client prints are its own, not a server's.
	    a.owners = 1 AND EXISTS (SELECT 1 FROM ep e JOIN chain c ON c.error_id = e.error_id JOIN main.redirect r USING (redirect_id)
		WHERE e.ep_id = a.ep_id AND c.code = 'MOVED' AND r.slot = e.slot AND c.target_node <> a.claimant
		AND (c.own_text = 0 OR (SELECT count(*) FROM chain d WHERE d.error_id = c.error_id AND d.own_text = 1) = 1)) AS contradicted,
	    -- the owner's own cluster state
	    EXISTS (SELECT 1 FROM state_span x WHERE x.who = a.claimant AND x.from_at <= a.ep_to AND x.to_at >= a.ep_from)
	    -- its own view says that the owner it names has failed: with full coverage it refuses
	    OR (i.full_coverage AND EXISTS (SELECT 1 FROM failed_owner x WHERE x.who = a.claimant AND x.seg_id = a.seg_id
		AND x.first_at <= a.ep_to AND x.last_at >= a.ep_from)) AS state_fail
	  FROM a JOIN cfact f USING (ep_id) JOIN temp.incident i ON i.incident = a.incident)
SELECT p.*,
	CASE
	WHEN p.views = 0 THEN '1'
	WHEN p.tied > 1 AND p.owners > 1 THEN 'collision'
	WHEN p.reach = 0 THEN '2'
	WHEN p.owners = 1 AND p.failed_inside THEN '2a'
	WHEN p.last_code = 'CLUSTERDOWN' OR p.state_fail OR (p.owners = 1 AND p.min_owner = 0) THEN '2b'
	WHEN p.owners > 1 AND NOT p.self AND (p.disowned AND NOT p.news OR p.unclaimed) OR p.half = 2 THEN '3'
	WHEN p.owners > 1 AND p.claimant_epoch IS NULL THEN '5'
	WHEN p.owners > 1 AND p.reach = 1 THEN '4'
	WHEN p.owners > 1 THEN '5'
	WHEN p.proven AND p.slow THEN '5a'
	WHEN p.seen THEN '6'
	ELSE '7' END AS rule
  FROM (SELECT p.*, NOT p.contradicted AND (p.proof = 2 OR (p.proof = 1 AND p.older_a) OR (p.older_a AND p.older_b AND p.older_c AND p.older_e)) AS proven FROM p) p;
DROP TABLE IF EXISTS temp.ruled;
CREATE TEMP TABLE ruled AS
SELECT j.*,
	CASE WHEN EXISTS (SELECT 1 FROM clash x WHERE x.ep_id = j.ep_id) OR EXISTS (SELECT 1 FROM elsewhere x WHERE x.ep_id = j.ep_id) THEN 'undetermined' ELSE
	CASE rule WHEN '2' THEN CASE WHEN owners > 1 AND rival = 0 THEN 'undetermined' ELSE 'genuine' END WHEN '2a' THEN 'genuine' WHEN '2b' THEN 'genuine'
	    -- crossed: proof that no newer claim exists
	    WHEN '3' THEN CASE WHEN half = 2 THEN 'genuine' WHEN disowned AND NOT news AND rival IS NULL AND (fresh >= 3
		OR (SELECT max(v.epoch) FROM epoch_seen v WHERE v.incident = j.incident AND v.first_at <= j.ep_to AND v.last_at >= j.ep_to - 10000)
		    = (SELECT max(v.top) FROM epoch_seen v WHERE v.incident = j.incident)) THEN 'genuine' ELSE 'undetermined' END
	    -- one observer that changed its mind does not disagree with itself
	    WHEN '4' THEN CASE WHEN other_down OR rival = 1 OR views < 2 THEN 'undetermined' ELSE 'spurious' END WHEN '5a' THEN CASE half WHEN 0 THEN 'spurious' ELSE 'undetermined' END
	    WHEN '6' THEN CASE WHEN proven AND reach = 1 AND half = 0 THEN 'corruption' ELSE 'undetermined' END
	    WHEN '7' THEN CASE WHEN proven AND reach = 1 AND timer AND half = 0 THEN 'spurious' ELSE 'undetermined' END
	    ELSE 'undetermined' END END AS class
  FROM judged j;
CREATE INDEX temp.ruled_i ON ruled (ep_id, scen);

-- One judgement an episode: the base scenario, unless leaving a claim out
-- changes its class, or makes disagreeing views agree.
DROP TABLE IF EXISTS temp.ep_verdict;
CREATE TEMP TABLE ep_verdict AS
SELECT e.error_id, b.*,
	(SELECT s.scen FROM ruled s WHERE s.ep_id = b.ep_id AND s.scen > 0 AND b.class <> 'undetermined'
	    AND ((s.class <> b.class AND s.class <> 'undetermined') OR (b.rule IN ('3', '4', '5') AND b.owners > 1 AND s.owners = 1))
	    ORDER BY s.scen LIMIT 1) AS flip_scen,
	EXISTS (SELECT 1 FROM ruled s WHERE s.ep_id = b.ep_id AND s.scen > 0 AND s.class <> b.class) AS weakened,
	e.window_id
  FROM ep e JOIN ruled b ON b.ep_id = e.ep_id AND b.scen = 0;
CREATE INDEX temp.ep_verdict_i ON ep_verdict (error_id);

-- Names for people: 8 digits of the id and the address the node was last known by.
DROP TABLE IF EXISTS temp.label;
CREATE TEMP TABLE label (who INTEGER PRIMARY KEY, text TEXT NOT NULL, name TEXT NOT NULL, addr TEXT);
INSERT INTO label
SELECT n.node_id, substr(n.name, 1, 8) || coalesce(' (' || a.addr || ')', ''), n.name, a.addr
  FROM main.node n
  LEFT JOIN (SELECT x.node_id, CASE WHEN instr(e.host, ':') THEN '[' || e.host || ']' ELSE e.host END || ':' || e.port AS addr,
		row_number() OVER (PARTITION BY x.node_id ORDER BY max(v.last_at) DESC, count(*) DESC, e.endpoint_id) AS r
	  FROM main.view_node x JOIN c_view v USING (view_id) JOIN main.endpoint e USING (endpoint_id)
	 WHERE e.host <> '' AND e.port > 0 AND coalesce(x.flags, '') NOT LIKE '%handshake%'
	 GROUP BY x.node_id, e.endpoint_id) a ON a.node_id = n.node_id AND a.r = 1;
INSERT INTO label SELECT -o.observer_id, o.name, o.name, NULL FROM main.observer o WHERE o.kind = 'node' AND o.node_id IS NULL;
INSERT INTO label VALUES (0, 'nobody', '', NULL);

-- An address alias: an endpoint of the chain means another node to the client
-- than to the cluster.
DROP TABLE IF EXISTS temp.alias;
CREATE TEMP TABLE alias (error_id INTEGER PRIMARY KEY, why TEXT NOT NULL);
INSERT OR IGNORE INTO alias
SELECT c.error_id, min(CASE WHEN c.asked_id = c.target_id THEN 'a node seems to redirect to its own address'
	    WHEN x.nodes > 1 THEN 'an address of the chain meant two nodes' ELSE 'a redirect names an address that no view knows' END)
  FROM chain c LEFT JOIN addr x ON x.endpoint_id = c.target_id LEFT JOIN main.endpoint e ON e.endpoint_id = c.target_id
 WHERE c.asked_id = c.target_id OR x.nodes > 1
    OR (x.nodes IS NULL AND c.target_id IS NOT NULL AND e.host <> ''
	AND EXISTS (SELECT 1 FROM addr z JOIN main.endpoint ze ON ze.endpoint_id = z.endpoint_id WHERE ze.incident = e.incident))
 GROUP BY c.error_id;

-- Where no view is near: each party's nearest one, at any distance.
DROP TABLE IF EXISTS temp.far;
CREATE TEMP TABLE far AS
SELECT ep_id, who, owner, epoch FROM (
	SELECT e.ep_id, b.who, b.owner, b.epoch, row_number() OVER (PARTITION BY e.ep_id, b.who
		ORDER BY CASE WHEN b.st < e.ep_from THEN e.ep_from - b.st WHEN b.f0 > e.ep_to THEN b.f0 - e.ep_to ELSE 0 END, b.belief_id) AS r
	  FROM ruled f JOIN ep e USING (ep_id) JOIN belief b ON b.seg_id = e.seg_id WHERE f.scen = 0 AND f.rule = '1' AND b.owner <> -1)
 WHERE r = 1;
CREATE INDEX temp.far_i ON far (ep_id);

DROP TABLE IF EXISTS temp.final;
CREATE TEMP TABLE final AS
WITH k AS (
	SELECT v.*, CASE WHEN v.flip_scen IS NOT NULL THEN 'undetermined' ELSE v.class END AS fclass,
	    row_number() OVER (PARTITION BY v.error_id ORDER BY v.ep_id) AS r FROM ep_verdict v),
-- of the two ends of a whole second, the earlier counts where it is decided; of
-- two clocks, the other one
g AS (SELECT k.error_id, min(fclass) AS lo, max(fclass) AS hi, count(*) AS n,
	min(CASE WHEN e.shift = 0 THEN fclass END) = max(CASE WHEN e.shift = 0 THEN fclass END) AS by_clock, max(CASE WHEN e.shift <> 0 THEN e.ep_id END) AS other_ep
	FROM k JOIN ep e USING (ep_id)
	WHERE e.slot IS NULL OR k.r = 1 OR k.fclass <> 'undetermined' GROUP BY k.error_id)
SELECT k.*, g.n AS eps, CASE WHEN g.lo = g.hi THEN k.fclass ELSE 'undetermined' END AS verdict, g.lo <> g.hi AS split,
	g.lo <> g.hi AND g.by_clock AS clock_split, CASE WHEN g.lo <> g.hi AND g.by_clock THEN g.other_ep END AS other_ep
  FROM k JOIN g USING (error_id) WHERE k.r = 1;
CREATE UNIQUE INDEX temp.final_i ON final (error_id);

INSERT INTO verdict
SELECT e.error_id, e.incident, e.client_error_id, e.observer_id, e.source_id, e.position, e.at, p.ep_from, p.ep_to, e.slot, e.library,
	e.error_class, e.message,
	(SELECT group_concat(t, ',') FROM (SELECT coalesce(CASE WHEN instr(a.host, ':') THEN '[' || a.host || ']' ELSE a.host END || ':' || a.port, '?') || '>' ||
	    coalesce(CASE WHEN instr(b.host, ':') THEN '[' || b.host || ']' ELSE b.host END || ':' || b.port, '?') AS t
	    FROM chain c LEFT JOIN main.endpoint a ON a.endpoint_id = c.asked_id LEFT JOIN main.endpoint b ON b.endpoint_id = c.target_id
	    WHERE c.error_id = e.error_id AND c.own_text = (SELECT min(d.own_text) FROM chain d WHERE d.error_id = e.error_id) ORDER BY c.place)),
	coalesce(e.attempts, (SELECT nullif(count(*), 0) FROM chain c WHERE c.error_id = e.error_id
	    AND c.own_text = (SELECT min(d.own_text) FROM chain d WHERE d.error_id = e.error_id))),
	coalesce(f.rule, '1'), coalesce(f.verdict, 'undetermined'),
	CASE WHEN f.verdict = 'undetermined' AND f.rule = '6' AND f.owners = 1 AND f.claimant IS NOT NULL AND f.flip_scen IS NULL
		AND coalesce(f.reach, 1) = 1 AND f.older_c AND NOT f.contradicted AND f.half = 0 AND NOT f.split THEN 'corruption'
	    -- no view near, but every view there ever was names one owner
	    WHEN f.rule = '1' AND NOT f.split AND p.seen AND (SELECT count(DISTINCT b.who) >= 2 AND count(DISTINCT b.owner) = 1 AND min(b.owner) > 0
		    AND count(DISTINCT b.epoch) = 1 FROM far b WHERE b.ep_id = f.ep_id) THEN 'corruption'
	    WHEN f.verdict = 'undetermined' AND f.flip_scen IS NOT NULL AND NOT f.split THEN nullif(f.class, 'undetermined') END,
	CASE
	WHEN f.verdict = 'corruption' AND EXISTS (SELECT 1 FROM alias a WHERE a.error_id = e.error_id) THEN 'address-alias'
	WHEN f.rule = '3' THEN 'crossed-slots'
	WHEN f.rule = '2b' AND (f.min_owner = 0 OR NOT i.full_coverage) THEN 'partial-coverage'
	WHEN f.rule = '2b' THEN 'cluster-down'
	WHEN f.rule = '5a' THEN 'failover-pause'
	WHEN f.rule IN ('2', '2a') AND EXISTS (SELECT 1 FROM near n WHERE n.ep_id = f.ep_id AND n.owner = f.claimant AND n.side = 'inside' AND n.ok = 1 AND n.level > 2
		AND n.last_at >= (SELECT min(o.first_at) FROM near o WHERE o.ep_id = f.ep_id AND o.owner = f.claimant AND o.level <= 2 AND o.ok = 0 AND o.side = 'inside'))
	    THEN 'network-partition'
	WHEN f.rule IN ('2', '2a') THEN CASE WHEN f.owners > 1 THEN 'claimant-down' ELSE 'owner-down' END
	WHEN f.verdict = 'corruption' THEN 'slot-map-corruption'
	WHEN w.cause = 'migration' THEN 'resharding'
	WHEN f.owners > 1 AND w.window_id IS NOT NULL AND coalesce(w.converged_after, e.at) - w.opened_by > i.node_timeout_us THEN 'not-converging'
	WHEN f.rule = '4' AND e.budget * e.backoff_ms * 1000 >= i.node_timeout_us THEN 'node-timeout-misconfigured'
	WHEN f.rule IN ('4', '5') THEN 'slot-ownership-divergence'
	ELSE 'unknown' END,
	CASE WHEN f.rule IN ('5a', '6', '7') AND f.proof < 2 THEN 'inferred'
	    WHEN f.half = 2 AND NOT f.back THEN 'bounded'
	    WHEN f.weakened OR (f.owners > 1 AND f.sure_owners < 2) OR e.slot IS NULL THEN 'bounded'
	    WHEN f.rule IS NULL OR f.rule = '1' THEN 'bounded' ELSE 'observed' END,
	CASE
	WHEN e.at IS NULL THEN 'The error has no time, so no view can be laid beside it.'
	WHEN f.rule IS NULL AND e.slot IS NULL THEN 'The text names no slot, and no window was open over the episode.'
	WHEN f.rule IS NULL OR f.rule = '1' THEN 'No view of the slot is near enough to the episode.'
	WHEN ks.ep_id IS NOT NULL THEN 'At one and the same time ' || coalesce((SELECT l.text FROM label l WHERE l.who = ks.who), 'a node') || ' names one owner in '
	    || coalesce((SELECT x.name FROM main.source x WHERE x.source_id = ks.one_id), '?') || ' and another in '
	    || coalesce((SELECT x.name FROM main.source x WHERE x.source_id = ks.other_id), '?') || ': the clock of one of them is off.'
	WHEN ew.ep_id IS NOT NULL THEN CASE WHEN ew.off_us IS NULL THEN 'The capture shows the refused connections of this log at other times: the clock of one of the two is off.'
	    ELSE printf('The capture shows the redirects of this log %.3f s away: the clock of one of the two is off.', ew.off_us / 1e6) END
	WHEN f.clock_split THEN printf('Topology dumps and server logs are %.3f s apart, and nothing shows which clock this log goes by: by the one it is ', abs(p2.shift) / 1e6)
	    || f.class || ', by the other ' || f2.class || '.'
	WHEN f.split AND e.slot IS NOT NULL THEN 'The log states the second of the raise only, and its beginning and its end give different verdicts.'
	WHEN f.split THEN 'The slot is unknown, and the ' || CASE WHEN EXISTS (SELECT 1 FROM main.divergence_window d WHERE d.incident = e.incident
		AND d.opened_by <= p.ep_to AND coalesce(d.opened_after, d.opened_by) <= p.ep_to
		AND coalesce(d.converged_by, 9223372036854775807) >= p.ep_from)
	    THEN 'windows open over the episode' ELSE 'slots that it may be' END || ' give different verdicts.'
	WHEN f.flip_scen IS NOT NULL THEN 'It depends on a claim that was not observed but may have held: ' || coalesce(lo.text, '?') || ' owning the slot'
	    || coalesce(' at epoch ' || fs.left_epoch, '') || '; without it the verdict would be ' ||
	    CASE WHEN fs.class = f.class OR fs.class = 'undetermined' THEN 'open' ELSE fs.class END || ' instead of ' || f.class || '.'
	WHEN f.rule = 'collision' THEN 'Two nodes claim the slot with the same highest epoch ' || coalesce(f.claimant_epoch, '?') || '.'
	WHEN f.rule IN ('2', '4') AND f.verdict = 'undetermined' AND f.flip_scen IS NULL AND f.rival IS NOT NULL THEN 'Views disagreed, and one names an owner whose epoch is not known, so it may be the claimant.'
	WHEN f.rule = '2' AND f.owners > 1 THEN 'Views disagreed, and the claimant with the highest epoch, ' || cl.text || ' epoch ' || coalesce(f.claimant_epoch, '?') || ', was unreachable (' || f.basis || ').'
	WHEN f.rule = '2' THEN 'The owner, ' || cl.text || ', was unreachable (' || f.basis || ') and had no successor.'
	WHEN f.rule = '2a' THEN 'The views agree on ' || cl.text || ', and this client failed to reach it inside the episode.'
	WHEN f.rule = '2b' AND f.min_owner = 0 AND f.owners = 1 THEN 'Every view says that nobody owns the slot.'
	WHEN f.rule = '2b' THEN 'The cluster refused to serve the slot (CLUSTERDOWN).'
	WHEN f.half = 2 AND f.rule = '3' THEN 'The slot was left half moved: its owner, ' || cl.text || ', hands it to ' || coalesce(pl.text, 'another node') || CASE WHEN f.back THEN ', which sends clients back even after ASKING'
	    ELSE ', which does not mark it as importing' END || '. It cannot converge by itself.'
	WHEN f.half = 1 AND f.rule IN ('5a', '6', '7') AND f.proven THEN 'The views agree on ' || cl.text || ', but it was handing ' || CASE WHEN e.slot IS NULL THEN 'slots' ELSE 'the slot' END || ' to ' || coalesce(pl.text, 'another node')
	    || ', and nothing shows whether that node took ' || CASE WHEN e.slot IS NULL THEN 'them.' ELSE 'it.' END
	WHEN f.rule = '3' AND f.verdict = 'undetermined' THEN 'Nobody is seen to claim the slot, but it is not proven that no newer claim exists.'
	WHEN f.rule = '3' THEN 'The nodes name each other as owner and nobody claims the slot: it cannot converge by itself.'
	WHEN f.rule = '4' AND f.verdict = 'undetermined' AND f.flip_scen IS NULL AND f.views < 2 THEN 'Only one view is at hand, and it changed within the episode; that another node disagreed is not shown.'
	WHEN f.rule = '4' AND f.verdict = 'undetermined' AND f.flip_scen IS NULL THEN 'Views disagreed and the claimant ' || cl.text || ' was reachable, but the owner before it was not: whether the outage or the disagreement led to the raise is not shown.'
	WHEN f.rule = '4' THEN CASE f.views WHEN 1 THEN 'One view' ELSE f.views || ' views' END || ' named ' || f.owners || ' owners, and the claimant with the highest epoch, ' || cl.text || ' epoch ' || coalesce(f.claimant_epoch, '?') || ', was reachable (' || f.basis || ').'
	WHEN f.rule = '5' THEN CASE f.views WHEN 1 THEN 'One view' ELSE f.views || ' views' END || ' named ' || f.owners || ' owners, and nothing shows whether the claimant ' || coalesce(cl.text, '?') || ' was reachable.'
	WHEN f.rule = '5a' THEN 'The views agree on ' || cl.text || ', which was slow to reply during a planned failover.'
	WHEN f.verdict = 'corruption' THEN 'Every view names ' || cl.text || coalesce(' epoch ' || f.claimant_epoch, '') || ', which was reachable, yet the client was sent in circles: its own slot map was wrong.'
	WHEN f.rule IN ('6', '7') AND f.contradicted THEN 'The views at hand agree on ' || cl.text || ', but a redirect that the client was given names another: a clock is off, or a node that was not asked disagreed.'
	WHEN f.rule IN ('6', '7') AND NOT f.proven THEN 'The views at hand agree on ' || coalesce(cl.text, 'nobody') || ', but agreement is not proven for the time of the error.'
	WHEN f.reach IS NULL THEN 'The views agree on ' || coalesce(cl.text, 'nobody') || ', and nothing shows whether it was reachable.'
	WHEN f.verdict = 'spurious' THEN 'The views agree on ' || cl.text || ', which was reachable; the text proves that a timer ran out, not a redirect cycle.'
	ELSE 'The views agree on ' || coalesce(cl.text, 'nobody') || ', which was reachable, and no redirect of this slot is seen.' END,
	p.window_id, CASE WHEN w.window_id IS NOT NULL THEN max(1, (e.at - w.opened_by + 999) / 1000) END, i.node_timeout_us / 1000,
	f.claimant, f.claimant_epoch, f.reach, f.basis, coalesce(f.views, 0),
	coalesce((SELECT count(DISTINCT c.who) FROM cand c WHERE c.ep_id = f.ep_id AND c.owner <> coalesce(f.claimant, -2)), 0),
	CASE WHEN coalesce(f.verdict, 'undetermined') = 'undetermined' THEN nullif(ltrim(
	    CASE WHEN e.at IS NULL OR (f.split AND NOT f.clock_split AND e.slot IS NOT NULL) THEN ',time' ELSE '' END
	    || CASE WHEN ks.ep_id IS NOT NULL OR ew.ep_id IS NOT NULL OR f.clock_split THEN ',clock' ELSE '' END
	    || CASE WHEN e.slot IS NULL THEN ',slot' ELSE '' END
	    || CASE WHEN e.at IS NOT NULL AND coalesce(f.views, 0) = 0 AND e.slot IS NOT NULL
		THEN ',view-of:' || coalesce((SELECT x.host || ':' || x.port FROM main.endpoint x WHERE x.endpoint_id = e.target_id), 'owner') ELSE '' END
	    || CASE WHEN e.at IS NULL THEN coalesce((SELECT ',view-of:' || x.host || ':' || x.port FROM main.endpoint x WHERE x.endpoint_id = e.target_id
		AND NOT EXISTS (SELECT 1 FROM addr a WHERE a.endpoint_id = x.endpoint_id)), '') ELSE '' END
	    || CASE WHEN f.flip_scen IS NOT NULL THEN ',view-of:' || coalesce(lo.name, 'owner') ELSE '' END
	    || CASE WHEN f.rule = 'collision' THEN ',server-log:' || coalesce(cl.name, 'owner') ELSE '' END
	    || CASE WHEN f.rule IN ('6', '7') AND NOT f.proven THEN ',' || coalesce('view-of:' || replace(f.unproven, ',', ',view-of:'), 'server-log:' || coalesce(cl.name, 'owner')) ELSE '' END
	    || CASE WHEN f.rule IN ('2', '3', '4') AND f.flip_scen IS NULL THEN ',view-of:' || coalesce(cl.name, 'owner') ELSE '' END
	    || CASE WHEN f.rule IN ('5', '6', '7') AND f.reach IS NULL THEN ',claimant-contact' ELSE '' END
	    || CASE WHEN f.half = 1 AND f.rule IN ('5a', '6', '7') AND f.proven THEN ',view-of:' || coalesce(pl.name, 'owner') ELSE '' END
	    || CASE WHEN f.rule = '7' AND f.proven THEN ',redirect' ELSE '' END, ','), '') END,
	CASE WHEN f.flip_scen IS NOT NULL THEN coalesce(lo.text, '?') END,
	e.inferred
  FROM err e JOIN temp.incident i USING (incident)
  LEFT JOIN final f USING (error_id)
  LEFT JOIN ep p ON p.ep_id = f.ep_id
  LEFT JOIN ep p2 ON p2.ep_id = f.other_ep
  LEFT JOIN ruled f2 ON f2.ep_id = f.other_ep AND f2.scen = 0
  LEFT JOIN clash ks ON ks.ep_id = f.ep_id
  LEFT JOIN elsewhere ew ON ew.ep_id = f.ep_id
  LEFT JOIN label cl ON cl.who = f.claimant
  LEFT JOIN label pl ON pl.who = f.peer
  LEFT JOIN ruled fs ON fs.ep_id = f.ep_id AND fs.scen = f.flip_scen
  LEFT JOIN label lo ON lo.who = fs.left_owner
  LEFT JOIN main.divergence_window w ON w.window_id = p.window_id
 ORDER BY e.error_id;
