#!/bin/sh
# streams.sh - logs of servers and clients that stand in one file, each line behind
# the name of its own: read as if each were a file.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
sample=$srcdir/samples/spurious

# prefix STYLE NAME: what stands before a line
prefix()
{
	case $1 in
	compose) printf '%-20s | ' "$2-1" ;;
	service) printf '%-36s    | ' "shop_$2.1.z4id8x@vm-1" ;;
	kubectl) printf '[pod/%s-0/main] ' "$2" ;;
	stern) printf '%s-7d9f main ' "$2" ;;
	esac
}

# together STYLE: the logs of the sample side by side, a line of each in turn
together()
{
	rm -rf apart
	mkdir apart
	for log in "$sample"/server/* "$sample"/clients/*; do
		name=$(basename "$log" .gz)
		name=${name%.log}
		case $log in
		*.gz) gzip -dc "$log" ;;
		*) cat "$log" ;;
		esac | sed "s#^#$(prefix "$1" "$name" | sed 's/#/\\#/g')#" >"apart/$name"
	done
	paste -d '\n' apart/* | sed '/^$/d'
}

# errors DB: what was judged, and how
errors()
{
	sql "$1" "SELECT at_utc, message, slot, verdict, rule FROM failover_error ORDER BY 1, 2, 3"
}

# counts DB
counts()
{
	sql "$1" "SELECT (SELECT count(*) FROM server_event), (SELECT count(*) FROM redirect),
	    (SELECT count(*) FROM source WHERE kind = 'server-log' AND first_at NOT NULL),
	    (SELECT count(*) FROM source WHERE kind = 'client-log' AND first_at NOT NULL)"
}

"$slotrace" investigate -q -i x apart.db "$sample"/server "$sample"/clients \
    "$sample"/capture.pcap.xz "$sample"/views >/dev/null
for style in compose service kubectl stern; do
	together $style >all.log
	rm -f all.db
	"$slotrace" investigate -q -i x all.db all.log "$sample"/capture.pcap.xz \
	    "$sample"/views >/dev/null
	ok "$style: read" $?
	is "$style: as many events, redirects, logs" "$(counts apart.db)" "$(counts all.db)"
	is "$style: the same verdicts" "$(errors apart.db)" "$(errors all.db)"
done

# Names, and where a line stands.
together compose >all.log
rm -f all.db
"$slotrace" ingest -q -i x all.db all.log
is 'a log is called by its prefix' 'all.log:n1-1 all.log:refclient-1' \
    "$(sql all.db "SELECT group_concat(name, ' ') FROM (SELECT name FROM source WHERE
    name IN ('all.log:n1-1', 'all.log:refclient-1') ORDER BY name)")"
position=$(sql all.db "SELECT min(position) FROM client_error JOIN source USING
    (source_id) WHERE name = 'all.log:refclient-1'")
sed -n "${position}p" all.log | grep -q '^refclient-1 '
ok 'a position is the line of the file' $?
is 'and its client by both' 'all:refclient-1' "$(sql all.db "SELECT DISTINCT o.name FROM
    client_error JOIN observer o USING (observer_id) JOIN source s USING (source_id)
    WHERE s.name = 'all.log:refclient-1'")"
"$slotrace" analyze all.db && "$slotrace" report all.db | tr -s '\n ' ' ' >report.txt
grep -q '6 server logs' report.txt && grep -q '8 client logs' report.txt
ok 'a report counts logs, not the file' $?

# Once is enough; a longer state takes the place of all.
before=$(sql all.db "SELECT count(*) FROM source")
"$slotrace" ingest -q -i x all.db all.log
is 'read again: known' "$before" "$(sql all.db "SELECT count(*) FROM source")"
"$slotrace" clock all.db all.log:refclient-1 +250ms >/dev/null
head -n 900 all.log >part.log
rm -f grown.db
"$slotrace" ingest -q -i x grown.db part.log
"$slotrace" clock grown.db part.log:n1-1 +250ms >/dev/null
mv all.log part.log
"$slotrace" ingest -q -i x grown.db part.log
is 'grown: as if read once' "$(counts all.db)" "$(counts grown.db)"
is 'grown: each once' 0 "$(sql grown.db "SELECT count(*) - count(DISTINCT name) FROM source")"
is 'grown: a declared clock stays with its log' 'part.log:n1-1|250000' "$(sql grown.db "SELECT
    name, offset_us FROM clock_declared JOIN source USING (source_id)")"
"$slotrace" forget grown.db part.log >/dev/null
is 'forgotten with the file' 0 "$(sql grown.db "SELECT count(*) FROM source")"

# Two such files of one name, in two folders, and their timelines merged.
mkdir -p one/logs two/logs
cat >one/logs/all.log <<'EOF'
n1-1   | 1:M 30 Nov 2026 10:00:00.000 * Node configuration loaded, I'm aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
n2-1   | 1:M 30 Nov 2026 10:00:00.000 * Node configuration loaded, I'm bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
app-1  | 2026-11-30 10:00:05,500 ERROR app get failed
app-1  | redis.exceptions.ClusterError: TTL exhausted.
n2-1   | 1:M 30 Nov 2026 10:00:06.000 # Failover auth granted to cccccccccccccccccccccccccccccccccccccccc for epoch 7
EOF
sed 's/10:00:05,500/10:00:07,500/' one/logs/all.log >two/logs/all.log
"$slotrace" ingest -q -i x one.db one/logs/all.log
"$slotrace" ingest -q -i x two.db two/logs/all.log
"$slotrace" ingest -q -i x both.db one two
"$slotrace" merge one.db two.db >/dev/null
for db in both one; do
	is "$db: two clients" 2 "$(sql $db.db "SELECT count(DISTINCT observer_id) FROM client_error")"
done
is 'servers of one pid are not one server' 2 "$(sql both.db "SELECT count(DISTINCT node_id)
    FROM observer WHERE kind = 'node'")"
is 'a vote is its own' bbbb "$(sql both.db "SELECT DISTINCT substr(n.name, 1, 4) FROM
    server_event v JOIN observer o USING (observer_id) JOIN node n USING (node_id)
    WHERE v.kind = 'vote'")"

# A server joins a client's file late; syslog of two hosts.
{
	i=0
	while [ $i -lt 1500 ]; do
		echo "app-1  | 2026-11-30 10:00:05,500 INFO app nothing of note happened to request $i"
		i=$((i + 1))
	done
	sed -n 2,5p one/logs/all.log
} >late.log
"$slotrace" ingest -q -i x late.db late.log
is 'a server far behind the beginning' 'client_error 1 server_event 2' "$(sql late.db "SELECT
    'client_error ' || (SELECT count(*) FROM client_error) || ' server_event ' ||
    (SELECT count(*) FROM server_event)")"
cat >syslog <<'EOF'
Nov 30 10:00:00 db-1 redis-server[7]: 7:M 30 Nov 2026 10:00:00.000 * Node configuration loaded, I'm aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
Nov 30 10:00:00 db-2 redis-server[7]: 7:M 30 Nov 2026 10:00:00.000 * Node configuration loaded, I'm bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
Nov 30 10:00:01 db-1 sshd[12]: Accepted publickey for root
Nov 30 10:00:05 web-1 app[9]: redis.exceptions.ClusterError: TTL exhausted.
EOF
"$slotrace" ingest -q -i x syslog.db syslog
is 'hosts of a syslog' 'syslog syslog:app@web-1 syslog:db-1 syslog:db-2' "$(sql syslog.db "SELECT
    group_concat(name, ' ') FROM (SELECT name FROM source ORDER BY name)")"

# What nothing tells apart is named.
{
	sed 's/^[^|]*| //' one/logs/all.log | grep '1:M'
	echo '2026-11-30 10:00:05,500 ERROR app redis.exceptions.ClusterError: TTL exhausted.'
} >mixed.log
"$slotrace" ingest -q -i x mixed.db mixed.log
is 'damage' 3 $?
is 'a line of a client in a server log is told' '4|1 line of a client from here on was not read' \
    "$(sql mixed.db "SELECT position, substr(reason, 1, 44) FROM problem WHERE code = 'mixed'")"
{
	i=0
	while [ $i -lt 9 ]; do
		echo "2026-11-30 10:00:05,50$i ERROR app redis.exceptions.ClusterError: TTL exhausted."
		i=$((i + 1))
	done
	echo "1:M 30 Nov 2026 10:00:06.000 # Cluster state changed: fail"
} >mixed.log
"$slotrace" ingest -q -i x other.db mixed.log
is 'and one of a server in a client log' 'client-log|10|1 line of a server' "$(sql other.db "SELECT
    kind, position, substr(reason, 1, 18) FROM problem JOIN source USING (source_id)
    WHERE code = 'mixed'")"
done_testing
