#!/bin/sh
# report-stale.sh - results that are out of date say so at their head, in every
# format and command; a command that fails leaves no new timeline behind and an
# old one as it was; every statement of a query is answered.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$work"
"$slotrace" investigate -q fresh.db "$srcdir/tests/cases/012" >/dev/null || true
"$slotrace" report fresh.db >out
is 'fresh: nothing is said' 0 "$(grep -c 'Out of date' out || true)"
"$slotrace" report fresh.db -f json >out
is 'fresh: JSON' 1 "$(grep -cF '"stale": []' out)"

# stale WHAT SENTENCE COMMAND...: after the command, with t.db for the timeline,
# the report begins with the sentence; the next analysis takes it away.
stale()
{
	what=$1 sentence="Out of date: since the analysis $2. slotrace analyze judges anew."
	shift 2
	cp fresh.db t.db
	"$@" >/dev/null 2>&1 || true
	"$slotrace" report t.db --width 300 >out
	is "$what: report" "$sentence" "$(head -n 1 out)"
	"$slotrace" check t.db >out 2>err && r=0 || r=$?
	is "$what: check says so, and finds no fault" "0 ok slotrace: $sentence" "$r $(cat out) $(cat err)"
	"$slotrace" analyze t.db
	"$slotrace" report t.db >out
	is "$what: analyzed anew" 0 "$(grep -c 'Out of date' out || true)"
}
source=$(sql fresh.db "SELECT name FROM source WHERE kind = 'client-log' ORDER BY source_id LIMIT 1")
stale 'ingest' 'one source was read' "$slotrace" ingest -q t.db "$srcdir/samples/spurious/server/n1.log"
stale 'forget' 'sources were removed' "$slotrace" forget t.db "$source"
stale 'clock' 'the clock of one source was declared' "$slotrace" clock t.db "$source" 5ms
stale 'set' 'cluster-node-timeout was set' "$slotrace" set t.db cluster-node-timeout=4321
stale 'a limit' 'storm_floor was set' "$slotrace" set t.db storm_floor=7

# What is forgotten frees its number for the next source.
last=$(sql fresh.db 'SELECT name FROM source ORDER BY source_id DESC LIMIT 1')
swap() { "$slotrace" forget t.db "$last"; "$slotrace" ingest -q t.db "$srcdir/samples/spurious/server/n1.log"; }
stale 'forget and ingest' 'one source was read, sources were removed' swap
"$slotrace" clock fresh.db "$source" 5ms >/dev/null
"$slotrace" analyze fresh.db
stale 'two at once' 'the clock of one source was declared, cluster-node-timeout was set' \
    sh -c "'$slotrace' clock t.db '$source' 7ms; '$slotrace' set t.db cluster-node-timeout=4321"
cp fresh.db t.db
"$slotrace" set t.db clock_correction=0
"$slotrace" analyze t.db
"$slotrace" report t.db >out
is 'a declared clock that no correction applies is none' 0 "$(grep -c 'Out of date' out || true)"

# Every command and format, each where it has a place for it.
cp fresh.db t.db
"$slotrace" set t.db cluster-node-timeout=4321
for f in text markdown html json ndjson columns; do
	"$slotrace" report t.db -f $f >out 2>err
	is "$f says it" '1 0' "$(grep -c 'Out of date' out) $(wc -c <err | tr -d ' ')"
done
for f in csv tsv perfetto; do
	"$slotrace" report t.db -f $f >out 2>err
	is "$f has no place for it" '0 1' "$(grep -c 'Out of date' out || true) $(grep -c 'Out of date' err)"
done
for command in 'explain t.db error 1' 'timeline t.db' 'query t.db verdicts' 'query t.db SELECT(1)'; do
	"$slotrace" $command >both 2>&1
	is "$command" 1 "$(grep -c 'Out of date' both)"
done

# A command that fails: what it would have made is not there.
printf 'no timeline\n' >bad.db
: >empty.log
# leaves WHAT COMMAND...: fails, and new.db does not exist
leaves()
{
	what=$1
	shift
	rm -f new.db
	"$@" >out 2>&1 && r=0 || r=$?
	is "new: $what" 'failed, nothing left' "$([ $r != 0 ] && echo failed || echo done), $([ -e new.db ] && echo left || echo nothing left)"
	: >new.db
	"$@" >out 2>&1 && r=0 || r=$?
	is "an empty file: $what" '1 0' "$([ $r != 0 ] && echo 1 || echo 0) $(wc -c <new.db | tr -d ' ')"
	cp fresh.db new.db
	"$@" >out 2>&1 || true
	surface new.db >after
	cmp -s before after && r=0 || r=1
	ok "an old one stays: $what" $r
}
surface fresh.db | grep -v "empty.log\|missing.log" >before
leaves 'set, a value that cannot be' "$slotrace" set new.db cluster-node-timeout=4321 nothing=1
leaves 'merge, a part that is not there' "$slotrace" merge new.db fresh.db gone.db
leaves 'merge, a part that is no timeline' "$slotrace" merge new.db fresh.db bad.db
leaves 'investigate --set' "$slotrace" investigate -q new.db --set cluster-node-timeout=4321 --set nothing=1 "$srcdir/tests/cases/012"
leaves 'ingest --set' "$slotrace" ingest -q new.db --set cluster-node-timeout=4321 --set nothing=1 "$srcdir/tests/cases/012"
# Nothing to read: investigate has nothing to show; ingest keeps what it tells.
rm -f new.db
"$slotrace" investigate -q new.db missing.log >out 2>&1 && r=0 || r=$?
is 'new: investigate, nothing to read' '1 0' "$r $(ls new.db 2>/dev/null | wc -l | tr -d ' ')"
"$slotrace" ingest -q new.db missing.log >out 2>&1 && r=0 || r=$?
is 'new: ingest, nothing to read' '1 failed' "$r $(sql new.db 'SELECT status FROM source')"
# What was read is kept, whatever happens to the report.
"$slotrace" investigate -q new.db "$srcdir/tests/cases/012" -o nowhere/report.txt >out 2>&1 && r=0 || r=$?
is 'investigate, a report that cannot be written: what was read stays' '1 1' "$r $([ "$(sql new.db 'SELECT count(*) FROM source')" -gt 0 ] && echo 1)"
is 'no settings of a failed set' 0 "$(cp fresh.db new.db; "$slotrace" set new.db cluster-node-timeout=4321 nothing=1 2>/dev/null || sql new.db "SELECT count(*) FROM setting WHERE value = '4321'")"

# Every statement is answered.
is 'query: two statements' 'a 1 b 2 3' "$("$slotrace" query fresh.db 'SELECT 1 AS a; SELECT 2 AS b UNION SELECT 3; -- the end' | tr '\n' ' ' | sed 's/ $//')"
is 'query: comments alone behind it' 'a 1' "$("$slotrace" query fresh.db 'SELECT 1 AS a ; /* no more */ ; ' | tr '\n' ' ' | sed 's/ $//')"
"$slotrace" query fresh.db 'SELECT 1 AS a; SELECT nothing' >out 2>&1 && r=0 || r=$?
is 'query: a second statement that is wrong' 1 "$r"
"$slotrace" query fresh.db 'SELECT 1 AS a; DELETE FROM source' >out 2>&1 && r=0 || r=$?
is 'query: nothing is written' 1 "$r"
done_testing
