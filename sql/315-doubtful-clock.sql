-- 315-doubtful-clock.sql - what a clock that contradicts the others can prove.
--
-- Reads: source_clock.  Changes: verdict.  An error whose own clock is known to
-- be wrong, by an amount that too few events show, fell at another time than
-- it says: nothing that was seen at that time tells what it was.
-- So did one that stands between the last time by a clock's old setting and the
-- first by its new one.

UPDATE verdict SET rule = '1', verdict = 'undetermined', leans = NULL, fault = 'unknown', confidence = 'inferred', window_id = NULL, divergence_ms = NULL,
	reason = CASE WHEN k.doubtful THEN 'The clock of its source contradicts the others'
	    || coalesce(printf(', perhaps by %.3f s', abs(k.measured_us) / 1e6), '') || ', and too few events show by how much.'
	    ELSE 'The clock of its source was set about there, and nothing shows whether before or after the error.' END,
	claimant = NULL, claimant_epoch = NULL, reachable = NULL, reach_basis = NULL, views = 0, views_disagreeing = 0,
	missing = 'clock' || coalesce(',' || missing, ''), flips = NULL
  FROM source_clock k
 WHERE k.source_id = verdict.source_id AND inferred = 0
   AND (k.doubtful OR (k.step_us <> 0 AND position > k.step_after AND position < k.step_by));
