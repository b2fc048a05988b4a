-- files of 2023-02-03
-- Three real nodes, the same in both dumps of one observer.
SELECT slots, substr(owner_id, 1, 8), config_epoch, count(*), count(DISTINCT observer) FROM slot_owner GROUP BY 1, 2, 3 ORDER BY 3;
--= 0-5460|2559c787|7|2|1
--= 5461-10922|f7f7cdce|8|2|1
--= 10923-16383|dbb382f6|9|2|1
-- One view at two times.
SELECT count(DISTINCT observer_id), count(*), (max(first_at) - min(first_at)) / 1000000 FROM view;
--= 1|2|8
-- Handshake entries: two addresses under four ids, without role and slots.
SELECT count(DISTINCT node_id), count(DISTINCT endpoint_id), count(role), (SELECT count(*) FROM view_slots JOIN view_node y USING (view_id, ordinal) WHERE y.flags = 'handshake')
  FROM view_node WHERE flags = 'handshake';
--= 4|2|0|0
-- They are no nodes of the cluster: no divergence.
SELECT count(*) FROM window;
--= 0
-- Four disconnects and one connect; two lines name an address, none a slot.
SELECT at_utc, kind, subject, position FROM timeline WHERE source = 'app.log' ORDER BY at;
--= 2023-02-03T07:47:30.263102Z|closed||1
--= 2023-02-03T07:48:26.189608Z|connected|10.52.6.26:6379|2
--= 2023-02-03T07:48:26.189977Z|read-timeout||3
--= 2023-02-03T07:48:28.191117Z|read-timeout||4
--= 2023-02-03T09:12:53.184634Z|closed|10.52.6.26:6379|5
-- Connection errors have no verdict.
SELECT count(*) FROM failover_error;
--= 0
