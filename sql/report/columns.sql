-- columns.sql - the timeline with a column a node, before it is printed.
--
-- Reads the query surface and the digest.  Makes temp.track (a row a column, those
-- of each incident numbered from 1) and temp.happening (a row a line: repeats in a row folded).  track_id NULL:
-- of no node, printed in the last column; about: the column of the node that is
-- spoken of.

DROP TABLE IF EXISTS temp.track;
DROP TABLE IF EXISTS temp.happening;
CREATE TEMP TABLE track (track_id INTEGER, id TEXT, addr TEXT, incident TEXT);
INSERT INTO track
SELECT row_number() OVER (PARTITION BY incident ORDER BY addr, id), id, addr, incident FROM (
	SELECT *, row_number() OVER (PARTITION BY incident ORDER BY took_part DESC, addr, id) AS nth FROM (
		SELECT l.*, EXISTS (SELECT 1 FROM window w WHERE w.incident = l.incident AND w.cause <> 'migration' AND l.id IN (w.old_owner_id, w.new_owner_id)) AS took_part
		FROM node_label l))
WHERE nth <= 8 ORDER BY incident, addr, id;
CREATE INDEX temp.track_id ON track (incident, id);

-- A redirect stands in the column of the node that answered it; what a node
-- says of itself in its own; what it says of another's health in both.
CREATE TEMP TABLE happening AS
WITH placed AS (
	SELECT t.at, t.at_utc, t.kind, t.observer, t.subject, t.slots, t.detail, t.source, t.position, t.incident,
	       (SELECT min(k.track_id) FROM track k WHERE k.incident = t.incident AND (k.id = t.observer OR
	           (NOT EXISTS (SELECT 1 FROM track o WHERE o.id = t.observer AND o.incident = t.incident) AND (k.id = t.subject OR k.addr = t.subject)))) AS track_id,
	       CASE WHEN EXISTS (SELECT 1 FROM node_label n WHERE n.id = t.observer AND n.incident = t.incident) THEN '' ELSE coalesce(t.observer, '') END AS who,
	       NULL AS about, NULL AS sentence, NULL AS down
	FROM timeline t
	WHERE t.kind NOT IN ('view', 'connected')
	  AND NOT (t.kind IN ('fail', 'pfail') AND EXISTS (SELECT 1 FROM health h WHERE h.at IS t.at AND h.observer = t.observer AND h.source = t.source AND h.position = t.position AND h.detail = t.detail))
	UNION ALL
	SELECT h.at, h.at_utc, h.kind, h.observer, h.about, NULL, h.detail, h.source, h.position, h.incident,
	       (SELECT min(k.track_id) FROM track k WHERE k.incident = h.incident AND k.id = h.observer), '',
	       (SELECT min(k.track_id) FROM track k WHERE k.incident = h.incident AND k.id = h.about), h.sentence, h.down
	FROM health h
), marked AS (
	SELECT *, (kind || '|' || who || '|' || coalesce(track_id, '') || '|' || coalesce(slots, '') || '|' || coalesce(sentence, '')) IS NOT
	    lag(kind || '|' || who || '|' || coalesce(track_id, '') || '|' || coalesce(slots, '') || '|' || coalesce(sentence, '')) OVER w AS starts
	FROM placed WINDOW w AS (PARTITION BY incident ORDER BY at, kind, who, track_id, slots, source, position, detail)
), numbered AS (
	SELECT *, sum(starts) OVER (PARTITION BY incident ORDER BY at, kind, who, track_id, slots, source, position, detail ROWS UNBOUNDED PRECEDING) AS n,
	       row_number() OVER (PARTITION BY incident ORDER BY at, kind, who, track_id, slots, source, position, detail) AS r
	FROM marked
), folded AS (
	SELECT *, count(*) OVER (PARTITION BY incident, n) AS times, row_number() OVER (PARTITION BY incident, n ORDER BY r) AS nth FROM numbered
)
SELECT incident, r, at, coalesce(at_utc, '') AS at_utc, CASE down WHEN 0 THEN 'back' ELSE kind END AS kind, track_id, about, times,
       CASE WHEN sentence IS NOT NULL THEN sentence
            ELSE CASE WHEN who = '' THEN '' ELSE who || ' ' END || kind || CASE WHEN slots IS NULL OR kind IN ('window-opened', 'window-closed') THEN '' ELSE ' ' || slots END END ||
       CASE WHEN times > 1 THEN ' x' || times
            ELSE coalesce(': ' || CASE kind WHEN 'window-opened' THEN coalesce((SELECT 'window ' || l.window_id || ', ' || l.cause_said FROM window_lasted l WHERE folded.detail LIKE 'window ' || l.window_id || ',%'), detail) ELSE detail END, '') || CASE kind WHEN 'window-closed' THEN coalesce((SELECT ', lasted ' || l.lasted FROM window_lasted l WHERE folded.detail LIKE 'window ' || l.window_id || ',%'), '') ELSE '' END END AS text,
       source || CASE (SELECT i.kind FROM input i WHERE i.source = folded.source AND i.incident = folded.incident) WHEN 'capture' THEN '#' ELSE ':' END || position AS locus
FROM folded WHERE nth = 1 ORDER BY incident, r;
CREATE INDEX temp.happening_order ON happening (incident, r);
