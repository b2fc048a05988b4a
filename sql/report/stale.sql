-- stale.sql - what changed since the analysis, so that its results may no longer
-- follow from what is in the timeline.
--
-- Reads source, source_clock, clock_declared and parameter.  Makes temp.stale: one
-- row, a sentence, or none.  A negative source_id is a mark of src/store/edit.c.

DROP TABLE IF EXISTS temp.stale;
CREATE TEMP TABLE stale AS
SELECT 'Out of date: since the analysis ' || group_concat(t, ', ') || '. slotrace analyze judges anew.' AS sentence
FROM (SELECT CASE count(*) WHEN 1 THEN 'one source was read' ELSE count(*) || ' sources were read' END AS t
      FROM source s WHERE s.status IN ('read', 'partial') AND NOT EXISTS (SELECT 1 FROM source_clock k WHERE k.source_id = s.source_id)
      HAVING count(*) > 0
      UNION ALL
      SELECT CASE count(*) WHEN 1 THEN 'the clock of one source was declared' ELSE 'the clocks of ' || count(*) || ' sources were declared' END
      FROM clock_declared d JOIN source_clock k USING (source_id)
      WHERE (k.basis <> 'declared' OR k.offset_us <> d.offset_us)
        AND coalesce((SELECT value FROM parameter WHERE name = 'clock_correction'), 1) <> 0
      HAVING count(*) > 0
      UNION ALL
      SELECT detail FROM (SELECT DISTINCT detail FROM source_clock WHERE source_id < 0 ORDER BY detail))
HAVING count(*) > 0;
