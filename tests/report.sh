#!/bin/sh
# report.sh - the formats of a report, over a query surface filled by hand with
# hostile text (tests/report/fixture.sql): golden output each, and nothing
# harmful in any.  GOLDEN_UPDATE=1 writes the golden files anew: look at the
# difference.  page.sh opens the page in a browser.
set -eu
. "$(dirname "$0")/lib.sh"
here=$srcdir/tests/report
cd "$work"
fixture f.db

# The fixture has the columns of the real surface, in their order.
cat "$srcdir"/sql/schema.sql "$srcdir"/sql/[1-4]*.sql | sqlite3 -bail real.db
for view in failover_error window error_condition window_condition window_observer \
    error_evidence slot_owner timeline connect_storm input summary; do
	q="SELECT group_concat(name) FROM pragma_table_info('$view')"
	is "fixture: columns of $view" "$(sql real.db "$q")" "$(sql f.db "$q")"
done

# golden NAME ARGUMENT...: what is written equals NAME of tests/report.
golden()
{
	name=$1
	shift
	"$slotrace" "$@" >"$name" 2>&1 || echo "status $?" >>"$name"
	[ "${GOLDEN_UPDATE-}" != 1 ] || cp "$name" "$here/$name"
	diff -u "$here/$name" "$name" >difference 2>&1 && r=0 || r=1
	ok "golden: $name" $r
	[ $r = 0 ] || sed 's/^/# /' difference
}
golden text.txt report f.db
golden narrow.txt report f.db --width 60
golden colour.txt report f.db --color --verdict genuine
golden limited.txt report f.db --client app-1 --slot 42 --since start+10s --until end-1s
cp f.db two.db
sqlite3 -bail two.db "INSERT INTO summary SELECT 2, 0, 0, 1, 1, 1, 0, 0, NULL, 0, 0, NULL, NULL, NULL, 3, 0, 0, 'other';
    UPDATE failover_error SET incident = 'other' WHERE error_id > 3"
golden two.txt report two.db
golden nothing.txt report f.db --verdict corruption --slot 1
golden report.md report f.db -f markdown
golden report.html report f.db -f html
golden report.json report f.db -f json
golden report.ndjson report f.db -f ndjson --node 10.0.0.4
golden errors.csv report f.db -f csv
golden windows.tsv report f.db -f tsv --view window
golden trace.json report f.db -f perfetto
golden timeline.txt timeline f.db
golden explain-error.txt explain f.db error 1
golden explain-name.txt explain f.db error E-302b81
golden explain-window.txt explain f.db window 1
"$slotrace" explain f.db error e-302B81 | cmp -s - explain-name.txt && r=0 || r=1
ok "explain: an error's name in either case" $r
golden bad-time.txt report f.db --since yesterday
golden bad-slot.txt report f.db --slot 16384
golden bad-verdict.txt report f.db --verdict wrong
golden no-error.txt explain f.db error 99

# Ingested only, a timeline says what to run.
"$slotrace" ingest -q raw.db "$srcdir/tests/cases/012" || true
for command in 'report raw.db' 'timeline raw.db' 'explain raw.db error 1' 'query raw.db verdicts'; do
	"$slotrace" $command >out 2>&1 && r=0 || r=$?
	is "not analyzed: $command" '1 1' "$r $(grep -c 'slotrace analyze raw.db' out)"
done

# An incident that is not there is no empty one.
"$slotrace" ingest -q -i b pair.db "$srcdir/tests/cases/012" || true
"$slotrace" ingest -q -i a pair.db "$srcdir/tests/cases/012" || true
"$slotrace" analyze pair.db
for command in 'report pair.db' 'timeline pair.db' 'explain pair.db window 1'; do
	"$slotrace" $command -i zzz >out 2>err && r=0 || r=$?
	is "no such incident: $command" '1 0 1' \
	    "$r $(wc -c <out | tr -d ' ') $(grep -c 'no incident "zzz"; there are: a, b$' err)"
done
"$slotrace" timeline pair.db >out
is 'timeline: columns of each incident under its name' 'a b' "$(grep -x '[ab]' out | tr '\n' ' ' | sed 's/ $//')"
is 'and as many as it has nodes' "$(sql pair.db "SELECT count(*) FROM node_address WHERE incident = 'b'")" "$(sed '1,/^b$/d' out | grep -c '^ \{28\}[|0-9a-f][^:]*:[0-9]* ([0-9a-f]\{8\})$')"
"$slotrace" report pair.db -i a >out && r=0 || r=$?
ok 'an incident that is there' $r

# The same bytes whatever the environment, and again.
for f in text markdown html json ndjson csv tsv columns perfetto; do
	"$slotrace" report f.db -f $f >one
	TZ=Asia/Kolkata LC_ALL=de_DE.UTF-8 COLUMNS=40 TERM=dumb "$slotrace" report f.db -f $f >other
	cmp -s one other && r=0 || r=1
	ok "$f: the same bytes in another zone and locale" $r
done

# limits WHAT CONDITION ARGUMENT...: the errors of a report are those that the
# condition selects, in the counts as well.
limits()
{
	what=$1 expected=$(sql f.db "SELECT group_concat(error_id) FROM (SELECT error_id FROM failover_error WHERE $2 ORDER BY 1)")
	shift 2
	"$slotrace" report f.db -f json "$@" >limited.json
	is "$what" "$expected, $(echo "$expected" | tr ',' '\n' | grep -c .)" "$(sqlite3 :memory: "
	    SELECT (SELECT group_concat(json_extract(value, '\$.error_id')) FROM json_each(j, '\$.failover_error')) || ', ' ||
		json_extract(j, '\$.summary[0].errors') FROM (SELECT CAST(readfile('limited.json') AS TEXT) AS j)")"
}
t0=1796000523000000				# the fixture begins ten seconds before
limits '--since, RFC 3339' "at >= $t0 + 200000" --since 2026-11-30T01:02:03.2Z
limits '--since, RFC 3339 in another zone' "at >= $t0 + 200000" --since 2026-11-30T06:32:03.2+05:30
limits '--until, RFC 3339' "at <= $t0 + 200000" --until 2026-11-30T01:02:03.200Z
limits '--until, seconds since the epoch' "at <= $t0 + 3000000" --until 1796000526
limits '--until, milliseconds since the epoch' "at <= $t0 + 250000" --until 1796000523250
limits '--since, from the start' "at >= $t0 + 200000" --since start+10.2s
limits '--until, from the start, in minutes' 'error_id > 0' --until start+1m
limits '--since, from the end' "at >= $t0 + 3000000" --since end-17s
limits '--until, from the end' "at <= $t0 + 3000000" --until end-17000ms
limits '--since and --until' "at BETWEEN $t0 + 200000 AND $t0 + 3000000" --since start+10.2s --until end-17s
limits '--slot' 'slot = 42' --slot 42
limits '--client, part of a name' "client LIKE '%pp-1%'" --client pp-1
limits '--node, by address' "claimant_addr = '10.0.0.4:6379' OR window_id = 1" --node 10.0.0.4
limits '--verdict' "verdict = 'spurious'" --verdict spurious
limits 'all together' "verdict = 'spurious' AND slot = 42 AND at > $t0 + 150000 AND client = 'app-1'" \
    --verdict spurious --slot 42 --since start+10.15s --client app-1 --node 10.0.0.4:6379
limits '--incident' 'error_id > 0' --incident inc
is '--incident, another one' 0 "$("$slotrace" report f.db -f csv --incident other | sed 1d | wc -l | tr -d ' ')"

# What a node says of another's health stands in the column of the one and of
# the other, and names both.
"$slotrace" timeline f.db --width 1000 >out
for line in '| f | ! 10.0.0.2:6379 says 10.0.0.4:6379 PFAIL: ' '| F | ! 10.0.0.2:6379 says 10.0.0.4:6379 FAIL: ' \
    '| | F ! 10.0.0.3:6379 says 10.0.0.4:6379 FAIL' '| + | o 10.0.0.2:6379 says 10.0.0.4:6379 no longer FAIL'; do
	is "timeline: $line" 1 "$(grep -cF "Z $line" out)"
done
"$slotrace" report f.db -f html >out
for shape in fail down back; do
	grep -q "class=\"$shape\"[^>]*><title>10.0.0.[23]:6379 says 10.0.0.4:6379 " out && r=0 || r=1
	ok "html: $shape names who and whom" $r
done
is 'trace: PFAIL on both lanes' 2 "$("$slotrace" report f.db -f perfetto | grep -c '"name":"10.0.0.2:6379 says 10.0.0.4:6379 PFAIL"')"

# lasted LEAST MOST TEXT: what is known of how long a window lasted, no more, is
# said of it wherever it is told.
lasted()
{
	cp f.db l.db
	sqlite3 -bail l.db "UPDATE window SET min_ms = $1, max_ms = $2 WHERE window_id = 1; DELETE FROM window WHERE window_id <> 1;
	    UPDATE summary SET windows = 1, migrations = 0, longest_ms = 999"
	for f in text markdown html columns; do
		width=
		case $f in
		text|columns) width='--width 1000' ;;
		esac
		"$slotrace" report l.db -f $f $width >out
		grep -q "lasted $3\|[|] $3 [|]\|disagreed for $3\|\"lasted\">$3<" out && r=0 || r=1
		ok "$f: a window lasted $3" $r
		grep -q 999 out && r=1 || r=0
		ok "$f: and nothing else" $r
	done
	"$slotrace" explain l.db window 1 --width 1000 >out
	is "explain: a window lasted $3" 1 "$(grep -c "disagreed for $3;" out)"
}
lasted 380 460 '380 to 460 ms'
lasted 460 460 '460 ms'
lasted 0 460 '0 to 460 ms'
lasted NULL 460 '0 to 460 ms'
lasted 380 NULL 'at least 380 ms'
lasted NULL NULL 'an unknown time'

# On a terminal: its width, and colour unless NO_COLOR says otherwise.
if script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "stty cols 70; '$slotrace' report f.db" /dev/null </dev/null | tr -d '\r' >typescript
	grep -q "$(printf '\033')\[1mWhat happened" typescript && r=0 || r=1
	ok 'terminal: colour' $r
	is 'terminal: no wider than it is, where words allow' '' "$(sed "s/$(printf '\033')\[[0-9;]*m//g" typescript | grep -E '^.{71,}$' | grep -E ' .*[^ ].{0,30}[^ ] ' | head -n 3)"
	script -qec "stty cols 70; NO_COLOR=1 '$slotrace' report f.db" /dev/null </dev/null | tr -d '\r' >typescript
	grep -q "$(printf '\033')" typescript && r=1 || r=0
	ok 'terminal: NO_COLOR' $r
	for option in --color --color=always; do
		script -qec "NO_COLOR=1 '$slotrace' report f.db $option" /dev/null </dev/null >typescript
		grep -q "$(printf '\033')" typescript && r=0 || r=1
		ok "terminal: $option goes before NO_COLOR" $r
	done
	script -qec "'$slotrace' report f.db --color=never" /dev/null </dev/null >typescript
	grep -q "$(printf '\033')" typescript && r=1 || r=0
	ok 'terminal: --color=never' $r
else
	skip 'terminal' 'script (util-linux) is not installed'
fi

# Nothing harmful: no control byte but line feed (and tab in a table), no raw
# right-to-left override, no markup, no formula.
for f in text.txt narrow.txt report.md report.html report.json report.ndjson errors.csv trace.json timeline.txt \
    explain-error.txt explain-window.txt; do
	tr -d '\n\040-\176\200-\377' <"$f" | wc -c | tr -d ' ' >count
	is "$f: no control bytes" 0 "$(cat count)"
	grep -q "$(printf '\342\200\256')" "$f" && r=1 || r=0
	ok "$f: no right-to-left override" $r
done
is 'html: one script, its own' 1 "$(grep -c '<script' report.html)"
grep -qE '<[a-z][^>]* (src|on[a-z]+)=|<(img|link|iframe|object|embed|base)|url\(|@import' report.html &&
    r=1 || r=0
ok 'html: loads nothing' $r
is 'html: every link stays in the page' '' \
    "$(grep -o 'href="[^"]*"' report.html | grep -v '^href="#[A-Za-z0-9-]*"$' || true)"
grep -qE '<script|<img|<b>' report.md && r=1 || r=0
ok 'markdown: no markup of others' $r
grep -qE '(^|[",])=' errors.csv && r=1 || r=0
ok 'csv: no formula' $r

# Valid JSON, as SQLite reads it; the trace as the format is documented.
for f in report.json trace.json; do
	is "$f: valid" 1 "$(sqlite3 :memory: "SELECT json_valid(CAST(readfile('$f') AS TEXT))")"
done
is 'ndjson: every line is valid' 0 "$(while read -r line; do
	printf '%s\n' "$line" >line
	sqlite3 :memory: "SELECT json_valid(CAST(readfile('line') AS TEXT))"
done <report.ndjson | grep -cv 1)"
trace="SELECT value AS e FROM json_each(CAST(readfile('trace.json') AS TEXT), '\$.traceEvents')"
is 'trace: every event has what its phase needs' 0 "$(sqlite3 :memory: "
	SELECT count(*) FROM ($trace) WHERE json_extract(e, '\$.ph') IS NULL
	    OR json_extract(e, '\$.name') IS NULL OR json_extract(e, '\$.pid') IS NULL
	    OR json_extract(e, '\$.tid') IS NULL
	    OR (json_extract(e, '\$.ph') <> 'M' AND json_type(e, '\$.ts') IS NOT 'integer')
	    OR (json_extract(e, '\$.ph') = 'X' AND json_extract(e, '\$.dur') < 0)
	    OR (json_extract(e, '\$.ph') IN ('b', 'e') AND json_extract(e, '\$.id') IS NULL)
	    OR (json_extract(e, '\$.ph') = 'i' AND json_extract(e, '\$.s') NOT IN ('t', 'p', 'g'))")"
is 'trace: what begins ends, not earlier' 0 "$(sqlite3 :memory: "
	SELECT count(*) FROM (SELECT json_extract(e, '\$.cat') AS c, json_extract(e, '\$.id') AS i,
	    sum(json_extract(e, '\$.ph') = 'b') AS b, sum(json_extract(e, '\$.ph') = 'e') AS n,
	    max(CASE json_extract(e, '\$.ph') WHEN 'b' THEN json_extract(e, '\$.ts') END) AS t0,
	    max(CASE json_extract(e, '\$.ph') WHEN 'e' THEN json_extract(e, '\$.ts') END) AS t1
	    FROM ($trace) WHERE json_extract(e, '\$.ph') IN ('b', 'e') GROUP BY 1, 2)
	WHERE b <> 1 OR n <> 1 OR t1 < t0")"
is 'trace: an instant for each error' 5 "$(sqlite3 :memory: "
	SELECT count(*) FROM ($trace) WHERE json_extract(e, '\$.cat') = 'error'")"

# spared NAME FILE ARGUMENT...: a report is not written over evidence.
spared()
{
	name=$1 file=$2
	shift 2
	before=$(cksum <"$file")
	"$slotrace" "$@" -o "$file" >out 2>err && r=0 || r=$?
	is "-o: $name is refused" 2 "$r"
	is "-o: $name stays" "$before" "$(cksum <"$file")"
	is "-o: $name is said" 1 "$(grep -c 'a report would replace it' err)"
}
mkdir e
printf '2026-11-30T02:10:08.501Z ERROR redis.exceptions.ClusterError: TTL exhausted.\n' >e/app.log
ln e/app.log linked.log
tar cf e.tar e
spared 'an input' e/app.log investigate -q e.db e/app.log
spared 'a file of a folder' e/app.log investigate -q e1.db e
spared 'a source' e/app.log report e1.db
spared 'a source by another path' "$PWD/e/../e/app.log" report e1.db -f html
spared 'a source by another link' linked.log report e1.db
spared 'an archive' e.tar investigate -q e2.db e.tar
"$slotrace" ingest -q e2.db e.tar && "$slotrace" analyze e2.db >out
spared 'an archive of the timeline' e.tar report e2.db
# Names of sources are relative to where they were read.
gzip -c e/app.log >e/app.log.gz && "$slotrace" investigate -q e3.db e/app.log.gz >out
mkdir -p away/e && cp e/app.log away/grown.log && echo more >>away/grown.log && cd away || exit 1
spared 'a source of another folder' ../e/app.log report ../e1.db
spared 'one that is packed' ../e/app.log.gz report ../e3.db
spared 'one that has grown' grown.log report ../e1.db
spared 'an archive of another folder' ../e.tar report ../e2.db
"$slotrace" report ../e1.db -o report.txt && "$slotrace" report ../e1.db -f html -o report.txt && r=0 || r=1
ok '-o: a report in another folder is replaced' $r
cd ..
"$slotrace" report e1.db -o e/report.txt && "$slotrace" report e1.db -o e/report.txt && r=0 || r=1
ok '-o: a report is replaced' $r

# Every documented question has an answer in the stock shell, and says what it
# asks in its first line.
for f in "$srcdir"/sql/queries/*.sql "$srcdir"/sql/fleet/*.sql; do
	sqlite3 -bail -readonly f.db <"$f" >answer 2>&1 && r=0 || r=1
	head -n 1 "$f" | grep -q '^-- .*?$' || r=1
	ok "query: $(basename "$f" .sql)" $r
	[ $r = 0 ] || sed 's/^/# /' answer
done

done_testing
