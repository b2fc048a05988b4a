-- files of 2018-03-06
-- Two views agree on the owner of the slot.
SELECT substr(observer, 1, 8), substr(owner_id, 1, 8), owner_addr, config_epoch FROM slot_owner WHERE slots = '10923-16383' ORDER BY 1;
--= 8480bc53|c381d998|10.77.4.202:6381|24
--= ff8676e6|c381d998|10.77.4.202:6381|24
-- One connection, sixty redirects, within 32 ms.
SELECT count(*), count(DISTINCT position), min(subject), max(detail), min(slots), max(slots), substr(min(at_utc), 12, 12), substr(max(at_utc), 12, 12), min(observer)
  FROM timeline WHERE kind = 'moved' AND source = 'capture.pcap';
--= 60|60|10.77.4.201:6381|to 10.77.4.202:6381 for mget|13817|13817|12:20:17.006|12:20:17.038|10.77.9.40
-- No packet to the owner.
SELECT count(*) FROM contact JOIN endpoint USING (endpoint_id) WHERE host = '10.77.4.202';
--= 0
-- All frames were read; the client closed the connection.
SELECT records, problems, status FROM input WHERE kind = 'capture';
--= 124|0|read
-- One error, to the second; the slot is the capture's, for the text has none.
SELECT at_utc, slot, position FROM failover_error WHERE NOT inferred;
--= 2018-03-06T12:20:18.000000Z|13817|1
-- Views 12 seconds later prove no agreement at the time: undetermined, leaning to corruption.
SELECT verdict, leans, (SELECT count(*) FROM window) FROM failover_error WHERE NOT inferred;
--= undetermined|corruption|0
