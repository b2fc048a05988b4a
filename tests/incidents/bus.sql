-- bus.sql - what nodes said of themselves in bus headers, against what they
-- answered their sampler at the same time.
--
-- A header is built once a second for each peer and may wait in a queue: it is
-- late by 1.1 s at most.  A sample is 50 ms from the next: a claim that held for
-- less may have been missed by them.  Returns what|number.

CREATE TEMP TABLE own AS
SELECT v.kind, v.observer_id, v.first_at, v.last_at,
	(SELECT group_concat(t) FROM (SELECT slot_from || '-' || slot_to AS t FROM view_slots g
	    WHERE g.view_id = v.view_id AND g.ordinal = n.ordinal AND g.state = 'owned' ORDER BY slot_from)) AS slots
  FROM view v JOIN view_node n ON n.view_id = v.view_id AND n.myself
 WHERE v.kind IN ('dump', 'bus') AND v.first_at IS NOT NULL;
CREATE TEMP TABLE odd AS
SELECT b.* FROM own b WHERE b.kind = 'bus' AND NOT EXISTS (
	SELECT 1 FROM own d WHERE d.kind = 'dump' AND d.observer_id = b.observer_id AND d.slots IS b.slots
	   AND d.first_at <= b.last_at + 60000 AND d.last_at >= b.first_at - 1100000);
SELECT 'headers|' || count(*) FROM own WHERE kind = 'bus';
SELECT 'held-and-not-sampled|' || count(*) FROM odd WHERE last_at - first_at > 60000;
SELECT 'brief-and-not-sampled|' || count(*) FROM odd WHERE last_at - first_at <= 60000;
