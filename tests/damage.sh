#!/bin/sh
# damage.sh - what is lost from a capture loses verdicts and never makes wrong
# ones: recorded incidents with packets taken out of their captures, cut, doubled
# and begun midway; other containers of the same packets change nothing.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"
dir=$srcdir/tests/incidents

for tool in editcap mergecap capinfos xz; do
	if ! command -v $tool >/dev/null; then
		skip 'damaged captures' "$tool (Debian wireshark-common)"
		done_testing
		exit
	fi
done

# judge NAME CAPTURE...: $work/t.db, by the captures and the client logs
judge()
{
	incident=$1
	shift
	rm -f "$work/t.db"
	"$slotrace" ingest "$work/t.db" -q --set cluster-node-timeout=15000 \
	    "$@" "$dir/$incident/clients" >"$work/out" 2>&1
	"$slotrace" analyze "$work/t.db" >"$work/out" 2>&1
}

verdicts()
{
	sql "$1" "SELECT s.name, v.position, v.verdict, v.rule FROM verdict v JOIN source s USING (source_id)
	    WHERE NOT v.inferred ORDER BY 1, 2"
}

windows()
{
	sql "$1" "SELECT cause, opened_after, opened_by, closed_by, converged_by FROM divergence_window ORDER BY window_id"
}

# Verdicts that turned from one class into another, and how many are decided.
turned()
{
	sql "$work/t.db" "ATTACH '$work/whole.db' AS whole;
	SELECT count(*) FROM verdict v JOIN source s USING (source_id) JOIN whole.source t ON t.name = s.name
	  JOIN whole.verdict w ON w.source_id = t.source_id AND w.position = v.position AND NOT w.inferred
	 WHERE NOT v.inferred AND v.verdict <> w.verdict AND v.verdict <> 'undetermined'"
}

names='stretched-420 split-clients-reject claimant-dead-kill slotmap-corruption'
# under sanitizers and other compilers one is enough
[ -z "${QUICK-}" ] || names=stretched-420
for name in $names; do
	xz -dc "$dir/$name/capture.pcap.xz" >"$work/capture.pcap"
	judge "$name" "$work/capture.pcap"
	mv "$work/t.db" "$work/whole.db"
	decided=$(sql "$work/whole.db" "SELECT count(*) FROM verdict WHERE verdict <> 'undetermined'")
	[ "$decided" -gt 20 ]
	ok "$name: whole: $decided decided" $?
	n=$(capinfos -Mc "$work/capture.pcap" | sed -n 's/^Number of packets: *//p')

	# other containers
	editcap -F pcapng "$work/capture.pcap" "$work/d.pcapng"
	judge "$name" "$work/d.pcapng"
	is "$name: as pcapng: the same verdicts" "$(verdicts "$work/whole.db")" "$(verdicts "$work/t.db")"
	is "$name: as pcapng: the same windows" "$(windows "$work/whole.db")" "$(windows "$work/t.db")"
	editcap -F nsecpcap "$work/capture.pcap" "$work/d.pcap"
	judge "$name" "$work/d.pcap"
	is "$name: in nanoseconds: the same verdicts" "$(verdicts "$work/whole.db")" "$(verdicts "$work/t.db")"
	rm -rf "$work/rotated"
	mkdir "$work/rotated"
	editcap -F pcap -c $((n / 4 + 1)) "$work/capture.pcap" "$work/rotated/d.pcap"
	judge "$name" "$work"/rotated/*
	is "$name: in $(ls "$work/rotated" | wc -l) rotated files: the same verdicts" \
	    "$(verdicts "$work/whole.db")" "$(verdicts "$work/t.db")"

	# damage
	# shellcheck disable=SC2046
	editcap -F pcap "$work/capture.pcap" "$work/d.pcap" $(seq 37 100 "$n" | head -n 500)
	judge "$name" "$work/d.pcap"
	is "$name: one packet of a hundred lost: no verdict turns" 0 "$(turned)"
	editcap -F pcap -s 96 "$work/capture.pcap" "$work/d.pcap"
	judge "$name" "$work/d.pcap"
	is "$name: 96 bytes of each: no verdict turns" 0 "$(turned)"
	[ "$(sql "$work/t.db" "SELECT count(*) FROM problem p JOIN source USING (source_id) WHERE source.kind = 'capture'")" -gt 0 ]
	ok "$name: 96 bytes of each: the loss is said" $?
	editcap -F pcap "$work/capture.pcap" "$work/d.pcap" "1-$((n / 3))"
	judge "$name" "$work/d.pcap"
	is "$name: begun midway: no verdict turns" 0 "$(turned)"
	editcap -F pcap -r "$work/capture.pcap" "$work/d.pcap" "1-$((n / 2))"
	judge "$name" "$work/d.pcap"
	is "$name: ended midway: no verdict turns" 0 "$(turned)"
	mergecap -F pcap -w "$work/d.pcap" "$work/capture.pcap" "$work/capture.pcap"
	judge "$name" "$work/d.pcap"
	is "$name: each packet twice: the same verdicts" "$(verdicts "$work/whole.db")" "$(verdicts "$work/t.db")"
done

# Topology dumps that are cut say nothing of what they lost.
cut_views()
{
	rm -rf "$work/cut" "$work/t.db"
	mkdir -p "$work/cut/views"
	cp -r "$srcdir/samples/corruption/clients" "$srcdir/samples/corruption/server" "$work/cut"
	for f in "$srcdir"/samples/corruption/views/*.gz; do
		gzip -dc "$f" | "$@" >"$work/cut/views/$(basename "$f" .gz)"
	done
	"$slotrace" ingest "$work/t.db" -q "$work/cut" >"$work/out" 2>&1
	"$slotrace" analyze "$work/t.db" >"$work/out" 2>&1
	sql "$work/t.db" "SELECT group_concat(DISTINCT verdict) FROM (SELECT verdict FROM failover_error ORDER BY 1)"
}
is 'views: whole' 'corruption,undetermined' "$(cut_views cat)"
for cut in 'tail -n +173' 'head -n 172' 'head -n 254' 'head -c 16430' 'tail -c +22581'; do
	is "views: $cut" 'corruption,undetermined' "$(cut_views $cut)"
done
done_testing
