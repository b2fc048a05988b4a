#!/bin/sh
# merge.sh - timelines of parts, merged in any order and any number of times,
# answer as one that read everything.
set -u
. "$(dirname "$0")/lib.sh"
captures=$srcdir/tests/captures
cases=$srcdir/tests/cases
cd "$work"
cp "$captures"/failover.pcap "$captures"/manual.pcap . && cp -r "$cases"/006 . || exit 1

ingest()
{
	"$slotrace" ingest -q --incident x "$@" || [ $? = 3 ]
}

ingest all.db failover.pcap manual.pcap 006 && "$slotrace" analyze all.db
ok 'everything at once' $?
ingest a.db failover.pcap && ingest b.db manual.pcap && ingest c.db 006 &&
    "$slotrace" merge abc.db a.db b.db c.db
ok 'parts are merged' $?
surface all.db >all
surface abc.db >abc
is 'there is something to compare' yes "$([ "$(wc -l <all)" -gt 30 ] && echo yes)"
diff all abc >difference
ok 'the parts answer as the whole' $?
sed 's/^/# /' difference | head -n 20

"$slotrace" merge cba.db c.db a.db b.db && surface cba.db | cmp -s abc -
ok 'in another order too' $?
"$slotrace" merge ab.db a.db b.db && "$slotrace" merge ab_c.db ab.db c.db &&
    surface ab_c.db | cmp -s abc -
ok 'in two steps too' $?
sql abc.db .dump >once
"$slotrace" merge abc.db b.db abc.db c.db
sql abc.db .dump >twice
cmp -s once twice
ok 'again, it changes nothing' $?
"$slotrace" check abc.db >out
is 'what comes out is sound' ok "$(cat out)"

# Incidents stay apart.
"$slotrace" ingest -q --incident y y.db 006 || true
"$slotrace" merge xy.db abc.db y.db
is 'incidents side by side' 'x y' "$(sql xy.db "SELECT group_concat(incident, ' ') FROM summary")"
is 'the first is as it was' "$(sql abc.db 'SELECT * FROM failover_error ORDER BY 1' | wc -l)" \
    "$(sql xy.db "SELECT * FROM failover_error WHERE incident = 'x'" | wc -l)"

# Logs of two hosts that are called alike are of two clients here too.
for n in 1 2; do
	mkdir -p web$n/logs
	echo "2026-03-10T14:02:11.10${n}Z ERROR Error: connect ECONNREFUSED 10.0.0.1:6379" >web$n/logs/app.log
	ingest web$n.db web$n
	echo "2026-03-10T14:02:12.10${n}Z ERROR Error: connect ECONNREFUSED 10.0.0.1:6379" >web$n/logs/app.log.1
	ingest later$n.db web$n/logs/app.log.1
done
clients()
{
	sql "$1" "SELECT group_concat(name || '=' || n, ' ') FROM (SELECT o.name, sum(c.samples) AS n
	    FROM contact c JOIN observer o USING (observer_id) GROUP BY 1 ORDER BY 1)"
}
"$slotrace" merge web.db web1.db web2.db
is 'logs called alike of two parts' 'logs/app=1 web2/logs/app=1' "$(clients web.db)"
"$slotrace" merge web.db later2.db later1.db web2.db
is 'a rotated part goes to its own' 'logs/app=2 web2/logs/app=2' "$(clients web.db)"
is 'no name is left over' 2 "$(sql web.db "SELECT count(*) FROM observer WHERE kind = 'client'")"

status=0
"$slotrace" merge abc.db none.db 2>err || status=$?
is 'a missing part: exit status' 1 $status
cp a.db newer.db && sqlite3 newer.db 'PRAGMA user_version = 99'
status=0
"$slotrace" merge abc.db newer.db 2>err || status=$?
is 'a newer part is refused' 1 $status
done_testing
