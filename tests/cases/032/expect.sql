-- files of 2022-01-11
-- The address that came and went.
SELECT substr(t.at_utc, 12, 12), substr(t.subject, 1, 8), p.host, p.port FROM timeline t JOIN source s ON s.name = t.source JOIN server_event e ON e.source_id = s.source_id AND e.position = t.position
  LEFT JOIN endpoint p ON p.endpoint_id = e.subject_endpoint_id WHERE e.event = 'address-changed' ORDER BY e.position;
--= 18:53:52.859|6d9f6ed1|?|7203
--= 18:53:52.860|6d9f6ed1|192.168.52.2|7203
--= 18:53:52.902|6d9f6ed1|?|7203
-- Who marked it, and the state that followed.
SELECT substr(t.at_utc, 12, 12), e.event, substr(n.name, 1, 8), substr(r.name, 1, 8) FROM timeline t JOIN source s ON s.name = t.source JOIN server_event e ON e.source_id = s.source_id AND e.position = t.position
  LEFT JOIN node n ON n.node_id = e.subject_id LEFT JOIN node r ON r.node_id = e.other_id WHERE e.event IN ('fail-received', 'state-fail') ORDER BY e.position;
--= 18:53:52.861|fail-received|6d9f6ed1|6c35a260
--= 18:53:52.861|state-fail||
-- One view: the owner is a failed master without an address.
SELECT substr(n.name, 1, 8), x.role, x.flags, x.config_epoch, x.link_state FROM view_node x JOIN node n USING (node_id) WHERE n.name GLOB '6d9f*' OR n.name GLOB '58b5*' ORDER BY 1;
--= 58b580f9|replica||14|connected
--= 6d9f6ed1|master|fail|14|disconnected
-- It owns the slots.
SELECT slots, config_epoch FROM slot_owner WHERE owner_id LIKE '6d9f6ed1%';
--= 5461-10922|14
-- One error; the failed name lookup a millisecond later is the same failure.
SELECT at_utc, slot, chain, position FROM failover_error;
--= 2022-01-11T18:53:56.120000Z|9469|?>?:7203|1
-- Genuine: the only claimant is marked as failed.
SELECT verdict, rule, fault, substr(claimant_id, 1, 8), claimant_epoch, claimant_reachable, (SELECT count(*) FROM window) FROM failover_error;
--= genuine|2|owner-down|6d9f6ed1|14|0|0
