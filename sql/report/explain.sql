-- explain.sql - why one error was judged so, or what one window rests on.
--
-- Reads the query surface, the digest and temp.asked, one row: kind ('error' or
-- 'window') and id.
-- Makes temp.explanation: one row a statement; part is 'head', 'given',
-- 'follows', 'therefore' or 'if'; label is short, text a sentence.

DROP TABLE IF EXISTS temp.explanation;
CREATE TEMP TABLE explanation (statement_id INTEGER PRIMARY KEY, part TEXT, label TEXT, text TEXT);

-- The error ------------------------------------------------------------------

INSERT INTO explanation (part, label, text)
SELECT 'head', e.verdict, printf('error %d (%s)%s: %s%s', e.error_id, n.name,
           CASE WHEN e.leans IS NULL THEN '' ELSE ', leans ' || e.leans END,
           CASE WHEN e.error_class IS NULL OR instr(e.message, e.error_class) = 1 THEN '' ELSE e.error_class || ': ' END, e.message)
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id JOIN error_name n USING (error_id);
INSERT INTO explanation (part, label, text)
SELECT 'head', '', printf('raised by %s%s, %s, %s%s, %s%s', e.client, CASE WHEN e.library IS NULL THEN '' ELSE ' (' || e.library || ')' END,
           CASE WHEN e.slot IS NULL THEN 'slot not known' ELSE 'slot ' || e.slot END, coalesce(CASE WHEN t.precision_us IS NULL THEN e.at_utc ELSE t.said_at || 'Z' END, 'time not known'),
           CASE WHEN t.precision_us >= 60000000 THEN ' (its log states whole minutes)' WHEN t.precision_us >= 1000000 THEN ' (its log states whole seconds)' WHEN t.precision_us > 1000 THEN printf(' (its log states times to %g ms)', t.precision_us / 1e3) ELSE '' END,
           e.source || coalesce(CASE s.kind WHEN 'capture' THEN '#' ELSE ':' END || e.position, ''),
           CASE e.inferred WHEN 1 THEN '; no log line, inferred from the redirects' ELSE '' END)
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id
JOIN error_time t USING (error_id) LEFT JOIN (SELECT name, incident, min(kind) AS kind FROM source GROUP BY incident, name) s ON s.name = e.source AND s.incident = e.incident;

INSERT INTO explanation (part, label, text)
SELECT 'given', 'slot', 'not known: the views and contacts are those of one of the slots that it may be'
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id WHERE e.slot IS NULL AND e.views > 0;
INSERT INTO explanation (part, label, text)
SELECT 'given', v.role, v.sentence
FROM temp.asked q JOIN evidence_line v ON q.kind = 'error' AND v.error_id = q.id
ORDER BY CASE v.role WHEN 'redirect' THEN 1 WHEN 'view' THEN 2 WHEN 'contact' THEN 3 WHEN 'window' THEN 4 ELSE 5 END,
         v.at IS NULL, v.at, v.source, v.position, v.sentence;
INSERT INTO explanation (part, label, text)
SELECT 'given', 'lost', l.source || ': ' || l.reason || CASE WHEN l.times > 1 THEN ' (' || l.times || ' times)' ELSE '' END
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id JOIN loss l ON l.incident = e.incident
WHERE l.code IN ('gap', 'snaplen', 'tls', 'no-time', 'mid-stream', 'truncated')
  AND l.source IN (SELECT source FROM error_evidence v WHERE v.error_id = e.error_id UNION SELECT e.source)
ORDER BY l.source, l.code;

INSERT INTO explanation (part, label, text)
SELECT 'follows', 'views', CASE WHEN e.views = 0 THEN printf('no view of %s slot counts over the episode', which)
       WHEN e.views_disagreeing > 0 THEN printf('%d views of %s slot count over the episode, %d of them name another owner', e.views, which, e.views_disagreeing)
       ELSE printf('%d views of %s slot count over the episode, and none names another owner', e.views, which) END
FROM (SELECT e.*, CASE WHEN e.slot IS NULL THEN 'that' ELSE 'this' END AS which FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id) e;
INSERT INTO explanation (part, label, text)
SELECT 'follows', 'claimant', CASE WHEN e.claimant_id IS NULL THEN 'no claimant can be named' ELSE
           printf(CASE WHEN e.slot IS NULL THEN 'of that slot ' ELSE '' END || '%s with configEpoch %s; this client %s', coalesce(e.claimant_addr || ' (' || substr(e.claimant_id, 1, 8) || ')', e.claimant_id), coalesce(e.claimant_epoch, 'unknown'),
               CASE e.claimant_reachable WHEN 1 THEN 'could reach it' WHEN 0 THEN 'could not reach it' ELSE 'may or may not have reached it: nothing shows' END) END
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id;
INSERT INTO explanation (part, label, text)
SELECT 'follows', 'redirects', printf('%d redirect%s: %s', e.redirects, CASE e.redirects WHEN 1 THEN '' ELSE 's' END, replace(replace(e.chain, ',', '; '), '>', ' -> '))
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id WHERE e.chain IS NOT NULL AND e.redirects IS NOT NULL;
INSERT INTO explanation (part, label, text)
SELECT 'follows', 'alias', printf('sent to %s it asked %s: an address means another node to this client than to the cluster', a.sent_to, a.asked)
FROM temp.asked q JOIN taken_for a ON q.kind = 'error' AND a.error_id = q.id;
INSERT INTO explanation (part, label, text)
SELECT 'follows', 'window', printf('window %d (%s), which opened %s and %s', w.window_id, w.cause,
           CASE WHEN t.precision_us IS NOT NULL AND coalesce(w.opened_after, w.opened_by) BETWEEN e.at AND e.at + t.precision_us THEN 'inside the second or minute that the error states'
                WHEN e.at >= w.opened_by THEN printf('at most %.3f ms before the raise', (e.at - coalesce(w.opened_after, w.opened_by)) / 1000.0)
                WHEN e.at >= w.opened_after THEN printf('%.3f ms before the raise or after it', (e.at - w.opened_after) / 1000.0)
                ELSE printf('%.3f ms after the time that the error states', (coalesce(w.opened_after, w.opened_by) - e.at) / 1000.0) END,
           CASE WHEN w.converged_by IS NULL THEN 'had not converged when the evidence ends'
                ELSE printf(CASE WHEN t.precision_us IS NULL THEN 'had converged %.3f ms after it at the latest' ELSE 'had converged %.0f ms after the beginning of that at the latest' END, (w.converged_by - e.at) / 1000.0) END)
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id JOIN error_time t USING (error_id) JOIN window w USING (window_id);
INSERT INTO explanation (part, label, text)
SELECT 'follows', c.condition, CASE c.holds WHEN 1 THEN 'holds: ' WHEN 0 THEN 'does not hold: ' ELSE 'unknown: ' END || coalesce(c.evidence, '')
FROM temp.asked q JOIN error_condition c ON q.kind = 'error' AND c.error_id = q.id
ORDER BY c.condition;

INSERT INTO explanation (part, label, text)
SELECT 'therefore', 'rule ' || e.rule, CASE WHEN e.verdict = 'undetermined' AND e.rule NOT IN ('1', '5', '7') THEN 'it would be that ' || coalesce(r.says, '?') || ', but this is not certain: undetermined'
           ELSE coalesce(r.says || ': ', '') || e.verdict END
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id LEFT JOIN rule_text r USING (rule);
INSERT INTO explanation (part, label, text)
SELECT 'therefore', 'because', e.reason FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id;
INSERT INTO explanation (part, label, text)
SELECT 'therefore', 'fault', e.fault || coalesce(', ' || e.confidence, '')
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id WHERE e.fault IS NOT NULL;
INSERT INTO explanation (part, label, text)
SELECT 'therefore', 'the gate', CASE e.gate
           WHEN 'raise' THEN 'would have raised at once'
           WHEN 'raise-slot-map-corruption' THEN 'would have raised SlotMapCorruptionError, not this error'
           WHEN 'none' THEN 'would not have raised at all'
           WHEN 'back-off' THEN CASE WHEN t.backoff_most_ms > e.backoff_ms
                   THEN printf('would have backed off %d to %d ms (the disagreement had lasted %d to %d ms, its log does not say more exactly) and read the slot map anew; ', e.backoff_ms, t.backoff_most_ms, e.divergence_ms, t.divergence_most_ms)
                   WHEN e.backoff_ms IS NULL THEN 'would have backed off and read the slot map anew; for how long is not known, as the beginning of the disagreement is not; '
                   ELSE printf('would have backed off %d ms%s and read the slot map anew%s; ', e.backoff_ms, coalesce(' (the disagreement had lasted ' || e.divergence_ms || ' ms)', ''), coalesce(' at ' || e.gate_retry_at_utc, '')) END ||
               CASE t.sufficient WHEN 1 THEN 'by then the nodes had converged' WHEN 0 THEN 'the nodes had not converged by then' ELSE 'whether the nodes had converged by then is not certain' END
           ELSE 'cannot be said' END
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id JOIN error_time t USING (error_id);

-- What would change it: the distance in time to the next edge, and the fact
-- that the rule rests on.
INSERT INTO explanation (part, label, text)
SELECT 'if', 'clock', printf('the clock of %s, or of the sources that bound window %d, were off by more than %.3f ms: the raise could then lie outside the disagreement', e.source, w.window_id,
           min(e.at - coalesce(w.opened_after, w.opened_by), coalesce(w.converged_by, 9e18) - e.at) / 1000.0)
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id JOIN window w USING (window_id)
WHERE e.rule IN ('4', '5', '2') AND e.views_disagreeing > 0 AND e.at > coalesce(w.opened_after, w.opened_by) AND (w.converged_by IS NULL OR e.at < w.converged_by);
INSERT INTO explanation (part, label, text)
SELECT 'if', 'clock', printf('the clock of %s were off by %.3f ms or more: the raise could then lie in window %d', e.source, gap / 1000.0, near)
FROM (SELECT e.*, w.window_id AS near, CASE WHEN e.at < coalesce(w.opened_after, w.opened_by) THEN coalesce(w.opened_after, w.opened_by) - e.at ELSE e.at - w.converged_by END AS gap,
             row_number() OVER (ORDER BY CASE WHEN e.at < coalesce(w.opened_after, w.opened_by) THEN coalesce(w.opened_after, w.opened_by) - e.at ELSE e.at - w.converged_by END, w.window_id) AS nth
      FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id
      JOIN main.window w ON w.incident = e.incident AND EXISTS (
          SELECT 1 FROM json_each('["' || replace(w.slots, ',', '","') || '"]') r
          WHERE e.slot BETWEEN CAST(r.value AS INTEGER) AND CAST(substr(r.value, instr(r.value, '-') + 1) AS INTEGER))
      WHERE e.rule IN ('6', '7', '5a', '2a') AND (e.at < coalesce(w.opened_after, w.opened_by) OR e.at > w.converged_by)) e
WHERE nth = 1;
-- The nearest contact, by another clock, that says otherwise of the claimant.
INSERT INTO explanation (part, label, text)
SELECT 'if', 'clock', printf('the clock of %s, or that of this contact, were off by %.3f ms or more, so that it lay at the raise: %s  %s', e.source,
           abs(x.at - e.at) / 1000.0, x.source || CASE (SELECT i.kind FROM input i WHERE i.source = x.source AND i.incident = e.incident) WHEN 'capture' THEN '#' ELSE ':' END || x.position, x.text)
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id
JOIN error_evidence x ON x.error_id = e.error_id AND x.role = 'contact' AND x.at IS NOT NULL AND x.source <> e.source
    AND (x.text LIKE '%(before the episode)' OR x.text LIKE '%(after it)')
    AND CASE WHEN e.verdict = 'genuine' AND e.rule IN ('2', '2a') THEN x.text LIKE '%: ok%'
             WHEN e.rule IN ('4', '6') THEN x.text LIKE '%: refused%' OR x.text LIKE '%-timeout%' OR x.text LIKE '%: unreachable%' END
ORDER BY abs(x.at - e.at), x.source, x.position LIMIT 1;
INSERT INTO explanation (part, label, text)
SELECT 'if', 'evidence', CASE e.rule
           WHEN '2' THEN printf('a reply of %s to this client or its host, inside the episode and after the failed attempt, were found: spurious where the views disagree', coalesce(e.claimant_addr, 'the claimant'))
           WHEN '2a' THEN 'the failed contact belonged to another host: corruption or undetermined'
           WHEN '2b' THEN 'the refusal belonged to another command: the views and contacts would decide'
           WHEN '3' THEN 'a newer view were found in which a node claims the slot under its own name: spurious, as such a state ends by itself'
           WHEN '4' THEN printf('a failed contact of this client with %s were found as the last one before the raise: genuine', coalesce(e.claimant_addr, 'the claimant'))
           WHEN '5a' THEN 'a contact with the owner had failed rather than been slow: genuine'
           WHEN '6' THEN 'any node were found to name another owner inside the episode: spurious if the claimant answered, genuine if not'
           WHEN '7' THEN 'a redirect cycle of this slot were found: corruption' END
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id
WHERE e.rule IN ('2', '2a', '2b', '3', '4', '5a', '6', '7');
INSERT INTO explanation (part, label, text)
SELECT 'if', CASE WHEN instr(j.value, ':') THEN substr(trim(j.value), 1, instr(trim(j.value), ':') - 1) ELSE trim(j.value) END, CASE
           WHEN j.value LIKE 'view-of:%' THEN replace(m.says, ' at that time', ' over the episode') || ' were known (CLUSTER NODES of it, or its bus or client traffic in a capture)'
           WHEN j.value LIKE 'server-log:%' THEN m.says || ' covered the time from a minute before the episode'
           ELSE CASE trim(j.value)
               WHEN 'time' THEN 'the time of the error were known, or known more finely than its log states it'
               WHEN 'slot' THEN 'the slot or the key of the command were known'
               WHEN 'client-endpoint' THEN 'it were known which nodes this client asked'
               WHEN 'claimant-contact' THEN 'a contact of this client with the claimant near the episode were known (a capture on its host, or its connection log)'
               WHEN 'redirect' THEN 'the redirects before the error were known (debug log of the client, or a capture)'
               WHEN 'clock' THEN 'the clocks could be compared (slotrace clock)'
               ELSE 'it were known: ' || trim(j.value) END END
FROM temp.asked q JOIN failover_error e ON q.kind = 'error' AND e.error_id = q.id,
     json_each('["' || replace(replace(replace(e.missing, '\', ''), '"', ''), ',', '","') || '"]') j
     LEFT JOIN missing_word m ON m.code = trim(j.value)
WHERE e.missing IS NOT NULL
GROUP BY coalesce(m.says, trim(j.value))
ORDER BY min(j.key);

-- The window -----------------------------------------------------------------

INSERT INTO explanation (part, label, text)
SELECT 'head', l.cause_said, printf('window %d: slots %s, %s%s -> %s%s', w.window_id, coalesce(nullif(w.slots, ''), 'not known'),
           l.old_said, coalesce(' (epoch ' || w.old_epoch || ')', ''), l.new_said, coalesce(' (epoch ' || w.new_epoch || ')', ''))
FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id JOIN window_lasted l USING (window_id);
-- What each observer named, the last span before and the first after its flip.
INSERT INTO explanation (part, label, text)
SELECT 'given', coalesce(l.addr, CASE WHEN length(o.observer) = 40 THEN substr(o.observer, 1, 8) ELSE o.observer END),
       CASE WHEN o.flipped_by IS NULL THEN 'not seen to name the new owner; named another until ' || coalesce(o.flipped_after_utc, 'an unknown time')
            ELSE coalesce('named another until ' || o.flipped_after_utc || ', ', '') || 'the new owner from ' || o.flipped_by_utc END ||
       coalesce((SELECT '  ' || s.source || CASE (SELECT i.kind FROM input i WHERE i.source = s.source AND i.incident = s.incident) WHEN 'capture' THEN '#' ELSE ':' END || s.position FROM slot_owner s WHERE s.observer = o.observer AND s.first_at = o.flipped_by AND s.owner_id = w.new_owner_id
                 ORDER BY s.source, s.position LIMIT 1), '')
FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id JOIN window_observer o USING (window_id)
LEFT JOIN node_label l ON l.id = o.observer AND l.incident = w.incident
ORDER BY coalesce(o.flipped_by, 9e18), o.observer;
INSERT INTO explanation (part, label, text)
SELECT 'given', t.kind, t.source || CASE (SELECT i.kind FROM input i WHERE i.source = t.source AND i.incident = t.incident) WHEN 'capture' THEN '#' ELSE ':' END || t.position || '  ' || t.at_utc || '  ' || coalesce((SELECT h.sentence || ': ' || h.detail FROM health h WHERE h.at = t.at AND h.observer = t.observer AND h.source = t.source AND h.position = t.position AND h.detail = t.detail AND h.incident = t.incident),
           coalesce(l.addr, t.observer) || ': ' || coalesce(t.detail, ''))
FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id
JOIN timeline t ON t.incident = w.incident AND t.kind IN ('promotion', 'demotion', 'epoch', 'fail', 'pfail', 'election', 'vote', 'pause')
    AND t.at BETWEEN coalesce(w.opened_after, w.opened_by) - 2000000 AND coalesce(w.converged_by, w.closed_by, w.opened_by) + 1000000
LEFT JOIN node_label l ON l.id = t.observer AND l.incident = w.incident
ORDER BY t.at, t.kind, t.observer, t.source, t.position, t.detail LIMIT 60;
INSERT INTO explanation (part, label, text)
SELECT 'follows', 'opened', coalesce(w.opened_after_utc, 'unknown') || ' .. ' || coalesce(w.opened_by_utc, 'unknown') FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id
UNION ALL SELECT 'follows', 'closed', coalesce(w.closed_after_utc, 'unknown') || ' .. ' || coalesce(w.closed_by_utc, 'not seen to close') || ', ' || CASE WHEN l.unheard THEN l.ended ELSE w.close_reason END FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id JOIN window_lasted l USING (window_id)
UNION ALL SELECT 'follows', 'converged', coalesce(w.converged_after_utc, 'unknown') || ' .. ' || coalesce(w.converged_by_utc, 'not seen') FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id;
INSERT INTO explanation (part, label, text)
SELECT 'follows', c.condition, CASE c.holds WHEN 1 THEN 'holds: ' WHEN 0 THEN 'does not hold: ' ELSE 'unknown: ' END || coalesce(c.evidence, '')
FROM temp.asked q JOIN window_condition c ON q.kind = 'window' AND c.window_id = q.id
ORDER BY c.condition;
INSERT INTO explanation (part, label, text)
SELECT 'therefore', 'extent', printf('the old and the new owner disagreed %s; %d redirect%s and %d error%s fell into it%s', l.for_said,
           w.redirects, CASE w.redirects WHEN 1 THEN '' ELSE 's' END, w.errors, CASE w.errors WHEN 1 THEN '' ELSE 's' END, CASE w.at_risk WHEN 1 THEN '; all four conditions of the error held' ELSE '' END)
FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id JOIN window_lasted l USING (window_id);
INSERT INTO explanation (part, label, text)
SELECT 'therefore', n.name, e.verdict || ' (rule ' || e.rule || '): ' || e.client || coalesce(', slot ' || e.slot, '') || ', ' || coalesce(e.at_utc, 'time unknown')
FROM temp.asked q JOIN error_name n ON q.kind = 'window' JOIN main.failover_error e USING (error_id)
ORDER BY e.error_id;
INSERT INTO explanation (part, label, text)
SELECT 'therefore', '...', 'and ' || (w.errors - n) || ' more errors: slotrace report DB -f csv'
FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id, (SELECT count(*) AS n FROM error_name) WHERE w.errors > n;
INSERT INTO explanation (part, label, text)
SELECT 'if', edge, printf('%.3f ms of uncertainty: no observation lies between', (b - a) / 1000.0)
FROM (SELECT 'opened' AS edge, w.opened_after AS a, w.opened_by AS b FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id
      UNION ALL SELECT 'closed', w.closed_after, w.closed_by FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id
      UNION ALL SELECT 'converged', w.converged_after, w.converged_by FROM temp.asked q JOIN window w ON q.kind = 'window' AND w.window_id = q.id)
WHERE b > a;
