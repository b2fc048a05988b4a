#!/bin/sh
# commands.sh - each command's ways to end that no other suite meets: what it
# says, its exit status, and that nothing else changed.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work"
cp -r "$srcdir/samples/spurious" in
"$slotrace" investigate t.db in >report.txt 2>&1
ok 'a timeline to ask' $?

# ends NAME STATUS MESSAGE COMMAND...: with this status, and this in what it says
ends()
{
	name=$1 want=$2 message=$3
	shift 3
	status=0
	"$slotrace" "$@" >out 2>err </dev/null || status=$?
	is "$name: exit status" "$want" "$status"
	[ -n "$message" ] || return 0
	cat out err | grep -qF -e "$message" && r=0 || r=1
	ok "$name: says so" $r
	[ $r = 0 ] || cat out err | head -n 5 | sed 's/^/# /'
}

# --- rules, and those of a user ---
"$slotrace" rules >built-in
is 'rules: a line for each and one for the names' "$(($(sql t.db 'SELECT count(*) FROM log_rule') + 1))" \
    "$(wc -l <built-in | tr -d ' ')"
is 'rules: of a timeline the same' "$(cat built-in)" "$("$slotrace" rules t.db)"
is 'rules: eight columns' 8 "$(awk -F '\t' '{ print NF }' built-in | sort -u)"
ends 'rules of no timeline' 1 'No such file' rules none.db
cat >app.log <<'LOG'
2026-11-30 02:09:17,100 WARN shop went over to 10.0.0.9:7000 for slot 77
2026-11-30 02:09:17,200 ERROR shop gave up for good
LOG
rule()
{
	printf "INSERT INTO log_rule (name, client, versions, kind, pattern, example, example_expect)\nVALUES ('%s', 'shop', '1', '%s', '%s', '%s', '%s');\n" "$@"
}
{
	printf -- '-- Rules of our own.\n\n'
	rule shop-moved moved 'went over to (?<endpoint>\S+:\d+) for slot (?<slot>\d+)' \
	    'went over to 10.0.0.9:7000 for slot 77' 'moved 77 10.0.0.9:7000'
	rule shop-over redirects-exhausted 'gave up for good' 'gave up for good' 'redirects-exhausted - -'
} >rules.sql
ends 'without a rule of its own the log says nothing' 0 '' ingest --as client-log plain.db app.log
is 'and so it is' 0 "$(sql plain.db 'SELECT (SELECT count(*) FROM redirect) + (SELECT count(*) FROM client_error)')"
ends 'rules of a user' 0 '' ingest --rules rules.sql own.db app.log
is 'they find what they are for' '1 1 77 10.0.0.9:7000' "$(sql own.db "SELECT (SELECT count(*) FROM client_error) || ' ' ||
    count(*) || ' ' || slot || ' ' || host || ':' || port FROM redirect JOIN endpoint ON endpoint_id = target_id")"
is 'they are listed first, in their order' 'shop-moved shop-over' \
    "$(sql own.db "SELECT group_concat(name, ' ') FROM (SELECT name FROM log_rule ORDER BY rowid LIMIT 2)")"
is 'and with those that are built in' "$(($(wc -l <built-in) + 2))" "$("$slotrace" rules own.db | wc -l | tr -d ' ')"
sql own.db .dump >before
# refused NAME MESSAGE: bad.sql is, where it is wrong, and the timeline is as it was
refused()
{
	ends "rules, $1" 1 "$2" ingest --rules bad.sql own.db in
	sql own.db .dump | cmp -s - before
	ok "rules, $1: nothing changed" $?
}
{ cat rules.sql; echo; echo 'INSERT INTO log_rule SELECT;'; } >bad.sql
refused 'no SQL' 'bad.sql:8: near ";": syntax error'
for evil in 'DELETE FROM log_rule' "ATTACH 'x.db' AS x" 'CREATE TABLE x (y)' 'PRAGMA user_version = 9' \
    'UPDATE log_rule SET kind = 1' "INSERT INTO sqlite_schema VALUES (1,1,1,1,1)" \
    "INSERT INTO log_rule SELECT * FROM log_rule" "SELECT writefile('x', 'y')"; do
	{ cat rules.sql; echo "$evil;"; } >bad.sql
	refused "$evil" 'bad.sql:7: '
done
[ ! -e x.db ] && [ ! -e x ]
ok 'rules: no file appeared' $?
{ cat rules.sql; rule shop-bad moved 'went (over' 'went over' 'moved - -'; } >bad.sql
refused 'a pattern that is none' 'shop-bad'
{ cat rules.sql; rule shop-moved moved 'went over' 'went over' 'moved - -'; } >bad.sql
refused 'a name twice' 'bad.sql:7: UNIQUE constraint failed'
ends 'rules: no such file' 1 'nothing.sql: No such file' ingest --rules nothing.sql own.db in
ends 'rules: a folder' 1 'in: Is a directory' ingest --rules in own.db in
# Rules in the timeline itself that are damaged.
cp own.db damaged.db
sqlite3 damaged.db "UPDATE log_rule SET pattern = '(' WHERE name = 'shop-over'"
ends 'a rule of the timeline that is none' 1 'shop-over' ingest damaged.db in

# --- query ---
is 'query: a line of names, then the rows' 'a	b 1	two ' "$("$slotrace" query t.db "SELECT 1 AS a, 'two' AS b" | tr '\n' ' ')"
is 'query: a null is nothing, no row is no row' '"a	b" "	2" ""' \
    "\"$("$slotrace" query t.db 'SELECT 1 AS a, 2 AS b WHERE 0')\" \"$("$slotrace" query t.db 'SELECT NULL, 2' | tail -n 1)\" \"\""
ends 'query: no SQL' 1 'syntax error' query t.db 'SELECT FROM nowhere at all'
ends 'query: no statement' 1 'no statement' query t.db '-- nothing at all'
ends 'query: an error on the way' 1 'integer overflow' query t.db "SELECT abs(x) FROM (SELECT 1 AS x UNION ALL SELECT -9223372036854775807 - 1)"
is 'query: what came before it is there' 1 "$(grep -c '^1$' out)"
sql t.db .dump >before
ends 'query: writes nothing' 1 'readonly' query t.db 'DELETE FROM view WHERE 1'
ends 'query: nor elsewhere' 1 '' query t.db "ATTACH 'beside.db' AS b"
sql t.db .dump | cmp -s - before
ok 'query: nothing changed' $?
ends 'query: of fleets too' 0 'undetermined' query t.db fleet/verdicts-by-library
ends 'query: by its bare name' 0 'raises_avoided' query t.db incidents
ends 'query: one of an incident goes first' 0 'backoff_sufficient' query t.db backoff
ends 'query: no analysis step is a question' 2 'there are' query t.db schema
"$slotrace" ingest -q raw.db in
ends 'query: a question to what was not analyzed' 1 'has not been analyzed' query raw.db verdicts
ends 'query: SQL can be asked of it' 0 'count' query raw.db 'SELECT count(*) FROM view'

# --- the line of JSON, and names that try to break it ---
odd=$(printf 'a"b\\c\td\033[31m\351 <\303\274>')
status=0
"$slotrace" investigate -q --summary-json -i "$odd" json.db in >line.json || status=$?
is 'a line of JSON: one, and sound' '1 1' "$(wc -l <line.json | tr -d ' ') $(sqlite3 :memory: "SELECT json_valid(CAST(readfile('line.json') AS TEXT))")"
json()
{
	sqlite3 :memory: "SELECT json_extract(CAST(readfile('$1') AS TEXT), '\$.$2')"
}
is 'a line of JSON: its numbers are those of the timeline' "$(sql json.db 'SELECT errors, windows, longest_ms, redirects FROM summary')|$status" \
    "$(json line.json errors)|$(json line.json windows)|$(json line.json longest_ms)|$(json line.json redirects)|$(json line.json exit_status)"
is 'a line of JSON: the name comes back' "$(printf 'a"b\\c\td\033[31m\357\277\275 <\303\274>')" "$(json line.json incident)"
mkdir damaged && cp in/views/* damaged && head -c 100 "$(ls damaged/*.gz | head -n 1)" >damaged/cut.gz
"$slotrace" investigate -q --summary-json part.db damaged >line.json 2>/dev/null
is 'a line of JSON: what was damaged' "$?|1" "$(json line.json exit_status)|$(json line.json damaged)"

# --- batch ---
mkdir batch && cp -r in batch/one && cp -r "$srcdir/samples/corruption" batch/two
tar -czf batch/three.tar.gz -C "$srcdir/samples" genuine
ends 'batch: a folder' 0 '' investigate --batch -q --summary-json b.db batch
is 'batch: an incident for each entry' 'one three.tar.gz two' "$(sql b.db "SELECT group_concat(incident, ' ') FROM (SELECT incident FROM summary ORDER BY 1)")"
is 'batch: a line for each' 3 "$(wc -l <out | tr -d ' ')"
ends 'batch: entries by themselves' 0 '' ingest --batch -q c.db batch/three.tar.gz batch/one batch/two
is 'batch: an archive is one incident, a folder as many as it has entries' 1 \
    "$(sql c.db "SELECT count(*) FROM (SELECT DISTINCT incident FROM source WHERE incident = 'three.tar.gz')")"
ends 'batch: what is not there' 1 'nowhere' ingest --batch d.db nowhere

# --- times that state no zone ---
for zone in +05:30 +0530 Z UTC -08 Asia/Kolkata; do
	rm -f z.db
	"$slotrace" ingest -q --zone $zone --rules rules.sql z.db app.log
	echo "$zone $(sql z.db 'SELECT (first_at - 1796004557100000) / 60000000 FROM source')"
done >zones
is 'zones' '+05:30 -330 +0530 -330 Z 0 UTC 0 -08 480 Asia/Kolkata -330' "$(tr '\n' ' ' <zones | sed 's/ $//')"
for zone in 05:30 +15:00 +05:60 +5x Mars/Olympus ''; do
	ends "zone '$zone'" 2 "zone $zone" ingest --zone "$zone" z.db app.log
done

# --- inspect ---
ends 'inspect: what is not there' 1 'nowhere' inspect nowhere
head -c 300 batch/three.tar.gz >cut.tar.gz
ends 'inspect: a cut archive beside others' 3 'cut.tar.gz' inspect cut.tar.gz in/views
ends 'inspect: nothing that is known' 1 'unknown' inspect rules.sql
ends 'inspect: said by the user' 0 'told' inspect --as client-log rules.sql
: >empty
ends 'inspect: an empty file' 3 'empty' inspect empty in/views
mkdir linked && ln -s ../in linked/out && cp in/views/* linked
ends 'inspect: a link is no damage' 0 'link' inspect linked

# --- check ---
ends 'check' 0 ok check t.db
ends 'check: no timeline' 1 'No such file' check none.db
ends 'check: not analyzed' 0 ok check raw.db
cp t.db broken.db
sqlite3 broken.db 'UPDATE divergence_window SET closed_by = opened_by - 1, closed_after = opened_by - 1'
ends 'check: a window that ends before it begins' 1 'the timeline breaks its own rules' check broken.db
is 'check: names it' 1 "$(grep -c '^window bounds in order.*window 1.*closed before it opened' out)"
cp t.db broken.db
sqlite3 broken.db 'PRAGMA foreign_keys = OFF; DELETE FROM observer'
ends 'check: rows that refer to nothing' 1 'dangling' check broken.db

# --- whois, clock, set, forget, merge, analyze ---
ends 'whois: nobody' 1 'no view names it' whois t.db 192.0.2.99:1
ends 'whois: no timeline' 1 'No such file' whois none.db
ends 'clock: no such source' 1 'no such source' clock t.db nowhere.log 1700
ends 'clock: too little' 2 'usage' clock t.db in/views
ends 'clock: no timeline' 1 'No such file' clock none.db a.log 17
ends 'analyze: no timeline' 1 'No such file' analyze none.db
ends 'timeline: not analyzed' 1 'has not been analyzed' timeline raw.db
ends 'explain: no such error' 1 '9999' explain t.db error 9999
ends 'set: not a whole number' 2 'not a whole number' set t.db episode_us=fast
ends 'forget: no timeline' 1 'No such file' forget none.db a
ends 'merge: of itself' 0 '' merge t.db t.db
sql t.db .dump | cmp -s - before
ok 'none of these changed the timeline' $?
# A step that fails names its file and line, and the last analysis stays.
cp t.db stuck.db
sqlite3 stuck.db 'PRAGMA legacy_alter_table = ON; ALTER TABLE contact RENAME TO elsewhere'
sql stuck.db .dump >before
ends 'analyze: a step that fails' 1 'no such table: main.contact' analyze stuck.db
is 'analyze: it is named with its line' 1 "$(grep -cE 'sql/[1-4][0-9]*-[a-z-]*\.sql:[0-9]+: ' err)"
sql stuck.db .dump | cmp -s - before
ok 'analyze: the last one stays' $?

# --- the report's file ---
ends 'report: a folder that is not there' 1 'nowhere/page.html: No such file' report t.db -f html -o nowhere/page.html
ends 'report: a folder in its place' 1 'in: ' report t.db -o in
is 'report: nothing lies beside it' '' "$(ls | grep -E '^(in|page)\.' || true)"
done_testing
