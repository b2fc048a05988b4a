-- 200-window.sql - slot-ownership divergence windows.
--
-- Reads: temp.belief, temp.outage and the server events.  Makes:
--   divergence_window	one row: live nodes named two owners of some slots
--   window_segment	one row: one slot range of a window
--   window_observer	one row: when one observer came to name the new owner
--
-- A window begins with a claim: a node that names itself where it, or others,
-- named another before.  It is worked out by segment and grouped afterwards.
-- Open ends are the extreme integers until the last step makes them NULL.

CREATE TABLE divergence_window (
	window_id	INTEGER PRIMARY KEY,	-- numbered by (incident, opened_by, first slot)
	incident	TEXT NOT NULL,
	cause		TEXT NOT NULL CHECK (cause IN ('manual-failover', 'automatic-failover', 'takeover',
			'stale-promotion', 'stale-return', 'epoch-collision', 'migration', 'setslot', 'unknown')),
	detail		TEXT,			-- how the cause is known
	old_owner	INTEGER,		-- node_id
	old_epoch	INTEGER,
	new_owner	INTEGER,		-- node_id; NULL: the slots became nobody's
	new_epoch	INTEGER,
	opened_after	INTEGER,		-- last time without the claim; NULL: not seen
	opened_by	INTEGER NOT NULL,	-- first time with it
	closed_after	INTEGER,		-- last time the old owner's own view did not name the new one
	closed_by	INTEGER,		-- first time it did; NULL: not seen
	close_reason	TEXT NOT NULL CHECK (close_reason IN ('old-owner-yielded', 'old-owner-unreachable', 'still-open')),
	claim_closed_after INTEGER,		-- end of the double claim
	claim_closed_by	INTEGER,		-- NULL: there was none, or its end was not seen
	converged_after	INTEGER,		-- last time any live observer named another
	converged_by	INTEGER			-- first time all named the new owner; NULL: not seen
) STRICT;
CREATE TABLE window_segment (
	window_id	INTEGER NOT NULL REFERENCES divergence_window ON DELETE CASCADE,
	slot_from	INTEGER NOT NULL,
	slot_to		INTEGER NOT NULL,
	PRIMARY KEY (window_id, slot_from)
) STRICT, WITHOUT ROWID;
CREATE TABLE window_observer (
	window_id	INTEGER NOT NULL REFERENCES divergence_window ON DELETE CASCADE,
	observer	TEXT NOT NULL,		-- node id, or the name of an unknown node
	flipped_after	INTEGER,		-- last time it named another owner
	flipped_by	INTEGER,		-- first time it named the new one; NULL: not seen
	flipped_after_utc TEXT,
	flipped_by_utc	TEXT,
	who		INTEGER NOT NULL,	-- node_id, or minus observer_id
	incident	TEXT NOT NULL,
	PRIMARY KEY (window_id, who)
) STRICT, WITHOUT ROWID;

-- Claims, and what the claiming node named before.
DROP TABLE IF EXISTS temp.claim;
CREATE TEMP TABLE claim (claim_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, who INTEGER NOT NULL, seg_id INTEGER NOT NULL,
	epoch INTEGER, mf INTEGER NOT NULL, sf INTEGER NOT NULL, st INTEGER NOT NULL, mt INTEGER NOT NULL, f0 INTEGER NOT NULL,
	prev_owner INTEGER, prev_epoch INTEGER, restarted INTEGER NOT NULL);
INSERT INTO claim (incident, who, seg_id, epoch, mf, sf, st, mt, f0, prev_owner, prev_epoch, restarted)
SELECT c.incident, c.who, c.seg_id, c.epoch, c.mf, c.sf, c.st, c.mt, c.f0, p.owner, p.epoch,
	EXISTS (SELECT 1 FROM outage o WHERE o.who = c.who AND o.to_at BETWEEN c.mf AND c.sf)
  FROM belief c JOIN seg_live g USING (seg_id)
  LEFT JOIN belief p ON p.belief_id = (SELECT b.belief_id FROM belief b WHERE b.seg_id = c.seg_id AND b.who = c.who
	AND b.owner NOT IN (-1, c.who) AND b.f0 < c.f0 ORDER BY b.f0 DESC, b.belief_id DESC LIMIT 1)
 WHERE c.owner = c.who AND g.contested
 ORDER BY c.incident, c.sf, c.seg_id, c.who;
CREATE INDEX temp.claim_i ON claim (seg_id, who, f0);

-- The first kind: a claim begins while others name another owner.
DROP TABLE IF EXISTS temp.w1;
CREATE TEMP TABLE w1 (claim_id INTEGER NOT NULL, incident TEXT NOT NULL, seg_id INTEGER NOT NULL, opened_after INTEGER NOT NULL,
	opened_by INTEGER NOT NULL, restarted INTEGER NOT NULL, old_owner INTEGER, old_epoch INTEGER, new_owner INTEGER, new_epoch INTEGER,
	stale INTEGER NOT NULL, collision INTEGER NOT NULL, claimant INTEGER NOT NULL);
INSERT INTO w1
WITH c AS (
	SELECT c.*,
	    (SELECT b.belief_id FROM belief b WHERE b.seg_id = c.seg_id AND b.who <> c.who AND b.owner NOT IN (c.who, -1, 0)
		AND ((b.f0 <= c.sf AND b.mt > c.mf AND (b.mt > c.sf OR c.mf > -9223372036854775807 OR b.st >= c.sf))
		    OR (c.mf = -9223372036854775807 AND b.epoch < c.epoch AND b.f0 <= c.mt AND b.owner = coalesce(c.prev_owner, b.owner)))
		ORDER BY b.epoch DESC, b.f0, b.belief_id LIMIT 1) AS other_id,
	    (SELECT k.claim_id FROM claim k WHERE k.seg_id = c.seg_id AND k.who <> c.who AND k.f0 <= c.sf AND k.mt > c.mf
		AND (k.mt > c.sf OR c.mf > -9223372036854775807 OR k.st >= c.sf)
		AND NOT (k.mf = c.mf AND k.sf = c.sf AND k.claim_id > c.claim_id)
		ORDER BY k.epoch DESC, k.f0, k.claim_id LIMIT 1) AS rival_id,
	    -- of unknown epoch, after a restart: whom it yields to has the higher one
	    CASE WHEN c.epoch IS NULL AND c.restarted THEN (SELECT b.owner FROM belief b WHERE b.seg_id = c.seg_id AND b.who = c.who
		AND b.owner NOT IN (-1, c.who) AND b.f0 > c.f0 ORDER BY b.f0, b.belief_id LIMIT 1) END AS yields_to
	  FROM claim c),
j AS (
	SELECT c.*, k.who AS k_who, k.epoch AS k_epoch, k.mf AS k_mf, k.sf AS k_sf, o.owner AS o_owner, o.epoch AS o_epoch, o.mf AS o_mf, o.sf AS o_sf,
	    -- others name an owner whose epoch a process that began anew has not heard of
	    coalesce(c.restarted AND o.epoch > c.epoch AND coalesce(k.epoch, 0) <= c.epoch, 0) AS by_word
	  FROM c LEFT JOIN claim k ON k.claim_id = c.rival_id LEFT JOIN belief o ON o.belief_id = c.other_id),
r AS (
	SELECT j.*, CASE WHEN by_word THEN o_owner ELSE coalesce(k_who, o_owner) END AS rival,
	    CASE WHEN by_word THEN o_epoch ELSE coalesce(k_epoch, o_epoch) END AS rival_epoch,
	    coalesce(by_word OR k_epoch > epoch OR yields_to = coalesce(k_who, o_owner), 0) AS stale FROM j)
SELECT claim_id, incident, seg_id, mf AS opened_after, sf AS opened_by, restarted,
	CASE WHEN stale THEN who WHEN prev_owner > 0 THEN prev_owner ELSE rival END AS old_owner,
	CASE WHEN stale THEN epoch WHEN prev_owner > 0 THEN prev_epoch ELSE rival_epoch END AS old_epoch,
	CASE WHEN stale THEN rival ELSE who END AS new_owner,
	CASE WHEN stale THEN rival_epoch ELSE epoch END AS new_epoch,
	stale, coalesce(k_epoch = epoch AND NOT by_word, 0) AS collision, who AS claimant
  FROM r
 WHERE (other_id IS NOT NULL OR rival_id IS NOT NULL)
   -- a claim that was there from the start is news only against an older one
   AND (mf > -9223372036854775807 OR restarted OR coalesce(k_epoch, o_epoch, -1) <= coalesce(epoch, -1))
   AND NOT (mf = -9223372036854775807 AND NOT restarted AND k_mf IS NULL AND o_mf IS NULL)
   -- after a restart it is stale against a claim that was there by then; one that
   -- may have come later is a promotion, and its window another
   AND NOT (stale AND restarted AND CASE WHEN by_word THEN o_sf ELSE coalesce(k_sf, o_sf) END > mf)
   -- what the old owner gave to it long before: the end of a window of the second kind
   AND NOT EXISTS (SELECT 1 FROM belief y WHERE y.seg_id = r.seg_id AND y.who = r.prev_owner AND y.owner = r.who AND y.epoch IS r.epoch
	AND y.sf + 100000 < r.mf AND y.mt > r.mf
	AND EXISTS (SELECT 1 FROM belief z WHERE z.seg_id = r.seg_id AND z.who = r.prev_owner AND z.owner = r.prev_owner AND z.f0 < y.f0));

CREATE INDEX temp.w1_i ON w1 (seg_id, new_owner, new_epoch);
-- dead: when the attempts to reach a node failed, or its peers said fail.
-- come_back: an old owner that could not be reached when it lost the slots, a stopped
-- process say, and claims them again when the others have long converged.
DROP TABLE IF EXISTS temp.dead;
CREATE TEMP TABLE dead AS
SELECT a.node_id AS who, c.first_at AS from_at, c.last_at AS to_at
  FROM c_contact c JOIN addr a ON a.endpoint_id = c.endpoint_id AND a.nodes = 1
  JOIN main.observer o USING (observer_id)
 WHERE c.outcome IN ('refused', 'connect-timeout', 'read-timeout', 'unreachable') AND c.first_at IS NOT NULL
UNION ALL
SELECT n.node_id, v.first_at, v.last_at FROM main.view_node n JOIN c_view v USING (view_id)
 WHERE n.role = 'master' AND (',' || n.flags || ',') LIKE '%,fail,%' AND n.myself = 0 AND v.first_at IS NOT NULL
UNION ALL
-- a log's FAIL holds until its "clear", a minute at most
SELECT e.subject_id, e.at, coalesce((SELECT min(c.at) FROM c_event c WHERE c.observer_id = e.observer_id AND c.subject_id = e.subject_id
	AND c.event = 'fail-cleared' AND c.at BETWEEN e.at AND e.at + 60000000), e.at + 60000000)
  FROM c_event e WHERE e.event IN ('fail-marked', 'fail-received') AND e.subject_id IS NOT NULL AND e.at IS NOT NULL AND e.source_kind <> 'capture';
CREATE INDEX temp.dead_i ON dead (who, from_at);
DROP TABLE IF EXISTS temp.come_back;
CREATE TEMP TABLE come_back AS
WITH c AS (
	SELECT w.*, (SELECT x.said_id FROM (
		SELECT * FROM (SELECT s.said_id, s.first_at AS at FROM said s WHERE s.who = w.old_owner AND s.seg_id = w.seg_id AND s.track <> 6
			AND s.first_at > w.opened_by ORDER BY s.first_at, s.said_id LIMIT 1)
		UNION ALL
		-- a span with a long silence is its two ends
		SELECT s.said_id, CASE WHEN s.gap_us >= 1000000 THEN s.last_at ELSE w.opened_by END FROM said s
		 WHERE s.who = w.old_owner AND s.seg_id = w.seg_id AND s.track <> 6
		   AND s.first_at BETWEEN w.opened_by - 70000000 AND w.opened_by AND s.last_at > w.opened_by) x
		ORDER BY x.at, x.said_id LIMIT 1) AS said_id
	  FROM w1 w
	 WHERE NOT w.stale AND EXISTS (SELECT 1 FROM dead d WHERE d.who = w.old_owner
		AND d.from_at BETWEEN w.opened_by - 70000000 AND w.opened_by + 1000000 AND d.to_at >= w.opened_after)),
b AS (
	SELECT c.*, s.owner, CASE WHEN s.first_at > c.opened_by THEN s.first_at WHEN s.gap_us >= 1000000 THEN s.last_at ELSE c.opened_by END AS at
	  FROM c JOIN said s USING (said_id))
SELECT b.incident, b.seg_id, b.old_owner, b.old_epoch, b.new_owner, b.new_epoch, b.at AS opened_by,
	max(b.opened_by, coalesce((SELECT max(d.to_at) FROM dead d WHERE d.who = b.old_owner AND d.from_at BETWEEN b.opened_by AND b.at
	    AND d.to_at < b.at), b.opened_by)) AS opened_after
  FROM b
 WHERE b.owner = b.old_owner AND b.at > b.opened_by + 1000000
   AND NOT EXISTS (SELECT 1 FROM outage o WHERE o.who = b.old_owner AND o.to_at BETWEEN b.opened_after AND b.at)
   AND NOT EXISTS (SELECT 1 FROM belief x WHERE x.seg_id = b.seg_id AND x.who <> b.old_owner AND x.owner NOT IN (-1, b.new_owner)
	AND x.st >= b.at AND x.f0 <= b.at);

-- The second kind: an owner gives slots up by itself to a node that does not
-- claim them, or to nobody, and no window of the first kind covers that.
DROP TABLE IF EXISTS temp.w2;
CREATE TEMP TABLE w2 AS
SELECT b.incident, b.seg_id, b.mf AS opened_after, b.sf AS opened_by, c.who AS old_owner, c.epoch AS old_epoch,
	nullif(b.owner, 0) AS new_owner, CASE WHEN b.owner > 0 THEN b.epoch END AS new_epoch,
	coalesce(n.mf, t.mf) AS back_after, coalesce(n.sf, t.sf) AS back_by,
	-- it is named with an epoch that is news and was never asked itself: a
	-- promotion that only its end shows.  When it claimed nothing tells but that
	-- it was before anybody named it.
	b.owner > 0 AND b.epoch > coalesce(c.epoch, 0) AND NOT EXISTS (SELECT 1 FROM belief x WHERE x.seg_id = c.seg_id AND x.who = b.owner)
	AND NOT EXISTS (SELECT 1 FROM node_epoch x WHERE x.node_id = b.owner AND x.epoch = b.epoch AND x.at < b.mf) AS unseen,
	(SELECT min(x.sf) FROM belief x WHERE x.seg_id = c.seg_id AND x.owner = b.owner AND x.epoch IS b.epoch) AS named_by
  FROM claim c JOIN belief b ON b.belief_id = (SELECT x.belief_id FROM belief x WHERE x.seg_id = c.seg_id AND x.who = c.who
	AND x.owner NOT IN (-1, c.who) AND x.f0 > c.f0 ORDER BY x.f0, x.belief_id LIMIT 1)
  LEFT JOIN belief n ON n.belief_id = (SELECT x.belief_id FROM belief x WHERE x.seg_id = c.seg_id AND x.who = c.who
	AND x.owner NOT IN (-1, b.owner) AND x.f0 > b.f0 ORDER BY x.f0, x.belief_id LIMIT 1)
  -- or the other takes it, much later
  LEFT JOIN claim t ON t.claim_id = (SELECT k.claim_id FROM claim k WHERE k.seg_id = c.seg_id AND k.who = b.owner AND k.epoch IS b.epoch
	AND k.mf > b.sf + 100000 AND b.mt > k.mf ORDER BY k.f0 LIMIT 1)
 WHERE NOT EXISTS (SELECT 1 FROM claim k WHERE k.seg_id = c.seg_id AND k.who = b.owner
	AND k.f0 <= coalesce(n.sf, 9223372036854775807) AND k.mt > b.mf AND k.claim_id IS NOT t.claim_id)
   -- it yields to a claim that died meanwhile: the end of that claim's window
   AND NOT EXISTS (SELECT 1 FROM w1 x WHERE x.seg_id = c.seg_id AND x.new_owner = b.owner AND x.new_epoch IS b.epoch AND x.opened_after <= b.sf)
   AND NOT EXISTS (SELECT 1 FROM claim k WHERE k.seg_id = c.seg_id AND k.who NOT IN (c.who, b.owner)
	AND k.f0 <= coalesce(n.sf, 9223372036854775807) AND k.mt > b.mf)
   AND EXISTS (SELECT 1 FROM belief o WHERE o.seg_id = c.seg_id AND o.who <> c.who AND o.owner NOT IN (-1, b.owner)
	AND o.f0 <= coalesce(n.sf, 9223372036854775807) AND o.mt > b.mf AND o.st >= b.mf);

-- Which of the others' beliefs is the flip to the new owner, and which later
-- claim ended the window before they all flipped.
DROP TABLE IF EXISTS temp.wseg;
CREATE TEMP TABLE wseg (wseg_id INTEGER PRIMARY KEY, incident TEXT NOT NULL, seg_id INTEGER NOT NULL, kind INTEGER NOT NULL,
	old_owner INTEGER, old_epoch INTEGER, new_owner INTEGER, new_epoch INTEGER, stale INTEGER NOT NULL, collision INTEGER NOT NULL,
	restarted INTEGER NOT NULL, claimant INTEGER, opened_after INTEGER NOT NULL, opened_by INTEGER NOT NULL,
	next_by INTEGER NOT NULL, back_after INTEGER, back_by INTEGER);
INSERT INTO wseg (incident, seg_id, kind, old_owner, old_epoch, new_owner, new_epoch, stale, collision, restarted, claimant,
	opened_after, opened_by, next_by, back_after, back_by)
SELECT incident, seg_id, kind, old_owner, old_epoch, new_owner, new_epoch, stale, collision, restarted, claimant, opened_after, opened_by,
	lead(opened_by, 1, 9223372036854775807) OVER (PARTITION BY seg_id ORDER BY opened_by, claimant), back_after, back_by
  FROM (SELECT incident, seg_id, 1 AS kind, old_owner, old_epoch, new_owner, new_epoch, stale, collision, restarted, claimant,
		opened_after, opened_by, NULL AS back_after, NULL AS back_by FROM w1 WHERE old_owner <> new_owner
	UNION ALL
	SELECT incident, seg_id, 1, old_owner, old_epoch, new_owner, new_epoch, 1, 0, 1, old_owner, opened_after, opened_by, NULL, NULL FROM come_back
	UNION ALL
	SELECT incident, seg_id, 2, old_owner, old_epoch, new_owner, new_epoch, 0, 0, 0, old_owner,
		opened_after, opened_by, back_after, back_by FROM w2 WHERE NOT unseen
	UNION ALL
	SELECT DISTINCT incident, seg_id, 1, old_owner, old_epoch, new_owner, new_epoch, 0, 0, 0, new_owner,
		-9223372036854775807, named_by, NULL, NULL FROM w2 WHERE unseen)
 ORDER BY incident, opened_by, seg_id, claimant;

-- One row: one observer's flip in one segment's window.  Live observers only:
-- those that said anything after the claim.
DROP TABLE IF EXISTS temp.flip;
CREATE TEMP TABLE flip (wseg_id INTEGER NOT NULL, who INTEGER NOT NULL, after_at INTEGER, by_at INTEGER, named_other INTEGER NOT NULL,
	PRIMARY KEY (wseg_id, who)) WITHOUT ROWID;
INSERT INTO flip
SELECT w.wseg_id, o.who,
	CASE WHEN f.belief_id IS NULL THEN max(w.opened_after, coalesce(l.st, w.opened_after))
	    ELSE max(w.opened_after, min(f.mf, f.sf)) END,
	CASE WHEN f.belief_id IS NOT NULL THEN max(f.sf, w.opened_after) END,
	l.belief_id IS NOT NULL
  FROM wseg w
  JOIN (SELECT DISTINCT seg_id, who FROM belief WHERE owner <> -1) o ON o.seg_id = w.seg_id
  LEFT JOIN belief f ON f.belief_id = (SELECT b.belief_id FROM belief b WHERE b.seg_id = w.seg_id AND b.who = o.who
	AND b.owner = coalesce(w.new_owner, 0) AND (b.epoch IS NULL OR w.new_epoch IS NULL OR b.epoch >= w.new_epoch)
	AND b.mt > w.opened_after AND b.st >= w.opened_after AND b.f0 < max(w.next_by, w.opened_by + 1)
	ORDER BY b.sf, b.belief_id LIMIT 1)
  LEFT JOIN belief l ON l.belief_id = (SELECT b.belief_id FROM belief b WHERE b.seg_id = w.seg_id AND b.who = o.who
	AND b.owner NOT IN (-1, coalesce(w.new_owner, 0)) AND b.mt > w.opened_after AND b.mf < coalesce(f.sf, 9223372036854775807)
	AND b.f0 < max(w.next_by, w.opened_by + 1) AND (b.sf < w.next_by OR b.f0 <= w.opened_by) ORDER BY b.f0 DESC, b.belief_id DESC LIMIT 1)
 WHERE (f.belief_id IS NOT NULL
	-- a dump of an unknown node that never named another is no node's change of mind
	AND (o.who > 0 OR l.belief_id IS NOT NULL))
    -- a dump that is timed by its pongs alone may be later than it says
    OR (l.belief_id IS NOT NULL AND (l.st > w.opened_by OR (l.sf - l.st > 1000000 AND l.sf >= w.opened_by - (l.sf - l.st))));
-- In a window of the second kind everybody's flip may be back to the old owner.
UPDATE flip SET (after_at, by_at) = (SELECT max(w.opened_after, coalesce(w.back_after, flip.after_at)), w.back_by FROM wseg w WHERE w.wseg_id = flip.wseg_id)
 WHERE wseg_id IN (SELECT wseg_id FROM wseg WHERE kind = 2) AND by_at IS NULL;

DROP TABLE IF EXISTS temp.wbound;
CREATE TEMP TABLE wbound AS
SELECT w.*,
	CASE w.kind WHEN 2 THEN coalesce(w.back_after, f.after_at) ELSE f.after_at END AS yield_after,
	CASE w.kind WHEN 2 THEN w.back_by ELSE f.by_at END AS yield_by,
	(SELECT max(c.st) FROM belief c WHERE c.seg_id = w.seg_id AND c.who = w.old_owner AND c.owner = w.old_owner
	    AND c.mt > w.opened_after AND c.f0 <= w.opened_by AND c.st >= w.opened_after) AS claim_st,
	(SELECT min(b.mt) FROM belief b WHERE b.seg_id = w.seg_id AND b.who = w.old_owner AND b.owner = w.old_owner
	    AND b.mt > w.opened_after AND b.f0 <= w.opened_by AND b.st >= w.opened_after) AS claim_mt,
	(SELECT min(d.from_at) FROM dead d WHERE d.who = w.old_owner AND d.to_at >= w.opened_after
	    AND d.from_at <= w.opened_by + 1000000
	    AND NOT EXISTS (SELECT 1 FROM said s WHERE s.who = d.who AND s.seg_id = w.seg_id AND s.track <= 5
		AND s.owner IS NOT coalesce(w.new_owner, 0)
		-- what opens the next window, a dead owner's return say, is seen by its end
		AND s.last_at >= w.opened_after AND s.first_at + s.slack_us < min(coalesce(f.by_at, w.next_by), w.next_by)
		AND (s.gap_us < 1000000 OR s.first_at >= w.opened_after OR s.last_at < min(coalesce(f.by_at, w.next_by), w.next_by)))) AS dead_from,
	(SELECT min(d.from_at) FROM dead d WHERE d.who = w.old_owner AND d.from_at >= w.opened_by
	    AND d.from_at < w.next_by
	    AND d.from_at >= coalesce((SELECT max(s.last_at) FROM said s WHERE s.who = d.who AND s.seg_id = w.seg_id AND s.last_at < w.next_by
		AND s.first_at + s.slack_us < w.next_by), 0)) AS died_at,
	(SELECT max(x.after_at) FROM flip x WHERE x.wseg_id = w.wseg_id) AS conv_after,
	(SELECT CASE WHEN count(*) = count(x.by_at) THEN max(x.by_at) END FROM flip x WHERE x.wseg_id = w.wseg_id AND x.who <> w.old_owner) AS conv_by_others,
	(SELECT max(x.after_at) FROM flip x WHERE x.wseg_id = w.wseg_id AND x.who <> w.old_owner) AS conv_after_others
  FROM wseg w LEFT JOIN flip f ON f.wseg_id = w.wseg_id AND f.who = w.old_owner;

-- One that was dead when it opened yields nothing: what it names when it comes
-- back is another story.
UPDATE wbound SET yield_after = NULL, yield_by = NULL WHERE kind = 1 AND dead_from IS NOT NULL AND yield_by > opened_by + 1000000;

-- An old owner that was never asked, and takes the slots back by a higher epoch:
-- it had yielded by then.
CREATE INDEX temp.wseg_n ON wseg (seg_id, new_owner, opened_by);
UPDATE wbound SET yield_by = (SELECT min(x.opened_by) FROM wseg x WHERE x.seg_id = wbound.seg_id AND x.kind = 1 AND x.new_owner = wbound.old_owner
	AND x.new_epoch > wbound.new_epoch AND x.opened_by > wbound.opened_by)
 WHERE kind = 1 AND yield_by IS NULL AND dead_from IS NULL AND died_at IS NULL;

-- When a peer named a node fail, and when a node named itself master.
DROP TABLE IF EXISTS temp.named_fail;
CREATE TEMP TABLE named_fail (incident TEXT NOT NULL, node_id INTEGER NOT NULL, first_at INTEGER NOT NULL);
INSERT INTO named_fail
SELECT v.incident, n.node_id, v.first_at FROM main.view_node n JOIN c_view v USING (view_id)
 WHERE (',' || n.flags || ',') LIKE '%,fail,%' AND n.node_id IS NOT NULL AND v.first_at IS NOT NULL;
CREATE INDEX temp.named_fail_i ON named_fail (incident, node_id, first_at);
DROP TABLE IF EXISTS temp.own_master;
CREATE TEMP TABLE own_master (incident TEXT NOT NULL, node_id INTEGER NOT NULL, last_at INTEGER NOT NULL);
INSERT INTO own_master
SELECT v.incident, n.node_id, v.last_at FROM main.view_node n JOIN c_view v USING (view_id)
 WHERE n.myself AND n.role = 'master' AND n.node_id IS NOT NULL AND v.last_at IS NOT NULL;
CREATE INDEX temp.own_master_i ON own_master (incident, node_id, last_at);
-- Causes, from the events around the claim, from marks, from roles.
DROP TABLE IF EXISTS temp.wcause;
CREATE TEMP TABLE wcause AS
SELECT w.wseg_id,
	CASE
	WHEN w.collision THEN 'epoch-collision'
	WHEN w.stale AND w.restarted THEN 'stale-return'
	WHEN w.stale AND EXISTS (SELECT 1 FROM claim c WHERE c.seg_id = w.seg_id AND c.who = w.old_owner AND c.epoch = w.old_epoch
		AND c.f0 < w.opened_by - 1000 AND c.f0 < w.opened_after) THEN 'stale-return'
	WHEN w.stale THEN 'stale-promotion'
	WHEN w.kind = 2 THEN 'setslot'
	WHEN EXISTS (SELECT 1 FROM c_event e JOIN who o USING (observer_id) WHERE o.who = w.new_owner AND e.incident = w.incident
		AND e.event IN ('takeover', 'takeover-accepted') AND e.at BETWEEN max(w.opened_after, w.opened_by - 5000000) - 1000000 AND w.opened_by + 100000)
	    THEN 'takeover'
	WHEN EXISTS (SELECT 1 FROM c_event e JOIN who o USING (observer_id) WHERE o.who = w.new_owner AND e.incident = w.incident
		AND e.event = 'cluster-failover' AND upper(coalesce(e.detail, '')) LIKE '%TAKEOVER%'
		AND e.at BETWEEN max(w.opened_after, w.opened_by - 5000000) - 1000000 AND w.opened_by + 100000) THEN 'takeover'
	WHEN EXISTS (SELECT 1 FROM seg_slots g JOIN moving m ON m.incident = w.incident AND m.slot BETWEEN g.s0 AND g.s1
		WHERE g.seg_id = w.seg_id AND m.first_at <= w.opened_by + 1000000 AND m.last_at >= w.opened_after - 5000000) THEN 'migration'
	WHEN EXISTS (SELECT 1 FROM c_event e JOIN who o USING (observer_id) WHERE e.incident = w.incident
		AND ((o.who = w.new_owner AND e.event IN ('manual-accepted', 'force-accepted', 'cluster-failover', 'manual-offset', 'manual-caught-up'))
		    OR (o.who = w.old_owner AND e.event IN ('manual-requested', 'writes-paused')))
		AND e.at BETWEEN max(w.opened_after, w.opened_by - 5000000) - 6000000 AND w.opened_by + 100000) THEN 'manual-failover'
	WHEN EXISTS (SELECT 1 FROM c_event e JOIN who o USING (observer_id) WHERE o.who = w.new_owner AND e.incident = w.incident
		AND e.event = 'epoch-bumped' AND e.detail LIKE '%after importing slot%' AND e.at BETWEEN max(w.opened_after, w.opened_by - 5000000) - 1000000 AND w.opened_by + 1000000)
	    THEN 'migration'
	WHEN EXISTS (SELECT 1 FROM c_event e WHERE e.incident = w.incident AND e.subject_id = w.old_owner AND e.kind = 'fail'
		AND e.event IN ('fail-marked', 'fail-received') AND e.at BETWEEN w.opened_by - 60000000 AND w.opened_by + 100000)
	    OR EXISTS (SELECT 1 FROM dead d WHERE d.who = w.old_owner AND d.from_at <= w.opened_by AND d.to_at >= max(w.opened_after, w.opened_by - 60000000))
	    AND EXISTS (SELECT 1 FROM named_fail n WHERE n.incident = w.incident AND n.node_id = w.old_owner AND n.first_at <= w.opened_by + 1000000) THEN 'automatic-failover'
	WHEN EXISTS (SELECT 1 FROM c_event e JOIN who o USING (observer_id) WHERE o.who = w.new_owner AND e.incident = w.incident
		AND e.event IN ('election-won', 'election-started') AND e.at BETWEEN max(w.opened_after, w.opened_by - 5000000) - 1000000 AND w.opened_by + 100000)
	    THEN 'automatic-failover'
	WHEN EXISTS (SELECT 1 FROM own_master n WHERE n.incident = w.incident AND n.node_id = w.new_owner
		AND n.last_at BETWEEN w.opened_after - 2000000 AND w.opened_after) THEN 'setslot'
	ELSE 'unknown' END AS cause
  FROM wseg w;
-- The master of other slots that takes single slots: a migration where marks
-- say so for any slot of the same pair, else SETSLOT.
UPDATE wcause SET cause = 'migration' WHERE cause = 'setslot' AND wseg_id IN (
	SELECT wseg_id FROM wseg WHERE kind = 1 AND (incident, new_owner, old_owner) IN (
		SELECT b.incident, b.new_owner, b.old_owner FROM wseg b JOIN wcause k USING (wseg_id) WHERE k.cause = 'migration'));

-- Segments of one promotion are one window; slots of a migration are grouped
-- only where all bounds are equal.
DROP TABLE IF EXISTS temp.wgroup;
CREATE TEMP TABLE wgroup AS
WITH b AS (
	SELECT w.*, k.cause, g.s0, g.s1,
	    CASE WHEN k.cause IN ('migration', 'setslot', 'unknown')
		THEN w.opened_by || ',' || w.opened_after || ',' || coalesce(w.yield_by, '') ELSE '' END AS part
	  FROM wbound w JOIN wcause k USING (wseg_id) JOIN seg_slots g USING (seg_id)),
o AS (SELECT b.*, CASE WHEN opened_by - lag(opened_by) OVER (PARTITION BY incident, cause, old_owner, new_owner, new_epoch, part
		ORDER BY opened_by, s0) <= 1000000 THEN 0 ELSE 1 END AS first_of FROM b),
i AS (SELECT o.*, sum(first_of) OVER (PARTITION BY incident, cause, old_owner, new_owner, new_epoch, part ORDER BY opened_by, s0
		ROWS UNBOUNDED PRECEDING) AS isl FROM o),
n AS (SELECT i.*, dense_rank() OVER (ORDER BY incident, cause, old_owner, new_owner, new_epoch, part, isl) AS grp FROM i)
SELECT * FROM n;

DROP TABLE IF EXISTS temp.wnumber;
CREATE TEMP TABLE wnumber AS
SELECT grp, row_number() OVER (ORDER BY incident, min(opened_by), min(s0), grp) AS window_id FROM wgroup GROUP BY grp;

INSERT INTO divergence_window
SELECT n.window_id, g.incident, g.cause,
	NULL,
	g.old_owner, max(g.old_epoch), g.new_owner, g.new_epoch,
	nullif(min(max(g.opened_after), min(g.opened_by)), -9223372036854775807), min(g.opened_by),
	CASE WHEN min(coalesce(g.yield_by, 0)) > 0 THEN max(g.yield_after)
	    WHEN count(g.dead_from) > 0 THEN max(g.conv_after_others)
	    WHEN count(g.died_at) > 0 THEN max(coalesce(g.claim_st, g.opened_by))
	    ELSE max(coalesce(g.yield_after, g.claim_st)) END,
	CASE WHEN min(coalesce(g.yield_by, 0)) > 0 THEN max(g.yield_by)
	    WHEN count(g.dead_from) > 0 THEN CASE WHEN count(*) = count(g.conv_by_others) THEN max(g.conv_by_others) END
	    WHEN count(g.died_at) > 0 THEN max(g.died_at) END,
	CASE WHEN min(coalesce(g.yield_by, 0)) > 0 THEN 'old-owner-yielded'
	    WHEN count(g.dead_from) > 0 OR count(g.died_at) > 0 THEN 'old-owner-unreachable' ELSE 'still-open' END,
	CASE WHEN count(g.dead_from) = 0 THEN max(g.claim_st) END,
	CASE WHEN count(g.dead_from) = 0 AND count(g.claim_st) > 0 THEN nullif(max(min(coalesce(g.claim_mt, 9223372036854775807),
	    coalesce(g.yield_by, 9223372036854775807))), 9223372036854775807) END,
	CASE WHEN min(coalesce(g.yield_by, 0)) = 0 AND (count(g.dead_from) > 0 OR count(g.died_at) > 0) THEN max(g.conv_after_others) ELSE max(g.conv_after) END,
	CASE WHEN min(coalesce(g.yield_by, 0)) > 0 THEN CASE WHEN count(*) = count(g.conv_by_others) THEN max(max(g.conv_by_others), max(g.yield_by))
		WHEN NOT EXISTS (SELECT 1 FROM flip x WHERE x.wseg_id = g.wseg_id AND x.who <> g.old_owner) THEN max(g.yield_by) END
	    WHEN count(g.dead_from) > 0 OR count(g.died_at) > 0 THEN CASE WHEN count(*) = count(g.conv_by_others) THEN max(g.conv_by_others) END END
  FROM wgroup g JOIN wnumber n USING (grp)
 GROUP BY g.grp ORDER BY n.window_id;
INSERT INTO window_segment
WITH x AS (SELECT n.window_id, g.s0, max(g.s1) AS s1 FROM wgroup g JOIN wnumber n USING (grp) GROUP BY n.window_id, g.s0),
y AS (SELECT *, CASE WHEN s0 = lag(s1) OVER (PARTITION BY window_id ORDER BY s0) + 1 THEN 0 ELSE 1 END AS ch FROM x),
z AS (SELECT *, sum(ch) OVER (PARTITION BY window_id ORDER BY s0 ROWS UNBOUNDED PRECEDING) AS isl FROM y)
SELECT window_id, min(s0), max(s1) FROM z GROUP BY window_id, isl;
INSERT INTO window_observer (window_id, who, observer, flipped_after, flipped_by, flipped_after_utc, flipped_by_utc, incident)
SELECT window_id, who, observer, a, b,
	strftime('%Y-%m-%dT%H:%M:%S', a/1000000, 'unixepoch') || printf('.%06dZ', a%1000000),
	strftime('%Y-%m-%dT%H:%M:%S', b/1000000, 'unixepoch') || printf('.%06dZ', b%1000000), incident
  FROM (SELECT n.window_id, f.who, coalesce((SELECT x.name FROM main.node x WHERE x.node_id = f.who),
		(SELECT o.name FROM main.observer o WHERE o.observer_id = -f.who), '?') AS observer,
		nullif(max(f.after_at), -9223372036854775807) AS a,
		-- who has some of the slots only, by evidence that contradicts itself, may
		-- name the new owner before the window of all of them opened
		CASE WHEN count(*) = count(f.by_at) THEN max(max(f.by_at), coalesce(d.opened_after, -9223372036854775807)) END AS b, g.incident
	  FROM flip f JOIN wgroup g USING (wseg_id) JOIN wnumber n USING (grp) JOIN divergence_window d USING (window_id)
	 WHERE f.who <> g.old_owner OR g.yield_by IS NOT NULL OR (g.dead_from IS NULL AND g.died_at IS NULL)
	 GROUP BY n.window_id, f.who, g.incident);
UPDATE divergence_window SET
	closed_after = nullif(closed_after, -9223372036854775807),
	claim_closed_after = nullif(claim_closed_after, -9223372036854775807),
	converged_after = nullif(converged_after, -9223372036854775807);
-- Logs alone: a promotion whose slots nobody tells is a window all the same, of
-- unknown slots.  It closes at the demotion by that node, unless the old owner
-- was dead: then where the others agree.  A node whose state was fail and turns
-- ok has heard; whoever logs no such thing may have heard later.
DROP TABLE IF EXISTS temp.heard;
CREATE TEMP TABLE heard AS
SELECT mark_id, max(at) AS last_at, count(*) AS n FROM (
	SELECT m.mark_id, w.who, min(e.at) AS at
	  FROM mark m JOIN c_event e ON e.incident = m.incident AND e.event = 'state-ok' AND e.at BETWEEN m.at AND m.at + 15000000
	  JOIN who w ON w.observer_id = e.observer_id AND w.who <> m.who
	 WHERE m.kind = 'promotion' AND coalesce((SELECT x.event FROM c_event x WHERE x.observer_id = e.observer_id AND x.at < m.at
		AND x.event IN ('state-ok', 'state-fail') ORDER BY x.at DESC, x.position DESC LIMIT 1), 'state-fail') = 'state-fail'
	 GROUP BY m.mark_id, w.who)
 GROUP BY mark_id;
DROP TABLE IF EXISTS temp.log_only;
CREATE TEMP TABLE log_only AS
SELECT k.mark_id, d.mark_id AS end_id, h.last_at AS heard_at,
	-- where nobody's demotion by it is at hand: its own, by which it lost the slots again
	CASE WHEN d.mark_id IS NULL THEN (SELECT x.mark_id FROM mark x WHERE x.who = k.who AND x.kind = 'demotion' AND x.at > k.at ORDER BY x.at, x.mark_id LIMIT 1) END AS lost_id,
	-- each other node that logs at all has said so
	h.n >= (SELECT count(DISTINCT w.who) FROM main.source s JOIN c_event e USING (source_id) JOIN who w ON w.observer_id = e.observer_id
	    WHERE s.incident = k.incident AND s.kind = 'server-log' AND w.who <> k.who AND w.who IS NOT d.who) AS all_heard,
	-- an election is won against a master that its peers mark fail; it was dead
	-- unless its own log goes on meanwhile
	k.event = 'election-won'
	AND NOT EXISTS (SELECT 1 FROM c_event e WHERE e.incident = k.incident
	    AND e.event IN ('manual-accepted', 'force-accepted', 'manual-requested') AND e.at BETWEEN k.at - 6000000 AND k.at)
	AND (d.mark_id IS NULL OR EXISTS (SELECT 1 FROM c_event e JOIN who w USING (observer_id) WHERE w.who = d.who
		AND e.event IN ('started', 'restarted') AND e.at BETWEEN k.at - 60000000 AND d.at)
	    OR NOT EXISTS (SELECT 1 FROM c_event e JOIN who w USING (observer_id) WHERE w.who = d.who AND e.at BETWEEN k.at AND d.at - 100000)) AS dead
  FROM mark k
  LEFT JOIN mark d ON d.mark_id = (SELECT x.mark_id FROM mark x WHERE x.incident = k.incident AND x.kind = 'demotion' AND x.owner = k.who
	AND x.at BETWEEN k.at - 1000 AND k.at + 3600000000
	-- and not by its next promotion
	AND NOT EXISTS (SELECT 1 FROM mark p WHERE p.who = k.who AND p.kind = 'promotion' AND p.at > k.at + 1000 AND p.at - 1000 <= x.at)
	ORDER BY x.at, x.mark_id LIMIT 1)
  LEFT JOIN heard h ON h.mark_id = k.mark_id
 WHERE k.kind = 'promotion' AND NOT EXISTS (SELECT 1 FROM mark_pick p WHERE p.mark_id = k.mark_id)
   -- views that begin only after it do not tell whose slots it took
   AND NOT EXISTS (SELECT 1 FROM seg_live g WHERE g.incident = k.incident AND EXISTS (SELECT 1 FROM said s WHERE s.seg_id = g.seg_id AND s.track BETWEEN 2 AND 3
	AND s.first_at <= k.at));
INSERT INTO divergence_window
SELECT (SELECT coalesce(max(window_id), 0) FROM divergence_window) + row_number() OVER (ORDER BY k.incident, k.at, k.mark_id), k.incident,
	CASE WHEN EXISTS (SELECT 1 FROM c_event e WHERE e.source_id = k.source_id AND e.event IN ('takeover', 'takeover-accepted') AND e.at BETWEEN k.at - 1000000 AND k.at) THEN 'takeover'
	    WHEN EXISTS (SELECT 1 FROM c_event e WHERE e.incident = k.incident AND e.event IN ('manual-accepted', 'force-accepted', 'manual-requested') AND e.at BETWEEN k.at - 6000000 AND k.at) THEN 'manual-failover'
	    WHEN k.event = 'election-won' THEN 'automatic-failover' ELSE 'unknown' END,
	'slots unknown', CASE WHEN d.who > 0 THEN d.who ELSE f.subject_id END, NULL, CASE WHEN k.who > 0 THEN k.who END, k.epoch,
	k.at, k.at + k.precision_us,
	CASE WHEN NOT x.dead THEN coalesce(d.at, k.at) WHEN x.all_heard THEN max(k.at, x.heard_at) ELSE k.at END,
	CASE WHEN NOT x.dead THEN coalesce(d.at + d.precision_us, y.at + y.precision_us) WHEN x.all_heard THEN x.heard_at + 1000 END,
	CASE WHEN NOT x.dead AND coalesce(d.at, y.at) IS NOT NULL THEN 'old-owner-yielded' WHEN x.dead AND x.all_heard THEN 'old-owner-unreachable' ELSE 'still-open' END,
	CASE WHEN NOT x.dead THEN d.at END, CASE WHEN NOT x.dead THEN d.at + d.precision_us END,
	CASE WHEN x.dead THEN CASE WHEN x.all_heard THEN max(k.at, x.heard_at) ELSE k.at END ELSE coalesce(d.at, k.at) END,
	CASE WHEN x.all_heard THEN max(x.heard_at + 1000, CASE WHEN NOT x.dead AND d.at IS NOT NULL THEN d.at + d.precision_us ELSE 0 END) END
  FROM log_only x JOIN mark k USING (mark_id) LEFT JOIN mark d ON d.mark_id = x.end_id LEFT JOIN mark y ON y.mark_id = x.lost_id
  LEFT JOIN c_event f ON f.server_event_id = (SELECT x.server_event_id FROM c_event x WHERE x.incident = k.incident AND x.kind = 'fail'
	AND x.event IN ('fail-marked', 'fail-received') AND x.at BETWEEN k.at - 60000000 AND k.at AND x.subject_id IS NOT NULL ORDER BY x.at DESC, x.server_event_id DESC LIMIT 1)
 ORDER BY k.incident, k.at, k.mark_id;
-- A dead one that comes back with its old slots, until it hears: it was master
-- still when it reconfigured itself.
INSERT INTO divergence_window
SELECT (SELECT coalesce(max(window_id), 0) FROM divergence_window) + row_number() OVER (ORDER BY k.incident, d.at, d.mark_id), k.incident,
	'stale-return', 'slots unknown', CASE WHEN d.who > 0 THEN d.who END, NULL, CASE WHEN k.who > 0 THEN k.who END, k.epoch,
	coalesce((SELECT max(e.at) FROM c_event e JOIN who w USING (observer_id) WHERE w.who = d.who AND e.event IN ('started', 'restarted')
	    AND e.at BETWEEN k.at AND d.at), x.heard_at, k.at), d.at, d.at, d.at + d.precision_us, 'old-owner-yielded', d.at, d.at + d.precision_us, d.at, d.at + d.precision_us
  FROM log_only x JOIN mark k USING (mark_id) JOIN mark d ON d.mark_id = x.end_id
 WHERE x.dead ORDER BY k.incident, d.at, d.mark_id;
-- Two nodes that found one epoch between them, as one of them says, until the
-- other follows: logs alone, of unknown slots.
INSERT INTO divergence_window
SELECT (SELECT coalesce(max(window_id), 0) FROM divergence_window) + row_number() OVER (ORDER BY d.incident, d.at, d.mark_id), d.incident,
	'epoch-collision', 'slots unknown', CASE WHEN d.who > 0 THEN d.who ELSE coalesce(c.other_id, c.subject_id) END, NULL, d.owner, c.epoch,
	NULL, c.at + c.precision_us, d.at, d.at + d.precision_us, 'old-owner-yielded', d.at, d.at + d.precision_us, d.at, NULL
  FROM mark d
  JOIN c_event c ON c.server_event_id = (SELECT x.server_event_id FROM c_event x WHERE x.incident = d.incident AND x.event = 'epoch-collision'
	AND x.at BETWEEN d.at - 15000000 AND d.at ORDER BY x.at DESC, x.position DESC LIMIT 1)
 WHERE d.kind = 'demotion' AND NOT EXISTS (SELECT 1 FROM mark_pick p WHERE p.mark_id = d.mark_id)
   AND NOT EXISTS (SELECT 1 FROM mark k WHERE k.incident = d.incident AND k.kind = 'promotion' AND k.who = d.owner AND k.at BETWEEN d.at - 3600000000 AND d.at + 1000)
   AND NOT EXISTS (SELECT 1 FROM seg_live g WHERE g.incident = d.incident AND EXISTS (SELECT 1 FROM said s WHERE s.seg_id = g.seg_id AND s.track <= 3))
 ORDER BY d.incident, d.at, d.mark_id;
-- A dead owner that not all have left yet keeps the window open.
UPDATE divergence_window SET close_reason = 'still-open' WHERE closed_by IS NULL;
-- Evidence that contradicts itself crosses the bounds: the edge lies between.
UPDATE divergence_window SET closed_after = closed_by, closed_by = closed_after WHERE closed_after > closed_by;
UPDATE divergence_window SET claim_closed_after = claim_closed_by, claim_closed_by = claim_closed_after WHERE claim_closed_after > claim_closed_by;
UPDATE divergence_window SET converged_after = converged_by, converged_by = converged_after WHERE converged_after > converged_by;
-- Nobody can come to name the new owner before it claims.
UPDATE divergence_window SET closed_by = max(closed_by, opened_by) WHERE closed_by < opened_by;
UPDATE divergence_window SET converged_by = max(converged_by, opened_by, closed_by) WHERE converged_by < max(opened_by, coalesce(closed_by, 0));
UPDATE divergence_window SET converged_after = max(converged_after, coalesce(closed_after, converged_after)) WHERE converged_after IS NOT NULL;
UPDATE divergence_window SET claim_closed_by = max(claim_closed_by, opened_by) WHERE claim_closed_by < opened_by;
UPDATE divergence_window SET detail = 'FORCE' WHERE cause = 'manual-failover' AND EXISTS (
	SELECT 1 FROM c_event e JOIN who o USING (observer_id)
	 WHERE o.who = divergence_window.new_owner
	   AND (e.event = 'force-accepted' OR (e.event = 'cluster-failover' AND upper(e.detail) LIKE '%FORCE%'))
	   AND e.at BETWEEN divergence_window.opened_by - 6000000 AND divergence_window.opened_by);
