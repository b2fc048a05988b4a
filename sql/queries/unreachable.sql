-- Who could not reach whom, how, and when?
SELECT observer, subject AS endpoint, kind AS outcome, count(*) AS spans, min(at_utc) AS first, max(at_utc) AS last
FROM timeline
WHERE kind IN ('connect-refused', 'connect-timeout', 'read-timeout', 'reset', 'unreachable')
GROUP BY incident, observer, subject, kind
ORDER BY incident, observer, subject, kind;
