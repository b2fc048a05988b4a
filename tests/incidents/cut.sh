#!/bin/sh
# cut.sh - make the small incidents of this folder from full recordings.
#
#	cut.sh RECORDINGS [NAME...]
#
# RECORDINGS holds a folder an incident (capture.pcap.gz, clients/, server/,
# views/, truth.json, labels.ndjson).  Each is cut to the seconds around what
# happened (the table below, times of day in UTC) and to client and bus ports;
# server logs stay whole, and client logs and labels end 0.3 s inside, so that
# what they tell of is seen from both sides.  Needs editcap (wireshark-common), tcpdump, awk,
# sqlite3 and xz; only who cuts anew needs them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
from_dir=$1
shift

# name		from		to
table='manual-40	02:14:51.6	02:15:00.4
stretched-420	02:09:16.7	02:09:19.4
claimant-dead-kill	02:10:07.6	02:10:11.6
automatic	02:05:37.6	02:05:46.8
slotmap-corruption	02:05:19.0	02:05:21.5
crossed-setslot	02:06:20.0	02:06:22.4
resharding	02:15:31.0	02:15:34.2
partial-coverage-delslots	02:06:57.0	02:07:04.5
split-clients-reject	03:01:14.4	03:01:20.4
valkey9-automatic-logfmt	03:24:24.0	03:24:31.2
reconnect-storm	02:07:13.6	02:07:16.6'

# Records whose first time of day lies between; what follows without one goes
# with it.  A time is hh:mm:ss[.,fraction], or epoch milliseconds in "time":.
by_time()
{
	awk -v from="$1" -v to="$2" -v margin="${3:-0}" -v key="${4-}" '
	function of(s,  p) { split(s, p, ":"); return p[1] * 3600 + p[2] * 60 + p[3] }
	function stamp(s,  t) {
		if (match(s, /"time":[0-9]+/))
			return int(substr(s, RSTART + 7, RLENGTH - 7) % 86400000) / 1000
		if (!match(s, /[0-9][0-9]:[0-9][0-9]:[0-9][0-9]([.,][0-9]+)?/))
			return -1
		t = substr(s, RSTART, RLENGTH)
		whole = t !~ /[.,]/
		sub(",", ".", t)
		return of(t)
	}
	BEGIN { from = of(from) + margin; to = of(to) - margin; keep = 0 }
	{
		head = $0
		if (key != "") {
			if (!match($0, "\"" key "\": *\"[^\"]*\""))
				next
			head = substr($0, RSTART, RLENGTH)
		} else
			head = substr($0, 1, 80)
		whole = 0
		t = stamp(head)
		if (t >= 0)
			keep = t >= (whole ? int(from) : from) && t <= to
		if (keep)
			print
	}'
}

# truth.json with the events, transitions and windows of that time
truth()
{
	sqlite3 :memory: "
	WITH j(t) AS (SELECT readfile('$1')),
	d(day) AS (SELECT substr(json_extract(t, '\$.capture.start'), 1, 11) FROM j)
	SELECT json_remove(json_set(t,
		'\$.events', json((SELECT json_group_array(json(value)) FROM json_each(t, '\$.events')
		    WHERE json_extract(value, '\$.t') BETWEEN day || '$2' AND day || '$3')),
		'\$.transitions', json((SELECT json_group_array(json(value)) FROM json_each(t, '\$.transitions')
		    WHERE json_extract(value, '\$.t') BETWEEN day || '$2' AND day || '$3')),
		'\$.windows', json((SELECT json_group_array(json(value)) FROM json_each(t, '\$.windows')
		    WHERE json_extract(value, '\$.start') <= day || '$3'
		      AND coalesce(json_extract(value, '\$.end'), '9') >= day || '$2')),
		'\$.cut', json_array(day || '$2', day || '$3')), '\$.expected')
	  FROM j, d"
}

echo "$table" | while read -r name from to; do
	[ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	src=$from_dir/$name dst=$here/$name
	rm -rf "$dst"
	mkdir -p "$dst/clients" "$dst/server" "$dst/views"
	day=$(sqlite3 :memory: "SELECT substr(json_extract(readfile('$src/truth.json'), '\$.capture.start'), 1, 10)")
	gzip -dc "$src/capture.pcap.gz" >"$dst/all.pcap"
	TZ=UTC editcap -F pcap -A "$day $from" -B "$day $to" "$dst/all.pcap" "$dst/cut.pcap"
	tcpdump -r "$dst/cut.pcap" -w "$dst/capture.pcap" \
	    'tcp port 6379 or tcp port 16379 or icmp' 2>/dev/null
	xz -9e "$dst/capture.pcap"
	rm "$dst/all.pcap" "$dst/cut.pcap"
	(cd "$src" && find clients views server -type f) | while read -r f; do
		mkdir -p "$dst/$(dirname "$f")"
		case $f in
		*.gz)	gzip -dc "$src/$f" ;;
		*)	cat "$src/$f" ;;
		esac | case $f in
		server/*) cat ;;
		clients/*) by_time "$from" "$to" 0.3 ;;
		*)	by_time "$from" "$to" ;;
		esac >"$dst/${f%.gz}"
		if [ ! -s "$dst/${f%.gz}" ]; then
			rm "$dst/${f%.gz}"
		elif [ "$(wc -c <"$dst/${f%.gz}")" -gt 20000 ]; then
			gzip -9n "$dst/${f%.gz}"
		fi
	done
	{ gzip -dc "$src/labels.ndjson.gz" 2>/dev/null || cat "$src/labels.ndjson"; } |
	    by_time "$from" "$to" 0.3 t_log | gzip -9n >"$dst/labels.ndjson.gz"
	truth "$src/truth.json" "$from" "$to" >"$dst/truth.json"
	du -sk "$dst" | cut -f1 | tr '\n' ' '
	echo "$name"
done
