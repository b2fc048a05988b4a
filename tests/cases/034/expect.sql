-- files of 2022-06-20
-- Three views agree.
SELECT slots, substr(owner_id, 1, 8), owner_addr, config_epoch, count(DISTINCT observer) FROM slot_owner GROUP BY 1, 2, 3, 4 ORDER BY 4;
--= 0-5460|e7df8c31|172.28.5.11:6379|2|3
--= 5461-10922|1f3cdef3|172.28.5.12:6379|3|3
--= 10923-16383|274f3339|172.28.5.13:6379|4|3
-- Bus port 1122.
SELECT DISTINCT bus_port FROM view_node;
--= 1122
-- Three errors with a time and one without; the line of the trace is none.
SELECT at_utc, slot, chain, position FROM failover_error ORDER BY position;
--= 2022-06-20T11:15:13.169000Z|15458|?>172.28.5.13:6379|1
--= 2022-06-20T11:15:13.169000Z|9259|?>172.28.5.12:6379|2
--= 2022-06-20T11:15:23.171000Z|15458|?>172.28.5.13:6379|4
--= |15458|?>172.28.5.13:6379|5
-- The dumps are later than the errors: undetermined, leaning to corruption where there is a time.
SELECT position, verdict, leans, instr(coalesce(missing, ''), 'time') > 0 FROM failover_error ORDER BY position;
--= 1|undetermined|corruption|0
--= 2|undetermined|corruption|0
--= 4|undetermined|corruption|0
--= 5|undetermined||1
-- No window.
SELECT count(*) FROM window;
--= 0
