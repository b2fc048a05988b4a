#!/bin/sh
# inputs.sh - bad inputs give a message and the right exit status, and cost
# nothing else; a timeline holds whole sources only, whenever ingest is killed.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work"

# dump FILE NODE N [FROM]: N samples of a node's view, from second FROM on
dump()
{
	i=0
	while [ $i -lt "$3" ]; do
		echo "# $((1764460891000 + (${4-0} + i) * 1000)) n$2"
		for k in 1 2 3; do
			me=
			[ $k = "$2" ] && me=myself,
			printf '%040d 10.0.0.%d:6379@16379 %smaster - 0 0 %d connected %d-%d\n' \
			    $k $k "$me" $((k + i * (k == 1))) $(((k - 1) * 5000)) \
			    $((k * 5000 - 1))
		done
		i=$((i + 1))
	done >"$1"
}

# expect NAME STATUS MESSAGE COMMAND...: MESSAGE in what it says
expect()
{
	name=$1 want=$2 message=$3
	shift 3
	status=0
	"$@" >out 2>&1 || status=$?
	is "$name: exit status" "$want" "$status"
	grep -q -- "$message" out
	ok "$name: says so" $?
}

count()
{
	sql t.db "SELECT count(*) FROM source WHERE $1"
}

mkdir good && dump good/n1.txt 1 5 && dump good/n2.txt 2 5

: >empty
expect 'an empty file' 3 '' "$slotrace" ingest t.db empty good
is 'the rest is read' 2 "$(count "status = 'read'")"
is 'it is told' empty "$(sql t.db 'SELECT code FROM problem')"
rm -f t.db
expect 'an empty file alone' 1 'nothing could be read' "$slotrace" ingest t.db empty
rm -f t.db
expect 'a missing file beside others' 3 '' "$slotrace" ingest t.db missing good
is 'the rest is read' 2 "$(count "status = 'read'")"
is 'the missing file is a source that failed' missing \
    "$(sql t.db "SELECT name FROM source WHERE status = 'failed'")"
rm -f t.db
mkdir -p hollow/deeper
expect 'a folder without anything' 1 'nothing could be read' "$slotrace" ingest t.db hollow
is 'it is told' empty "$(sql t.db 'SELECT code FROM problem')"

rm -f t.db
mkdir mixed && cp good/* mixed && head -c 5000 /dev/urandom >mixed/noise.bin
expect 'a binary file in a folder' 0 '' "$slotrace" ingest t.db mixed
is 'it is listed' mixed/noise.bin \
    "$(sql t.db "SELECT name FROM source WHERE status = 'skipped'")"
expect 'a binary file that was named' 3 '' "$slotrace" ingest t.db mixed/noise.bin mixed

# The timeline itself.
expect 'no timeline' 1 'No such file' "$slotrace" report none.db
expect 'a text instead of a timeline' 1 'is not a slotrace timeline' "$slotrace" report good/n1.txt
sqlite3 other.db 'CREATE TABLE x (y)'
expect "another program's database" 1 'is not a slotrace timeline' "$slotrace" ingest other.db good
is 'it is left alone' x "$(sql other.db 'SELECT name FROM sqlite_schema')"
cp t.db newer.db && sqlite3 newer.db 'PRAGMA user_version = 99'
expect 'a newer schema' 1 'newer slotrace (schema 99' "$slotrace" ingest newer.db good
if [ "$(id -u)" = 0 ]; then
	ok 'a read-only folder # SKIP root may write anywhere' 0
else
	mkdir locked && chmod 555 locked
	expect 'a read-only folder' 1 'locked/t.db' "$slotrace" ingest locked/t.db good
fi
expect 'a folder that is not there' 1 'nowhere/t.db' "$slotrace" ingest nowhere/t.db good
if [ -e /dev/full ]; then
	status=0
	"$slotrace" --help >/dev/full 2>err || status=$?
	is 'a full disk under the output: exit status' 1 "$status"
fi

# A garbled dump costs what is garbled.
rm -f t.db
sed '7s/:6379@16379.*//; 10s/0-4999/0-99999/' good/n1.txt >garbled.txt
expect 'a garbled dump' 3 '' "$slotrace" ingest t.db garbled.txt good
is 'it is read in part' partial "$(sql t.db "SELECT status FROM source WHERE name = 'garbled.txt'")"
sql t.db "SELECT count(*) > 0 FROM problem WHERE position IS NOT NULL" | grep -q 1
ok 'problems name the line' $?

# A hundred problems of one kind have a row each; those past it share one.
for n in 100 101 150; do
	awk -v n=$n 'BEGIN {
		for (i = 0; i < n; i++)
			printf "# %d000 n1\n%040d 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-%d\n",
			    1764460891 + i, 1, 20000 + i
	}' >many.txt
	rm -f t.db
	"$slotrace" ingest -q t.db many.txt 2>/dev/null
	is "$n problems: rows, and how many they stand for" "$([ $n = 100 ] && echo 100 || echo 101) $n" \
	    "$(sql t.db "SELECT count(*) || ' ' || sum(samples) FROM problem")"
done

# Views that contradict each other: of slots that were taken together one half was
# named before the other half's claim.  A file whose questions take turns.
mkdir contrary
cat >contrary/n1.txt <<DUMP
# 1796000006 n1
0000000000000000000000000000000000000001 10.0.0.1:6379@16379 myself,master - 0 0 10 connected 0-9999
DUMP
cat >contrary/n2.txt <<DUMP
# 1796000003 n2
0000000000000000000000000000000000000002 10.0.0.2:6379@16379 myself,master - 0 0 2 connected
# 1796000009041317120 n2
0000000000000000000000000000000000000002 10.0.0.2:6379@16379 myself,master - 0 0 7 connected 0-9999
# 1796000010041317 n2
0000000000000000000000000000000000000002 10.0.0.2:6379@16379 myself,master - 0 0 2 connected 5000-9999
DUMP
for at in '1795999996521 10.0.0.3:6379' '1795999993522 n3' '1795999994521 n3'; do
	echo "# $at"
	echo '0000000000000000000000000000000000000003 10.0.0.3:6379@16379 myself,master - 0 0 3 connected 10000-14999'
done >contrary/n3.txt
rm -f t.db
"$slotrace" investigate -q t.db contrary >out 2>&1
is 'views that contradict each other: there is a window' 1 "$(sql t.db 'SELECT count(*) > 0 FROM window_observer')"
is 'the timeline keeps its rules' 'ok 0' "$("$slotrace" check t.db 2>&1) $?"

# Times of files that are none, and a stated time that no text in UTC can say.
rm -f t.db
cp good/n1.txt bad1.txt && sed '/^#/d; 5,$d' good/n1.txt >bad2.txt && cp bad2.txt bad3.txt && cp bad2.txt bad4.txt
echo >>bad3.txt && echo '# 9999-12-31T23:59:59-14:00 n1' | cat - bad2.txt >bad4.txt
touch -d 1970-01-01T00:00:01Z bad1.txt bad2.txt bad4.txt && touch -d 2100-01-01T00:00:00Z bad3.txt
"$slotrace" investigate -q t.db bad1.txt bad2.txt bad3.txt bad4.txt >out 2>&1
is 'times of files before 2001 or after 2099' 0 "$(sql t.db 'SELECT count(*) FROM source WHERE mtime IS NOT NULL')"
is 'a view without another has no time' '1 bad1.txt' "$(sql t.db 'SELECT count(DISTINCT name), name FROM view v
    JOIN source s USING (source_id) WHERE v.first_at IS NOT NULL' | tr '|' ' ')"
is 'each that has a time can say it' 0 "$(sql t.db 'SELECT count(*) FROM slot_owner WHERE (first_at IS NULL) <> (first_at_utc IS NULL)')"
is 'that keeps its rules too' ok "$("$slotrace" check t.db 2>&1)"

# A round trip in any unit.
id=0000000000000000000000000000000000000001
for rtt in 'rtt 0.8 ms' 'rtt=800us' 'rtt: 0.0008 s' 'rtt 8e99 ms' 'rtt'; do
	rm -f t.db
	printf '# 2026-11-30T01:02:03.456Z 10.0.0.1:6379 [%s]\n%s 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-16383\n' \
	    "$rtt" $id >rtt.txt
	"$slotrace" ingest -q t.db rtt.txt
	is "[$rtt]" "$(case $rtt in *8*e99* | rtt) echo none ;; *) echo 800 ;; esac)" "$(sql t.db "SELECT coalesce(rtt_us, 'none') FROM view")"
done

# Nothing of the surroundings gets into a timeline.
rm -f t.db
"$slotrace" ingest -q t.db good && sql t.db .dump >one
rm -f t.db
TZ=Asia/Kolkata LC_ALL=de_DE.UTF-8 "$slotrace" ingest -q t.db good
sql t.db .dump >two
cmp -s one two
ok 'zone and locale change nothing' $?
ls t.db* >files
is 'one file is left' t.db "$(cat files)"

# Killed at any moment, the file holds whole sources, and the same command
# finishes the job.
mkdir many
for node in 1 2 3; do
	dump many/a$node.txt $node 400
	dump many/b$node.txt $node 300 400
done
rm -f t.db whole.db
"$slotrace" ingest -q --incident x whole.db many && sql whole.db .dump >whole
killed=0
for delay in 0.005 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1 0.15; do
	rm -f t.db*
	timeout -s KILL $delay "$slotrace" ingest -q --incident x t.db many 2>/dev/null ||
	    killed=$((killed + 1))
	if [ -e t.db ] && sqlite3 t.db 'SELECT 1 FROM source' >/dev/null 2>&1; then
		is "killed after $delay s: the file is whole" ok \
		    "$(sqlite3 t.db 'PRAGMA integrity_check')"
		is "killed after $delay s: sources are whole" 0 "$(sqlite3 t.db \
		    "SELECT count(*) FROM source WHERE xxh3 IS NULL")"
	fi
	"$slotrace" ingest -q --incident x t.db many
	sql t.db .dump >again
	cmp -s whole again
	ok "killed after $delay s: finished, it equals the whole" $?
done
echo "# killed $killed times"

# Two at once: the second waits, and nothing is read twice.
rm -f t.db
"$slotrace" ingest -q --incident x t.db many &
"$slotrace" ingest -q --incident x t.db many
wait $!
is 'two processes: every source once' 6 "$(count "status = 'read'")"
is 'two processes: no content twice' 0 "$(sql t.db 'SELECT count(*) FROM (SELECT xxh3
    FROM source GROUP BY xxh3 HAVING count(*) > 1)')"

# forget leaves what would be there without it.
rm -f t.db one.db
"$slotrace" ingest -q --incident x one.db many/a1.txt many/a2.txt
"$slotrace" ingest -q --incident x t.db many/a1.txt many/a2.txt many/a3.txt
"$slotrace" forget t.db many/a3.txt >/dev/null
sql one.db .dump >one && sql t.db .dump >two
cmp -s one two
ok 'forget leaves what would be there without it' $?
# What is named: by its name, else by a pattern, as clock has it.
gone()
{
	pattern=$1 left=$2
	rm -f f.db
	"$slotrace" ingest -q --incident x f.db named
	"$slotrace" clock f.db "$pattern" 1700 >clocked
	"$slotrace" forget f.db "$pattern" >forgotten
	is "forget $pattern: what is left" "$left" "$(sql f.db "SELECT coalesce(group_concat(replace(name, 'named/', ''), ' '), '') FROM (SELECT name FROM source ORDER BY name)")"
	is "clock $pattern: as many as forget" "$(grep -o '[0-9]* source' forgotten)" "$(grep -o '[0-9]* source' clocked)"
}
mkdir -p named/sub
for i in 1 2 3; do
	sed "s/connected 0-/connected $i-/" many/a$i.txt >"named/a$i.txt"
	sed "s/^/# $i\n/" many/a$i.txt >"named/sub/b$i.txt"
done
sed 's/^/# 9\n/' many/a1.txt >'named/a[1].txt'
gone 'named/a*' 'sub/b1.txt sub/b2.txt sub/b3.txt'
gone 'named/a[12].txt' 'a3.txt a[1].txt sub/b1.txt sub/b2.txt sub/b3.txt'
gone 'named/a[1].txt' 'a1.txt a2.txt a3.txt sub/b1.txt sub/b2.txt sub/b3.txt'
gone named/sub 'a1.txt a2.txt a3.txt a[1].txt'
gone 'named/sub/b?.txt' 'a1.txt a2.txt a3.txt a[1].txt'
"$slotrace" forget f.db 'named/z*' >out 2>&1 && r=0 || r=$?
is 'forget, a pattern that matches nothing' '1 1' "$r $(grep -c 'named/z\*: no such source' out)"

# A timeline that was renamed goes on with its incident.
"$slotrace" ingest first.db -q "$srcdir/samples/spurious/views" >out 2>&1
cp first.db renamed.db
"$slotrace" ingest renamed.db -q "$srcdir/samples/spurious" >out 2>&1
is 'a renamed timeline keeps its incident' first "$(sql renamed.db 'SELECT DISTINCT incident FROM source')"

# Declared settings that are none.
for bad in cluster-node-timeout=2s cluster-node-timeout=-5 cluster-node-timeout=0 cluster-node-timout=1 \
    cluster-require-full-coverage=maybe episode_us=-1; do
	"$slotrace" set set.db $bad >out 2>&1
	is "set $bad: is refused" "2 $bad" "$? $(grep -o "${bad%%=*}.*" out >/dev/null && echo $bad)"
done
"$slotrace" set set.db cluster-node-timeout=2000
is 'and one that is one is not' 2000 "$(sql set.db "SELECT value FROM setting")"

# What slotrace wrote quotes evidence and is none: a folder that holds an old
# timeline and its reports gives what it gave.
mkdir own
cp -r "$srcdir/samples/spurious" own/incident
"$slotrace" ingest own1.db -q own/incident >out 2>&1
"$slotrace" analyze own1.db >out 2>&1
before=$(sql own1.db "SELECT count(*), (SELECT count(*) FROM verdict) FROM source WHERE status = 'read'")
cp own1.db own/incident/old.db
"$slotrace" report own1.db -f html -o own/incident/report.html
"$slotrace" report own1.db -f json -o own/incident/report.json
"$slotrace" ingest own2.db -q own/incident >out 2>&1
"$slotrace" analyze own2.db >out 2>&1
is 'its own timelines and reports are no evidence' "$before" \
    "$(sql own2.db "SELECT count(*), (SELECT count(*) FROM verdict) FROM source WHERE status = 'read'")"
"$slotrace" report own1.db -o own1.db >out 2>&1
is 'a report does not replace a timeline' 1 $?
is 'which is still there' "$before" "$(sql own1.db "SELECT count(*), (SELECT count(*) FROM verdict) FROM source WHERE status = 'read'")"

# Logs of two hosts that are called alike are of two clients.
names()
{
	sql "$1" "SELECT group_concat(name, ' ') FROM (SELECT name FROM observer
	    WHERE kind = '${2-client}' AND length(name) < 40 ORDER BY name)"
}
raised='2026-03-10T14:02:11.103Z ERROR Error: Too many Cluster redirections. Last error: ReplyError: MOVED 100 10.0.0.1:6379'
refused='2026-03-10T14:02:11.101Z ERROR Error: connect ECONNREFUSED 10.0.0.1:6379'
mkdir -p alike/web1/logs alike/web2/logs
echo "$raised" >alike/web1/logs/app.log
echo "$refused" >alike/web2/logs/app.log
for n in 1 2; do
	for at in 10.900 11.000 11.100 11.200 12.200; do
		me1= me2=
		eval "me$n=myself,"
		echo "# 2026-03-10T14:02:${at}Z 10.0.0.$n:6379"
		printf '%040d 10.0.0.1:6379@16379 %smaster - 0 0 1 connected 0-8000\n' 1 "$me1"
		printf '%040d 10.0.0.2:6379@16379 %smaster - 0 0 2 connected 8001-16383\n' 2 "$me2"
	done >alike/n$n.txt
done
"$slotrace" investigate alike1.db alike >out 2>&1
is 'logs called alike in two folders: two clients' 'logs/app web2/logs/app' "$(names alike1.db)"
is "what one was refused is not the other's own contact" undetermined \
    "$(sql alike1.db 'SELECT verdict FROM failover_error')"
"$slotrace" ingest -q alike2.db alike/web2 alike/web1
is 'in another order too' 'logs/app web1/logs/app' "$(names alike2.db)"
"$slotrace" ingest -q alike3.db alike/web1
"$slotrace" ingest -q alike3.db alike/web2
is 'and by two commands' 'logs/app web2/logs/app' "$(names alike3.db)"
tar -cf alike.tar alike
"$slotrace" ingest -q alike4.db alike.tar
is 'from an archive' 'logs/app web2/logs/app' "$(names alike4.db)"
tar -C alike/web1 -cf host1.tar logs && tar -C alike/web2 -cf host2.tar logs
"$slotrace" ingest -q alike5.db host1.tar host2.tar
is 'from an archive of each host' 'host2.tar:logs/app logs/app' "$(names alike5.db)"
"$slotrace" ingest -q alike6.db alike/web2/logs/app.log && (cd alike/web1 && "$slotrace" ingest -q ../../alike6.db logs)
is 'where one name ends in the other' './logs/app logs/app' "$(names alike6.db)"
for n in 1 2; do
	mv alike/web$n/logs/app.log alike/web$n/logs/app.log.1
	echo "2026-03-10T14:02:1$n.900Z ERROR Error: connect ECONNREFUSED 10.0.0.2:6379" >alike/web$n/logs/app.log
done
"$slotrace" ingest -q alike3.db alike
"$slotrace" ingest -q alike2.db alike
is 'rotated later: they keep their names' 'logs/app web2/logs/app;logs/app web1/logs/app' \
    "$(names alike3.db);$(names alike2.db)"
for n in 1 2; do
	echo "2026-03-10T14:02:2$n.900Z ERROR Error: connect ECONNREFUSED 10.0.0.2:6379" >>alike/web$n/logs/app.log
	rm alike/web$n/logs/app.log.1
done
"$slotrace" ingest -q alike3.db alike/web2 alike/web1
is 'grown: they keep them' 'logs/app web2/logs/app' "$(names alike3.db)"
mv alike elsewhere
echo "2026-03-10T14:02:32.900Z ERROR Error: connect ECONNREFUSED 10.0.0.2:6379" >>elsewhere/web2/logs/app.log
"$slotrace" ingest -q alike3.db elsewhere/web2
is 'and where they were moved' 'logs/app web2/logs/app' "$(names alike3.db)"

# So are the nodes of server logs that do not say whose they are.
for n in 1 2; do
	mkdir -p servers/n$n/redis
	echo "$((4000 + n)):M 30 Nov 2026 02:05:42.00$n # Cluster state changed: fail" >servers/n$n/redis/redis-server.log
	cp servers/n$n/redis/redis-server.log servers/m$n.log
	echo "# another" >>servers/m$n.log
done
"$slotrace" ingest -q servers.db servers/n1 servers/n2
is 'server logs called alike: two nodes' 'n2/redis/redis-server redis-server' "$(names servers.db node)"
tar -C servers -cf servers.tar m1.log m2.log
"$slotrace" ingest -q root.db servers.tar
is 'and at the root of an archive' 'm1 m2' "$(names root.db node)"
for day in 2026-11-29 2026-11-30; do
	mkdir -p days/$day && echo "4001:M ${day#*11-} Nov 2026 02:05:42.001 # Cluster state changed: fail" >days/$day/n1.log
done
"$slotrace" ingest -q days.db days
is 'a folder of a day is no host' n1 "$(names days.db node)"
done_testing
