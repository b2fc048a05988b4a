-- compare.sql - one timeline against labels and truth of its incident.
--
-- Expects temp tables label_text and truth_text (one row, JSON) and the
-- surface.  Returns one line a check: what|number, nothing else.

CREATE TEMP TABLE label AS
SELECT j.key AS label_id, json_extract(value, '$.client') AS client, json_extract(value, '$.slot') AS slot,
	json_extract(value, '$.verdict') AS verdict, json_extract(value, '$.accept') AS accept, json_extract(value, '$.t_log') AS t,
	CAST(strftime('%s', substr(json_extract(value, '$.t_log'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.t_log') || '000', 21, 3) AS INTEGER) * 1000 AS at
  FROM label_text, json_each(text) j
 WHERE json_extract(value, '$.level') = 'app' AND json_extract(value, '$.redirect_error');
CREATE TEMP TABLE pair AS
SELECT l.label_id, l.verdict AS want, l.accept, f.error_id, f.verdict AS got, f.fault
  FROM label l LEFT JOIN failover_error f ON f.at BETWEEN l.at - 2000 AND l.at + 2000
	AND (f.client = l.client OR f.client LIKE '%/' || l.client) AND (f.slot IS NULL OR l.slot IS NULL OR f.slot = l.slot)
	AND f.inferred = 0;
-- An error matched by a label of its own class needs no other.
CREATE TEMP TABLE judged AS
SELECT label_id, want, max(got IS want OR (want = 'none' AND (got = 'undetermined' OR fault IN ('cluster-down', 'partial-coverage')))
	OR want IN ('ambiguous', 'either', 'collision', 'unlabelled') OR coalesce(instr(accept, got), 0) > 0) AS hit,
	max(got IS 'undetermined') AS open, count(error_id) AS n
  FROM pair GROUP BY label_id;
SELECT 'labels|' || count(*) FROM judged WHERE want NOT IN ('ambiguous', 'either', 'collision', 'unlabelled', 'none');
SELECT 'right|' || coalesce(sum(hit), 0) FROM judged WHERE want NOT IN ('ambiguous', 'either', 'collision', 'unlabelled', 'none');
SELECT 'unseen|' || count(*) FROM judged WHERE n = 0;
SELECT 'wrong|' || count(*) FROM judged WHERE NOT hit AND NOT open AND n > 0;
-- Beside the labels only errors that say CLUSTERDOWN or a lost connection.
-- (a whole second at the edge of a cut has no label)
SELECT 'unlabelled|' || count(*) FROM failover_error f WHERE f.inferred = 0 AND f.at >= (SELECT min(at) FROM label) AND NOT EXISTS (SELECT 1 FROM pair p WHERE p.error_id = f.error_id)
   AND f.fault NOT IN ('cluster-down', 'partial-coverage') AND f.message NOT LIKE '%CLUSTERDOWN%' AND f.verdict <> 'undetermined'
   AND NOT EXISTS (SELECT 1 FROM label_text, json_each(text) j WHERE json_extract(value, '$.level') = 'app'
	AND (f.client = json_extract(value, '$.client') OR f.client LIKE '%/' || json_extract(value, '$.client'))
	AND json_extract(value, '$.verdict') IN (f.verdict, 'none')
	AND abs(f.at - CAST(strftime('%s', substr(json_extract(value, '$.t_log'), 1, 19)) AS INTEGER) * 1000000
	    - CAST(substr(json_extract(value, '$.t_log') || '000', 21, 3) AS INTEGER) * 1000) <= 2000);

CREATE TEMP TABLE node_of AS
SELECT key AS name, json_extract(value, '$.id') AS id FROM truth_text, json_each(text, '$.topology');
-- Changes of role, between two polls; the poll's own resolution is 5 ms.
CREATE TEMP TABLE change AS
SELECT n.id, json_extract(value, '$.old.role') AS was, json_extract(value, '$.new.role') AS role, json_extract(value, '$.new.epoch') AS epoch,
	CAST(strftime('%s', substr(json_extract(value, '$.t_before'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.t_before'), 21, 3) AS INTEGER) * 1000 - 5000 AS lo,
	CAST(strftime('%s', substr(json_extract(value, '$.t'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.t'), 21, 3) AS INTEGER) * 1000 + 5000 AS hi
  FROM truth_text, json_each(text, '$.transitions') JOIN node_of n ON n.name = json_extract(value, '$.node');
SELECT 'promotions|' || count(*) FROM change WHERE was = 'replica' AND role = 'master';
SELECT 'promotions-missed|' || count(*) FROM change c WHERE was = 'replica' AND role = 'master'
   AND NOT EXISTS (SELECT 1 FROM window w WHERE w.new_owner_id = c.id AND w.new_epoch = c.epoch);
SELECT 'promotions-out-of-bounds|' || count(*) FROM change c WHERE was = 'replica' AND role = 'master'
   AND EXISTS (SELECT 1 FROM window w WHERE w.new_owner_id = c.id AND w.new_epoch = c.epoch)
   AND NOT EXISTS (SELECT 1 FROM window w WHERE w.new_owner_id = c.id AND w.new_epoch = c.epoch
	AND coalesce(w.opened_after, 0) <= c.hi AND w.opened_by >= c.lo);
SELECT 'demotions-out-of-bounds|' || count(*) FROM change c WHERE was = 'master' AND role = 'replica'
   AND EXISTS (SELECT 1 FROM window w WHERE w.old_owner_id = c.id AND w.new_epoch = c.epoch)
   AND NOT EXISTS (SELECT 1 FROM window w WHERE w.old_owner_id = c.id AND w.new_epoch = c.epoch
	AND coalesce(w.closed_after, 0) <= c.hi AND coalesce(w.closed_by, 9223372036854775807) >= c.lo);
-- Where a divergence of the truth begins inside a window's opening, and ended,
-- the instant of agreement lies inside that window's bounds.
CREATE TEMP TABLE divergence AS
SELECT CAST(strftime('%s', substr(json_extract(value, '$.start'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.start'), 21, 3) AS INTEGER) * 1000 AS start,
	CAST(strftime('%s', substr(coalesce(json_extract(value, '$.end_before'), json_extract(value, '$.end')), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(coalesce(json_extract(value, '$.end_before'), json_extract(value, '$.end')), 21, 3) AS INTEGER) * 1000 - 7000 AS end_lo,
	CAST(strftime('%s', substr(json_extract(value, '$.end'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.end'), 21, 3) AS INTEGER) * 1000 + 5000 AS end_hi
  FROM truth_text, json_each(text, '$.windows')
 WHERE json_extract(value, '$.kind') = 'view-divergence' AND NOT json_extract(value, '$.open_at_end');
SELECT 'convergence-out-of-bounds|' || count(*) FROM divergence d
 WHERE EXISTS (SELECT 1 FROM window w WHERE w.cause <> 'migration'
	AND d.start BETWEEN coalesce(w.opened_after, 0) - 20000 AND w.opened_by + 20000)
   AND NOT EXISTS (SELECT 1 FROM window w WHERE w.cause <> 'migration'
	AND d.start BETWEEN coalesce(w.opened_after, 0) - 20000 AND w.opened_by + 20000
	AND coalesce(w.converged_after, 0) <= d.end_hi AND coalesce(w.converged_by, 9223372036854775807) >= d.end_lo);
-- Every failover window is near a divergence of the truth.  A restarted node
-- that claims its old slots for a moment (its bus headers show it) may be
-- answered sooner than the poll of the truth reconnects to it.
SELECT 'windows-invented|' || count(*) FROM window w WHERE w.cause <> 'migration' AND NOT (w.cause = 'stale-return' AND w.min_ms < 10) AND NOT EXISTS (
	SELECT 1 FROM truth_text, json_each(text, '$.windows') WHERE json_extract(value, '$.kind') IN ('view-divergence', 'double-claim')
	   AND CAST(strftime('%s', substr(json_extract(value, '$.start'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.start'), 21, 3) AS INTEGER) * 1000 >= coalesce(w.opened_after, 0) - 20000
	   AND CAST(strftime('%s', substr(json_extract(value, '$.start'), 1, 19)) AS INTEGER) * 1000000
	    + CAST(substr(json_extract(value, '$.start'), 21, 3) AS INTEGER) * 1000 <= w.opened_by + 20000);
SELECT 'migrations|' || count(*) FROM window WHERE cause = 'migration';
SELECT 'failovers|' || count(*) FROM window WHERE cause NOT IN ('migration', 'setslot');
-- Inferred ones too.
SELECT 'judged|' || count(*) FROM failover_error;
