#!/bin/sh
# live.sh - RESP3 as a real server speaks it: each type that DEBUG PROTOCOL
# makes, and CLUSTER replies, asked by redis-cli -3 and captured on loopback.
# What the capture gives is what redis-cli printed.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"

for tool in redis-server redis-cli tcpdump; do
	if ! command -v $tool >/dev/null; then
		skip 'a live server' "$tool (Debian redis-server, tcpdump)"
		done_testing
		exit
	fi
done
port=$((20000 + $$ % 9000))
cd "$work" || exit 1
redis-server --port $port --bind 127.0.0.1 --cluster-enabled yes --save '' --daemonize yes \
    --enable-debug-command yes --dir "$work" --pidfile "$work/redis.pid" --logfile "$work/redis.log" >/dev/null 2>&1
trap 'kill "$(cat "$work/redis.pid" 2>/dev/null)" $dump 2>/dev/null; rm -rf "$work"' EXIT
dump=
i=0
until redis-cli -p $port ping 2>/dev/null | grep -q PONG; do
	i=$((i + 1))
	if [ $i -gt 50 ]; then
		skip 'a live server' 'a redis-server that starts'
		done_testing
		exit
	fi
	sleep 0.1
done
redis-cli -p $port cluster addslotsrange 0 99 200 16383 >/dev/null
: >tcpdump.err
tcpdump -i lo -U --immediate-mode -w live.pcap "tcp port $port" 2>tcpdump.err &
dump=$!
i=0
until grep -q 'listening on' tcpdump.err; do
	i=$((i + 1))
	if [ $i -gt 50 ] || ! kill -0 $dump 2>/dev/null; then
		skip 'a live server' 'the right to capture on loopback'
		done_testing
		exit
	fi
	sleep 0.1
done

ask()
{
	redis-cli -3 -p $port "$@"
}
types='string integer double null array set map attrib push verbatim true false bigint'
for type in $types; do
	ask debug protocol "$type"
done >types.txt 2>&1
ask cluster nodes >nodes.txt
ask cluster slots >/dev/null
ask cluster shards >/dev/null
ask set '{a}' x >/dev/null
ask get key:110 >/dev/null
ask info >/dev/null
ask command docs get set hset >/dev/null
sleep 0.3
kill $dump
wait $dump 2>/dev/null
dump=

"$slotrace" ingest t.db -q live.pcap >out 2>&1
ok 'the capture is read' $?
"$slotrace" analyze t.db >out 2>&1
is 'nothing in it is a problem' '' "$(sql t.db 'SELECT code, reason FROM problem')"
n=$(echo "$types" | wc -w)
is 'HELLO 3 on each connection, and every command after it' \
    "cluster nodes 1,cluster shards 1,cluster slots 1,connect $((n + 7)),other $((n + 4)),setup $((n + 7))" \
    "$(sql t.db "SELECT group_concat(t) FROM (SELECT command || ' ' || sum(requests) AS t FROM command_rate GROUP BY command ORDER BY command)")"
want=$(awk '{ print substr($1, 1, 40), $9, $10 }' nodes.txt)
is 'CLUSTER NODES: the node and its slots' "$want" "$(sql t.db "SELECT n.name || ' ' || group_concat(g.slot_from || '-' || g.slot_to, ' ')
    FROM view v JOIN view_node x USING (view_id) JOIN node n USING (node_id) JOIN view_slots g ON g.view_id = v.view_id
    WHERE v.form = 'nodes' AND v.kind = 'reply' GROUP BY v.view_id")"
for form in slots shards; do
	is "CLUSTER $form: the same" "0-99 200-16383" "$(sql t.db "SELECT group_concat(slot_from || '-' || slot_to, ' ')
	    FROM view JOIN view_slots USING (view_id) WHERE form = '$form' AND kind = 'reply'")"
done
done_testing
