-- files of 2022-03-02
-- The surfaced MOVED is one error; the TRACE line a millisecond earlier is the same failure.
SELECT f.at_utc, f.slot, f.chain, f.position, f.verdict, f.rule, f.missing FROM failover_error f WHERE slot IS NOT NULL;
--= 2022-03-02T07:31:10.119000Z|9107|?>203.0.113.77:15002|2|undetermined|1|view-of:203.0.113.77:15002
-- What happened, in order: the redirect in passing, the node that the client does not know, the slot without owner.
SELECT at_utc, kind, slots, coalesce(subject, detail), position FROM timeline
 WHERE position NOT IN (SELECT position FROM failover_error WHERE slot IS NOT NULL) ORDER BY position;
--= 2022-03-02T07:31:10.118000Z|moved|9107|to 203.0.113.77:15002|1
--= 2022-03-02T07:31:10.640000Z|closed||203.0.113.77:15002|5
--= 2022-03-02T07:31:44.002000Z|topology-refresh-failed|12004|topology-refresh-failed: Cannot determine a partition for slot 12004.|8
-- One address; no node, no view, no window.
SELECT (SELECT count(*) FROM endpoint), (SELECT count(*) FROM node), (SELECT count(*) FROM view WHERE kind <> 'dump'), (SELECT count(*) FROM window);
--= 1|0|0|0
