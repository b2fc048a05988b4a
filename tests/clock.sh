#!/bin/sh
# clock.sh - clocks that disagree: recorded incidents with the times of one
# source moved, which must come back by what that source shares with others.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"
dir=$srcdir/tests/incidents

# ingest NAME: the evidence of an incident as $work/NAME.db
ingest()
{
	[ -f "$work/$1.db" ] || "$slotrace" ingest "$work/$1.db" -q "$dir/$1"/capture.pcap.* \
	    "$dir/$1/clients" "$dir/$1/server" "$dir/$1/views" >/dev/null 2>&1
}

# move DB PATTERN US: all times of the sources that are named like PATTERN
move()
{
	sqlite3 -bail "$1" "CREATE TEMP TABLE x AS SELECT source_id FROM source WHERE name LIKE '$2';
	UPDATE source SET first_at=first_at+$3, last_at=last_at+$3 WHERE source_id IN x;
	UPDATE redirect SET at=at+$3, asked_at=asked_at+$3 WHERE source_id IN x;
	UPDATE view SET first_at=first_at+$3, last_at=last_at+$3 WHERE source_id IN x;
	UPDATE contact SET first_at=first_at+$3, last_at=last_at+$3 WHERE source_id IN x;
	UPDATE client_error SET at=at+$3, started_at=started_at+$3 WHERE source_id IN x;
	UPDATE server_event SET at=at+$3, last_at=last_at+$3 WHERE source_id IN x;"
}

# offset DB PATTERN: what is added to its times, ms, and why
offset()
{
	sql "$1" "SELECT CAST(round(clock_offset_ms) AS INTEGER), clock_basis FROM input WHERE source LIKE '$2'"
}

verdicts()
{
	sql "$1" "SELECT source, position, verdict, rule FROM failover_error ORDER BY 1, 2"
}

# Nothing is corrected where nothing is wrong.
for i in "$dir"/*/; do
	n=$(basename "$i")
	[ -d "$i/clients" ] || continue
	ingest "$n"
	cp "$work/$n.db" "$work/t.db"
	is "$n: no clock is corrected or doubted, no promotion too early" "" "$({
		cat "$srcdir/sql/100-clock.sql" "$srcdir/sql/105-clock-measure.sql" "$srcdir/sql/107-epoch-order.sql"
		echo "SELECT s.name, k.detail FROM source_clock k JOIN source s USING (source_id) WHERE k.applied OR k.doubtful;
		SELECT * FROM clock_order;"
	} | sqlite3 -bail "$work/t.db")"
done

# The capture, which the others are measured by, is the one that is off.
for n in automatic claimant-dead-kill; do
	cp "$work/$n.db" "$work/moved.db"
	move "$work/moved.db" '%capture%' -900000
	"$slotrace" analyze "$work/$n.db" && "$slotrace" analyze "$work/moved.db"
	is "$n: a capture 0.9 s early, within 20 ms, and nothing else moved" "1 1" "$(sql "$work/moved.db" \
	    "SELECT sum(abs(clock_offset_ms - 900) <= 20 AND clock_basis = 'measured') || ' ' || sum(clock_offset_ms <> 0) FROM input")"
	is "$n: and its verdicts" "$(verdicts "$work/$n.db")" "$(verdicts "$work/moved.db")"
done

# One host 1.5 s late, its log and the dump that was taken on it, and no capture:
# the windows are the same ones and none excludes what is true.
for x in 'manual-40 5' 'manual-40 1' 'claimant-dead-kill 4' 'automatic 4' 'stretched-420 4'; do
	n=${x% *} k=${x#* }
	ingest "$n"
	cp "$work/$n.db" "$work/true.db"
	sqlite3 -bail "$work/true.db" "PRAGMA foreign_keys=ON; DELETE FROM source WHERE kind = 'capture'"
	cp "$work/true.db" "$work/moved.db"
	move "$work/moved.db" "%/server/n$k.%" 1500000
	move "$work/moved.db" "%/views/n$k.%" 1500000
	"$slotrace" analyze "$work/true.db" && "$slotrace" analyze "$work/moved.db"
	is "$n: host n$k 1.5 s late: its windows, and the truth inside their bounds" '0 0' "$(sql "$work/moved.db" "ATTACH '$work/true.db' AS t;
	    SELECT (SELECT count(*) FROM main.window w WHERE NOT EXISTS (SELECT 1 FROM t.window x WHERE x.new_owner_id IS w.new_owner_id AND x.new_epoch IS w.new_epoch
		AND x.opened_by >= coalesce(w.opened_after, 0) AND coalesce(x.opened_after, 0) <= w.opened_by AND coalesce(x.max_ms, 9e9) >= w.min_ms))
	    || ' ' || (SELECT count(*) FROM t.window x WHERE NOT EXISTS (SELECT 1 FROM main.window w WHERE w.new_owner_id IS x.new_owner_id AND w.new_epoch IS x.new_epoch))")"
done

# One client log 1.7 s late, one dump 0.8 s early.
for n in automatic claimant-dead-kill valkey9-automatic-logfmt; do
	cp "$work/$n.db" "$work/moved.db"
	move "$work/moved.db" '%clients/refclient.log%' 1700000
	move "$work/moved.db" '%views/n4.%' -800000
	"$slotrace" analyze "$work/$n.db" && "$slotrace" analyze "$work/moved.db"
	is "$n: a log 1.7 s late, within 20 ms" 1 "$(sql "$work/moved.db" \
	    "SELECT abs(clock_offset_ms + 1700) <= 20 AND clock_basis = 'measured' FROM input WHERE source LIKE '%clients/refclient.log%'")"
	is "$n: a dump 0.8 s early, within 20 ms" 1 "$(sql "$work/moved.db" \
	    "SELECT abs(clock_offset_ms - 800) <= 20 AND clock_basis = 'measured' FROM input WHERE source LIKE '%views/n4.%'")"
	is "$n: the verdicts of the incident as it was" "$(verdicts "$work/$n.db")" "$(verdicts "$work/moved.db")"
done
"$slotrace" report "$work/moved.db" | grep -q '(measured)'
ok "the report lists the correction" $?

# Without a capture the server logs are what the others are measured by: each by
# the others, the dumps of one sampler together.  A client's clock may then be
# like the logs' as well as like the dumps': no verdict turns.
# turned: errors that are decided otherwise than they were
turned()
{
	sql "$1" "ATTACH '$2' AS good; SELECT count(*) FROM failover_error f JOIN good.failover_error g
	    ON g.source = f.source AND g.position = f.position AND g.slot IS f.slot
	    WHERE f.verdict NOT IN ('undetermined', g.verdict) AND g.verdict <> 'undetermined'"
}
for n in automatic valkey9-automatic-logfmt; do
	cp "$work/$n.db" "$work/bare.db"
	sqlite3 -bail "$work/bare.db" "PRAGMA foreign_keys = ON; DELETE FROM source WHERE kind = 'capture'"
	cp "$work/bare.db" "$work/moved.db" && "$slotrace" analyze "$work/bare.db"
	move "$work/moved.db" '%/views/%' -2000000
	"$slotrace" analyze "$work/moved.db"
	is "$n without a capture: all dumps 2 s early, within 20 ms" "6 6" "$(sql "$work/moved.db" "SELECT sum(abs(clock_offset_ms - 2000) <= 20
	    AND clock_basis = 'measured') || ' ' || sum(clock_offset_ms <> 0) FROM input")"
	is "$n without a capture: and no verdict turns" 0 "$(turned "$work/moved.db" "$work/bare.db")"
	[ $(($(sql "$work/moved.db" "SELECT sum(verdict <> 'undetermined') FROM failover_error") * 10)) -gt \
	    $(($(sql "$work/bare.db" "SELECT sum(verdict <> 'undetermined') FROM failover_error") * 9)) ]
	ok "$n without a capture: nine in ten are still decided" $?
	cp "$work/$n.db" "$work/moved.db"
	sqlite3 -bail "$work/moved.db" "PRAGMA foreign_keys = ON; DELETE FROM source WHERE kind = 'capture'"
	move "$work/moved.db" '%/server/%' -2000000
	"$slotrace" analyze "$work/moved.db"
	is "$n without a capture: all server logs 2 s early, no verdict turns" 0 "$(turned "$work/moved.db" "$work/bare.db")"
	is "$n without a capture: the reason names the two clocks" 1 "$(sql "$work/moved.db" "SELECT count(*) > 0 FROM failover_error
	    WHERE verdict = 'undetermined' AND missing LIKE 'clock%' AND reason GLOB 'Topology dumps and server logs are * s apart, *'")"
	for us in -400000 2000000; do
		cp "$work/$n.db" "$work/moved.db"
		sqlite3 -bail "$work/moved.db" "PRAGMA foreign_keys = ON; DELETE FROM source WHERE kind = 'capture'"
		promoted=$(sql "$work/moved.db" "SELECT s.name FROM server_event e JOIN source s USING (source_id) WHERE e.kind = 'promotion' AND s.kind = 'server-log' ORDER BY e.at LIMIT 1")
		move "$work/moved.db" "%$(basename "$promoted")" $us
		"$slotrace" analyze "$work/moved.db"
		is "$n without a capture: one server log $us us off, and nothing else" "1 1" "$(sql "$work/moved.db" "SELECT sum(abs(clock_offset_ms + $us / 1000) <= 20
		    AND source = '$promoted') || ' ' || sum(clock_offset_ms <> 0) FROM input")"
		is "$n without a capture: and the verdicts" "$(verdicts "$work/bare.db")" "$(verdicts "$work/moved.db")"
	done
done

# A log that has the promotion 0.4 s before its node has it: the window opens
# where both can be right.
"$slotrace" analyze "$work/stretched-420.db"
for n in claimant-dead-kill stretched-420; do
	cp "$work/$n.db" "$work/moved.db"
	promoted=$(sql "$work/moved.db" "SELECT s.name FROM server_event e JOIN source s USING (source_id) WHERE e.kind = 'promotion' AND s.kind = 'server-log' ORDER BY e.at LIMIT 1")
	move "$work/moved.db" "%$(basename "$promoted")" -400000
	"$slotrace" analyze "$work/moved.db"
	is "$n: a promotion 0.4 s before its node shows it" 1 "$(sql "$work/moved.db" "SELECT max(late_us) BETWEEN 300000 AND 400000 FROM clock_order")"
	"$slotrace" clock "$work/moved.db" | grep -q "$(basename "$promoted").*it has the promotion of node .*, which is not in .* s later"
	ok "$n: the sources are named" $?
	is "$n: the window's true opening is inside its bounds" 1 "$(sql "$work/moved.db" "ATTACH '$work/$n.db' AS good;
	    SELECT min(w.opened_after <= g.opened_by AND w.opened_by >= coalesce(g.opened_after, 0)) FROM window w JOIN good.window g ON g.new_owner_id = w.new_owner_id AND g.new_epoch = w.new_epoch
	     WHERE w.cause NOT IN ('migration', 'setslot')")"
	is "$n: no verdict turns" 0 "$(turned "$work/moved.db" "$work/$n.db")"
done

# The same of a demotion.
for us in -400000 400000; do
	cp "$work/stretched-420.db" "$work/moved.db"
	sqlite3 -bail "$work/moved.db" "PRAGMA foreign_keys = ON; DELETE FROM source WHERE kind = 'capture'"
	move "$work/moved.db" '%/views/n1.%' $us
	"$slotrace" analyze "$work/moved.db"
	is "a dump $us us off its node's demotion" 1 "$(sql "$work/moved.db" "SELECT max(max(early_us, late_us)) BETWEEN 300000 AND 400000 FROM clock_order WHERE epoch = 0")"
	"$slotrace" clock "$work/moved.db" | grep -q "n1.log.*it has the demotion of node [0-9a-f]*, which .* s $([ $us -lt 0 ] && echo earlier || echo later)"
	ok "and its node's log, named" $?
	is "the window's true closing is inside its bounds ($us us)" 1 "$(sql "$work/moved.db" "ATTACH '$work/stretched-420.db' AS good;
	    SELECT min(w.closed_after <= g.closed_by AND w.closed_by >= g.closed_after) FROM window w JOIN good.window g ON g.new_owner_id = w.new_owner_id AND g.new_epoch = w.new_epoch")"
	is "no verdict turns ($us us)" 0 "$(turned "$work/moved.db" "$work/stretched-420.db")"
done

# One poll that the dump and the capture both have, 0.1 s apart.
"$slotrace" analyze "$work/crossed-setslot.db"
for us in -60000 100000; do
	cp "$work/crossed-setslot.db" "$work/moved.db"
	move "$work/moved.db" '%/views/n1.%' $us
	"$slotrace" analyze "$work/moved.db"
	is "one poll $us us off: doubted" 1 "$(sql "$work/moved.db" "SELECT doubtful AND abs(measured_us + $us) <= 2000 FROM source_clock JOIN source USING (source_id) WHERE name LIKE '%/views/n1.%'")"
	is "one poll $us us off: no verdict turns" 0 "$(turned "$work/moved.db" "$work/crossed-setslot.db")"
done

# A log that prints refused connections and no redirects: they begin where the
# capture has none.
"$slotrace" analyze "$work/claimant-dead-kill.db"
for log in ioredis.ndjson noderedis.log; do
	cp "$work/claimant-dead-kill.db" "$work/moved.db"
	move "$work/moved.db" "%/clients/$log%" -900000
	"$slotrace" analyze "$work/moved.db"
	is "$log 0.9 s early: no verdict turns" 0 "$(turned "$work/moved.db" "$work/claimant-dead-kill.db")"
	is "$log 0.9 s early: none of its own is decided" 0 "$(sql "$work/moved.db" "SELECT count(*) FROM failover_error WHERE source LIKE '%/clients/$log%' AND verdict <> 'undetermined'")"
done

# Errors whose log shows dense redirects only: doubted, and no wrong class.
cp "$work/crossed-setslot.db" "$work/moved.db"
move "$work/moved.db" '%clients/refclient.log%' 1700000
"$slotrace" analyze "$work/moved.db"
is "a doubtful clock: undetermined, and clock is missing" "0" "$(sql "$work/moved.db" \
    "SELECT count(*) FROM failover_error WHERE source LIKE '%clients/refclient.log%' AND (verdict <> 'undetermined' OR missing NOT LIKE '%clock%')")"
is "its uncertainty is what it may be wrong by" "1" "$(sql "$work/moved.db" \
    "SELECT uncertainty_us BETWEEN 1700000 AND 2700000 FROM source_clock k JOIN source s USING (source_id) WHERE s.name LIKE '%clients/refclient.log%'")"

# A zone mistake.
cp "$work/claimant-dead-kill.db" "$work/moved.db"
move "$work/moved.db" '%clients/redispy.log%' 3600000000
"$slotrace" analyze "$work/moved.db"
is "an hour: a zone" "-3600000|zone" "$(offset "$work/moved.db" '%clients/redispy.log%')"
is "the hour is named" 1 "$(sql "$work/moved.db" \
    "SELECT detail LIKE '%time zone of -1.00 h%' FROM source_clock WHERE basis = 'zone'")"
is "and costs no verdict" "$(verdicts "$work/claimant-dead-kill.db")" "$(verdicts "$work/moved.db")"

# Too few events to measure by.
cp "$work/claimant-dead-kill.db" "$work/moved.db"
move "$work/moved.db" '%clients/ioredis.ndjson%' 30000000
"$slotrace" analyze "$work/moved.db"
is "30 s, and fewer than three events: nothing is applied" "0|as-found" "$(offset "$work/moved.db" '%clients/ioredis.ndjson%')"
is "its verdicts are undetermined" "undetermined" "$(sql "$work/moved.db" \
    "SELECT DISTINCT verdict FROM failover_error WHERE source LIKE '%clients/ioredis.ndjson%'")"
is "those of other sources stand" "$(verdicts "$work/claimant-dead-kill.db" | grep -v ioredis.ndjson)" \
    "$(verdicts "$work/moved.db" | grep -v ioredis.ndjson)"

# Its redirects are in the capture, at another time.
cp "$work/claimant-dead-kill.db" "$work/moved.db"
move "$work/moved.db" '%clients/ruby.log%' -60000
"$slotrace" analyze "$work/moved.db"
is "60 ms early, in a dozen lines: doubted by the capture's redirects" "0|1" "$(sql "$work/moved.db" \
    "ATTACH '$work/claimant-dead-kill.db' AS good; SELECT sum(verdict NOT IN ('undetermined', (SELECT verdict FROM good.verdict v WHERE v.client_error_id = f.client_error_id))),
	sum(verdict = 'undetermined' AND missing LIKE '%clock%') > 0 FROM verdict f JOIN source s USING (source_id) WHERE s.name LIKE '%clients/ruby.log%'")"
is "the reason says by how much" 1 "$(sql "$work/moved.db" \
    "SELECT count(*) > 0 FROM failover_error WHERE reason LIKE 'The capture shows the redirects of this log 0.0% s away%'")"

# Whatever one log's clock is off by, it turns no verdict of another log.
for log in ioredis-debug ioredis.ndjson noderedis php redispy refclient.log ruby; do
	for us in -2000000 -1200000 3700000; do
		cp "$work/claimant-dead-kill.db" "$work/moved.db"
		move "$work/moved.db" "%clients/$log%" $us
		"$slotrace" analyze "$work/moved.db"
		is "$log moved by $us us turns no verdict of another log" "0|1" "$(sql "$work/moved.db" "ATTACH '$work/claimant-dead-kill.db' AS good;
		    SELECT coalesce(sum(f.verdict NOT IN ('undetermined', g.verdict)), 0), count(*) > 60 FROM failover_error f
		      JOIN good.failover_error g ON g.source = f.source AND g.position = f.position AND g.slot IS f.slot
		     WHERE g.verdict <> 'undetermined' AND NOT f.inferred AND f.source NOT LIKE '%clients/$log%'")"
	done
done

# A clock that was set midway: the lines from POSITION on are moved.
step()
{
	sqlite3 -bail "$1" "CREATE TEMP TABLE x AS SELECT source_id FROM source WHERE name LIKE '$2';
	UPDATE redirect SET at=at+$4, asked_at=asked_at+$4 WHERE source_id IN x AND position>=$3;
	UPDATE contact SET first_at=first_at+$4*(position>=$3), last_at=last_at+$4*(last_position>=$3) WHERE source_id IN x;
	UPDATE client_error SET at=at+$4, started_at=started_at+$4 WHERE source_id IN x AND position>=$3;
	UPDATE server_event SET at=at+$4, last_at=last_at+$4 WHERE source_id IN x AND position>=$3;"
}
for us in -800000 600000; do
	cp "$work/automatic.db" "$work/moved.db"
	step "$work/moved.db" '%clients/refclient.log%' 451 $us
	"$slotrace" analyze "$work/moved.db"
	is "a clock set by $us us at line 451 is found and split" "1|1|1" "$(sql "$work/moved.db" \
	    "SELECT abs(step_us + $us) <= 20000, step_after < 451 AND step_by >= 451, k.detail LIKE '%from line 45% on %its clock was set%'
	      FROM source_clock k JOIN source USING (source_id) WHERE name LIKE '%clients/refclient.log%'")"
	is "and costs no verdict" "$(verdicts "$work/automatic.db")" "$(verdicts "$work/moved.db")"
done
cp "$work/claimant-dead-kill.db" "$work/moved.db"
step "$work/moved.db" '%clients/refclient.log%' 95 600000
"$slotrace" analyze "$work/moved.db"
is "what stands about the step is undetermined" "undetermined|clock" "$(sql "$work/moved.db" \
    "SELECT DISTINCT verdict, substr(missing, 1, 5) FROM failover_error JOIN source_clock k ON k.source_id = (SELECT source_id FROM source WHERE name = source)
      WHERE position > step_after AND position < step_by")"

# A clock that runs fast: a pause of ten seconds after each quarter of a second of
# the incident, one source gaining 100 us a second.
cp "$work/automatic.db" "$work/moved.db"
sqlite3 -bail "$work/moved.db" "CREATE TEMP TABLE z AS SELECT min(first_at) AS t FROM source WHERE kind <> 'config';
$(for c in source.first_at source.last_at redirect.at redirect.asked_at view.first_at view.last_at contact.first_at contact.last_at \
    client_error.at client_error.started_at server_event.at server_event.last_at; do
	t=${c%.*} c=${c#*.}
	echo "UPDATE $t SET $c = $c + ($c - (SELECT t FROM z)) / 250000 * 10000000;
	UPDATE $t SET $c = $c + ($c - (SELECT t FROM z)) / 10000 WHERE source_id IN (SELECT source_id FROM source WHERE name LIKE '%clients/refclient.log%');"
done)"
"$slotrace" analyze "$work/moved.db"
is "a drift of 100 ppm, within 10" "1|measured" "$(sql "$work/moved.db" \
    "SELECT abs(drift_ppb + 100000) <= 10000, basis FROM source_clock JOIN source USING (source_id) WHERE name LIKE '%clients/refclient.log%'")"
is "its errors are where they were, within 5 ms" "$(sql "$work/automatic.db" "SELECT count(*) || '|0' FROM failover_error
      WHERE source LIKE '%clients/refclient.log%'")" "$(sql "$work/moved.db" "ATTACH '$work/automatic.db' AS good;
    WITH z AS (SELECT min(first_at) AS t FROM good.source WHERE kind <> 'config')
    SELECT count(*), sum(abs(f.at - g.at - (g.at - t) / 250000 * 10000000) > 5000)
      FROM failover_error f JOIN good.failover_error g ON g.position = f.position AND g.source = f.source AND g.slot IS f.slot JOIN z
      WHERE f.source LIKE '%clients/refclient.log%'")"

# Logs that state whole seconds: what came first within one is not known, but for
# the order of a log's own lines.
for n in claimant-dead-kill crossed-setslot automatic stretched-420; do
	"$slotrace" analyze "$work/$n.db"
	for which in % %ruby.log% %redispy.log%; do
		cp "$work/$n.db" "$work/moved.db"
		sqlite3 -bail "$work/moved.db" "CREATE TEMP TABLE x AS SELECT source_id FROM source WHERE kind = 'client-log' AND name LIKE '$which';
		UPDATE source SET first_at = first_at / 1000000 * 1000000 WHERE source_id IN x;
		UPDATE client_error SET at = at / 1000000 * 1000000, started_at = NULL, precision_us = 1000000 WHERE source_id IN x;
		UPDATE redirect SET at = at / 1000000 * 1000000, precision_us = 1000000 WHERE source_id IN x;
		UPDATE contact SET first_at = first_at / 1000000 * 1000000, last_at = last_at / 1000000 * 1000000, precision_us = 1000000 WHERE source_id IN x;"
		"$slotrace" analyze "$work/moved.db"
		is "$n: whole seconds in $which: no verdict turns" "0|1" "$(sql "$work/moved.db" "ATTACH '$work/$n.db' AS good;
		    SELECT coalesce(sum(f.verdict NOT IN ('undetermined', g.verdict)), 0), count(*) > 0 FROM failover_error f
		      JOIN good.failover_error g ON g.source = f.source AND g.position = f.position AND g.slot IS f.slot
		     WHERE g.verdict <> 'undetermined' AND NOT f.inferred")"
		"$slotrace" check "$work/moved.db" >/dev/null
		ok "$n: whole seconds in $which: invariants hold" $?
	done
done

# A promotion is seen before it happened: the two sources are named.
cp "$work/stretched-420.db" "$work/moved.db"
promoted=$(sql "$work/moved.db" "SELECT s.name FROM server_event e JOIN source s USING (source_id) WHERE e.kind = 'promotion' AND s.kind = 'server-log' ORDER BY e.at LIMIT 1")
sqlite3 -bail "$work/moved.db" "PRAGMA foreign_keys = ON; DELETE FROM source WHERE kind = 'capture'"
move "$work/moved.db" "%$(basename "$promoted")%" 700000
"$slotrace" analyze "$work/stretched-420.db"
"$slotrace" analyze "$work/moved.db"
is "a promotion seen 0.7 s before its own log has it" 1 "$(sql "$work/moved.db" "SELECT max(early_us) BETWEEN 600000 AND 700000 FROM clock_order")"
is "both sources are named" "1|1" "$("$slotrace" clock "$work/moved.db" | grep -c "$(basename "$promoted").*it has the promotion of node .* after .* shows it")|$("$slotrace" clock "$work/moved.db" |
    grep -c 'it has node .* with epoch .* s before .* says that it was promoted' | sed 's/[1-9].*/1/')"
is "and may be off by that much" 1 "$(sql "$work/moved.db" "SELECT uncertainty_us >= 600000 FROM source_clock JOIN source USING (source_id) WHERE name = '$promoted'")"
is "no verdict turns" 0 "$(turned "$work/moved.db" "$work/stretched-420.db")"

# What a user says wins over what is measured; and no correction is none.
cp "$work/automatic.db" "$work/moved.db"
move "$work/moved.db" '%clients/refclient.log%' 1700000
"$slotrace" clock "$work/moved.db" '*clients/refclient.log*' -1.5s >/dev/null
"$slotrace" analyze "$work/moved.db"
is "declared wins" "-1500|declared" "$(offset "$work/moved.db" '%clients/refclient.log%')"
"$slotrace" analyze "$work/moved.db" --no-clock-correction
is "--no-clock-correction leaves times as found" "0|as-found" "$(offset "$work/moved.db" '%clients/refclient.log%')"
"$slotrace" clock "$work/moved.db" | grep 'refclient.log' | grep -q -- '-1.700 s against'
ok "and what was measured is still shown" $?

# The stock shell does the same.
cp "$work/moved.db" "$work/shell.db"
"$slotrace" set "$work/moved.db" clock_correction=1
"$slotrace" set "$work/shell.db" clock_correction=1
"$slotrace" analyze "$work/moved.db"
cat "$srcdir"/sql/[1-4]*.sql | sqlite3 -bail "$work/shell.db"
sqlite3 "$work/moved.db" .dump >"$work/a"
sqlite3 "$work/shell.db" .dump >"$work/b"
cmp -s "$work/a" "$work/b"
ok "the shell leaves the same timeline" $?
done_testing
