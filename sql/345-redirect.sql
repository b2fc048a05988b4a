-- 345-redirect.sql - redirects counted against windows, once.
--
-- Reads: redirects, divergence_window, temp.wire_redirect (300).  Makes:
--   window_redirect	one row: one window, and the redirects for its slots
--			from its first possible instant to its last
--   incident_redirect	one row: one incident, all of its redirects, and those
--			that fell into any window; how many captures show and logs
--			tell, and how many of the latter have their like (slot,
--			target, code) in a capture at that time: where a storm is
--			dense it may be another client's, so none is left out
-- A redirect that an error's own text names stands in the log twice, one that two
-- captures show (115) in both: once is counted.

CREATE TABLE window_redirect (
	window_id	INTEGER PRIMARY KEY,
	redirects	INTEGER NOT NULL
) STRICT;
CREATE TABLE incident_redirect (
	incident	TEXT PRIMARY KEY,
	redirects	INTEGER NOT NULL,
	in_windows	INTEGER NOT NULL,
	captured	INTEGER NOT NULL,
	logged		INTEGER NOT NULL,
	alike		INTEGER NOT NULL	-- of logged
) STRICT, WITHOUT ROWID;

DROP TABLE IF EXISTS temp.redirect_at;
CREATE TEMP TABLE redirect_at (incident TEXT NOT NULL, at INTEGER, redirect_id INTEGER NOT NULL, slot INTEGER,
	captured INTEGER NOT NULL, alike INTEGER NOT NULL);
INSERT INTO redirect_at
SELECT r.incident, r.at, r.redirect_id, r.slot, r.source_kind = 'capture',
    r.source_kind <> 'capture' AND EXISTS (SELECT 1 FROM temp.wire_redirect w WHERE w.incident = r.incident AND w.slot = r.slot
	AND w.target_id = r.target_id AND w.code = r.code AND w.at BETWEEN r.at - 10000 AND r.at + 10000 + r.precision_us)
  FROM c_redirect r
 WHERE r.code IN ('MOVED', 'ASK') AND r.client_error_id IS NULL AND r.redirect_id NOT IN (SELECT redirect_id FROM redirect_again);
CREATE INDEX temp.redirect_at_i ON redirect_at (incident, at, slot, redirect_id);
DROP TABLE IF EXISTS temp.redirect_in;
CREATE TEMP TABLE redirect_in (window_id INTEGER NOT NULL, redirect_id INTEGER NOT NULL, PRIMARY KEY (window_id, redirect_id)) WITHOUT ROWID;
INSERT INTO redirect_in
SELECT w.window_id, r.redirect_id
  FROM main.divergence_window w
  JOIN redirect_at r ON r.incident = w.incident AND r.at BETWEEN coalesce(w.opened_after, w.opened_by) AND coalesce(w.converged_by, 9223372036854775807)
 WHERE EXISTS (SELECT 1 FROM main.window_segment g WHERE g.window_id = w.window_id AND r.slot BETWEEN g.slot_from AND g.slot_to);
INSERT INTO window_redirect SELECT window_id, count(*) FROM redirect_in GROUP BY window_id;
INSERT INTO incident_redirect
SELECT incident, count(*), count(i.redirect_id), sum(captured), sum(NOT captured), sum(alike)
  FROM redirect_at LEFT JOIN (SELECT DISTINCT redirect_id FROM redirect_in) i USING (redirect_id)
 GROUP BY incident;
