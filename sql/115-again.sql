-- 115-again.sql - what two captures of the same traffic both show.
--
-- Reads: redirect, view, contact, source.  Makes:
--   redirect_again	one row: a redirect that another capture of the incident
--			(one of another interface, or at the other end) shows too:
--			the same reply of the same connection, by its addresses
--			and its TCP sequence number; the first one stays
--   temp.same_wire	one row: a capture and the first one of those that share
--			such a packet with it
-- Verdicts rest on either; what is counted counts one.

CREATE TABLE redirect_again (
	redirect_id	INTEGER PRIMARY KEY
) STRICT;
DROP TABLE IF EXISTS temp.packet;
CREATE TEMP TABLE packet (incident TEXT NOT NULL, connection INTEGER NOT NULL, tcp_seq INTEGER NOT NULL, source_id INTEGER NOT NULL, redirect_id INTEGER);
INSERT INTO packet
WITH many AS (SELECT incident FROM source WHERE kind = 'capture' AND status <> 'duplicate' GROUP BY incident HAVING count(*) > 1),
cap AS MATERIALIZED (SELECT s.incident, s.source_id FROM source s WHERE s.kind = 'capture' AND s.incident IN (SELECT incident FROM many))
SELECT c.incident, r.connection, r.tcp_seq, r.source_id, r.redirect_id FROM redirect r JOIN cap c USING (source_id)
 WHERE r.connection IS NOT NULL AND r.tcp_seq IS NOT NULL
UNION ALL
SELECT c.incident, v.connection, v.tcp_seq, v.source_id, NULL FROM view v JOIN cap c USING (source_id)
 WHERE v.connection IS NOT NULL AND v.tcp_seq IS NOT NULL
UNION ALL
SELECT c.incident, x.connection, x.tcp_seq, x.source_id, NULL FROM contact x JOIN cap c USING (source_id)
 WHERE x.connection IS NOT NULL AND x.tcp_seq > 0;
INSERT INTO redirect_again
SELECT redirect_id FROM (
	SELECT redirect_id, source_id, min(source_id) OVER (PARTITION BY incident, connection, tcp_seq) AS first_id
	  FROM packet WHERE redirect_id IS NOT NULL)
 WHERE source_id <> first_id;
DROP TABLE IF EXISTS temp.same_wire;
CREATE TEMP TABLE same_wire (source_id INTEGER PRIMARY KEY, first_id INTEGER NOT NULL);
INSERT INTO same_wire
SELECT source_id, min(first_id) FROM (
	SELECT source_id, min(source_id) OVER w AS first_id, max(source_id) OVER w AS last_id FROM packet
	WINDOW w AS (PARTITION BY incident, connection, tcp_seq))
 WHERE first_id <> last_id GROUP BY source_id;
-- One that shares packets with a third which shares others with a fourth.
UPDATE same_wire SET first_id = coalesce((SELECT f.first_id FROM same_wire f WHERE f.source_id = same_wire.first_id), first_id);
UPDATE same_wire SET first_id = coalesce((SELECT f.first_id FROM same_wire f WHERE f.source_id = same_wire.first_id), first_id);
DROP TABLE temp.packet;
