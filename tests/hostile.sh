#!/bin/sh
# hostile.sh - names and texts that try to do harm, through the whole program:
# a file's name, log lines, a dump's hostnames and a server's words hold markup,
# terminal control, a right-to-left override, table breakers, a formula and a
# line break, and every command and format shows them harmless.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$work"
esc=$(printf '\033') rlo=$(printf '\342\200\256') bel=$(printf '\007') c1=$(printf '\302\233')
nl='
'
evil="<script>alert(1)</script><img src=x onerror=alert(2)>${esc}[31m${esc}]0;owned$bel$c1$rlo|gnp.exe| \`x\` **b** [l](javascript:3)"
name="=cmd|' <b>${nl}# h1 ${esc}[2J$rlo|x|.log"
mkdir in
cat >"in/$name" <<LOG
2026-11-30T02:09:17.414Z INFO refclient slot map refreshed from 10.0.0.3:6379: 16384 slots
2026-11-30T02:09:17.862Z DEBUG refclient slot 2381: 10.0.0.1:6379 answered MOVED 2381 10.0.0.2:6379
2026-11-30T02:09:17.863Z DEBUG refclient slot 2381: 10.0.0.2:6379 answered MOVED 2381 10.0.0.1:6379
2026-11-30T02:09:17.863Z ERROR refclient RedisClusterFailoverError: redirect cycle for slot 2381 $evil
2026-11-30T02:09:17.963Z ERROR refclient RedisClusterFailoverError: $evil
2026-11-30T02:09:17.964Z ERROR refclient slot 2381: 10.0.0.1:6379 unreachable: ECONNREFUSED $evil
LOG
a=$(printf '%040d' 1) b=$(printf '%040d' 2)
for t in 16.500 17.500 17.900 18.500; do
	echo "# 2026-11-30T02:09:${t}Z 10.0.0.1:6379"
	echo "$a 10.0.0.1:6379@16379,<script>alert(4)</script>${esc}[31m$rlo=cmd|h myself,master - 0 0 1 connected 0-8191"
	echo "$b 10.0.0.2:6379@16379,=HYPERLINK(\"http://x\") master - 0 0 2 connected 8192-16383"
done >in/n1.txt
for t in 16.500 17.500 17.900 18.500; do
	echo "# 2026-11-30T02:09:${t}Z 10.0.0.2:6379"
	echo "$b 10.0.0.2:6379@16379,@SUM(1) myself,master - 0 0 2 connected 0-16383"
done >in/n2.txt
cat >in/server.log <<LOG
1:M 30 Nov 2026 02:09:17.000 * Node configuration loaded, I'm $a
1:M 30 Nov 2026 02:09:17.100 # Cluster is currently down: $evil
1:M 30 Nov 2026 02:09:17.200 # Address updated for node $b ($evil), now 10.0.0.2:6379
LOG
printf 'begin 644 x\n%s\n' "$evil" >"in/junk${esc}[31m$rlo<b>"

# harmless NAME COMMAND...: what it says, on either output, holds no control byte
# but line feed and tab, no C1 control and no override of direction.
harmless()
{
	what=$1
	shift
	"$@" >shown 2>&1 || true
	set -- "$what"
	[ -s shown ] && r=0 || r=1
	ok "$1: says something" $r
	is "$1: no control bytes" 0 "$(tr -d '\n\t\040-\176\200-\377' <shown | wc -c | tr -d ' ')"
	grep -qF -e "$c1" -e "$rlo" shown && r=1 || r=0
	ok "$1: no C1 control, no override of direction" $r
}

harmless inspect "$slotrace" inspect in
harmless ingest "$slotrace" ingest --incident "$name" t.db in
"$slotrace" analyze t.db
is 'errors' 2 "$(sql t.db 'SELECT count(*) FROM failover_error')"
harmless 'ingest -v' "$slotrace" ingest -v again.db in
for f in text markdown html json ndjson csv tsv columns perfetto; do
	harmless "report -f $f" "$slotrace" report t.db -f $f
	cp shown report.$f
done
for v in failover_error window slot_owner timeline input error_evidence; do
	harmless "csv of $v" "$slotrace" report t.db -f csv --view $v
	# RFC 4180 field by field: no text begins as a formula does.
	is "csv of $v: no formula" '' "$(tr -d '\n' <shown | grep -oE '(^|,)"?[=+@][^,]*' | head -n 3)"
done
harmless 'explain error' "$slotrace" explain t.db error 1
harmless timeline "$slotrace" timeline t.db
harmless whois "$slotrace" whois t.db
harmless clock "$slotrace" clock t.db
harmless 'query, SQL' "$slotrace" query t.db 'SELECT message, client, source FROM failover_error'
for q in $(ls "$srcdir/sql/queries" | sed 's/\.sql$//'); do
	"$slotrace" query t.db "$q" >answer 2>&1 && r=0 || r=1
	ok "query $q" $r
	[ ! -s answer ] || harmless "query $q" cat answer
done
harmless 'an error message' "$slotrace" forget t.db "no such $evil"
harmless 'an error message of a path' "$slotrace" report "no such $evil"
harmless 'an error message of a command' "$slotrace" "no such $evil"

# A timeline that was edited by hand: columns that have few values hold anything.
cp t.db edited.db
sqlite3 edited.db "PRAGMA ignore_check_constraints = ON;
    UPDATE verdict SET verdict = CAST(x'223e3c7363726970743e' AS TEXT) || char(27) || '[2J' WHERE rowid % 2;
    UPDATE verdict SET rule = char(27) || '<b>', fault = char(7), confidence = char(155);
    UPDATE view SET kind = char(27) || '\"><script>';
    UPDATE server_event SET event = char(27) || '<script>', kind = '\"><script>';
    UPDATE source SET kind = char(27) || '<script>', status = '<script>';"
for f in text markdown html json ndjson csv tsv columns perfetto; do
	harmless "an edited timeline, report -f $f" "$slotrace" report edited.db -f $f
	[ $f = html ] && is 'an edited timeline: one script, its own' 1 "$(grep -o '<script' shown | wc -l | tr -d ' ')"
done
harmless 'an edited timeline, explain' "$slotrace" explain edited.db error 1

# Line breaks in names do not break what is made of lines.
is 'ndjson: every line is an object' '' "$(grep -v '^{.*}$' report.ndjson || true)"
is 'markdown: no heading of others' '' "$(grep '^# h1' report.md report.markdown 2>/dev/null || true)"
is 'markdown: rows of a table have its columns' '' "$(awk '
	/^\|/ {
		row = $0
		gsub(/\\\|/, "", row)
		n = gsub(/\|/, "", row)
		if (width && n != width) print FILENAME ": " $0
		width = n
		next
	}
	{ width = 0 }' report.markdown)"
grep -qE '<(script|img|b)\b' report.markdown && r=1 || r=0
ok 'markdown: no markup of others' $r
grep -qE '\]\(javascript' report.markdown && r=1 || r=0
ok 'markdown: no link of others' $r
is 'html: one script, its own' 1 "$(grep -o '<script' report.html | wc -l | tr -d ' ')"
grep -qE '<img|<b>[^0-9]|onerror=[^&]*>' report.html && r=1 || r=0
ok 'html: no markup of others' $r
for f in json perfetto; do
	is "$f: valid" 1 "$(sqlite3 :memory: "SELECT json_valid(CAST(readfile('report.$f') AS TEXT))")"
done
is 'json: the text is there, unharmed' 1 "$(sqlite3 :memory: "SELECT count(*) FROM json_each(CAST(readfile('report.json') AS TEXT), '\$.failover_error')
    WHERE json_extract(value, '\$.error_id') = 1 AND instr(json_extract(value, '\$.message'), '<script>alert(1)</script>')")"
done_testing
