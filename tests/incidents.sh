#!/bin/sh
# incidents.sh - recorded incidents against their labels and truth, with all
# evidence and with each kind of evidence taken away.
#
#	incidents.sh [INCIDENTS [NAME...]]
#
# Taking away is deleting rows of the timeline before it is analysed: the test
# that finds wrong rules.  What counts: never a wrong class; with all evidence
# at least 99 of 100 labelled errors right, every promotion a window with the
# true edges inside its bounds, no failover window that the truth has not.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"
dir=${INCIDENTS:-$srcdir/tests/incidents}
[ $# = 0 ] || { dir=$1; shift; }

text()
{
	if [ -f "$1.gz" ]; then gzip -dc "$1.gz"; else cat "$1"; fi
}

# ingest NAME: the evidence, without labels and truth
ingest()
{
	base=$dir/$1
	rm -f "$work/all.db"
	timeout_ms=$(sqlite3 :memory: "SELECT json_extract(readfile('$base/truth.json'), '\$.node_timeout_ms')")
	"$slotrace" ingest "$work/all.db" -q --set cluster-node-timeout="$timeout_ms" \
	    "$base"/capture.pcap.* "$base/clients" "$base/server" "$base/views" >"$work/out" 2>&1
	{ printf '['; text "$base/labels.ndjson" | sed '$!s/$/,/'; printf ']'; } >"$work/labels.json"
	text "$base/truth.json" >"$work/truth.json"
}

# numbers DB: what|number lines
numbers()
{
	{
		echo "CREATE TEMP TABLE label_text AS SELECT readfile('$work/labels.json') AS text;"
		echo "CREATE TEMP TABLE truth_text AS SELECT readfile('$work/truth.json') AS text;"
		cat "$srcdir/tests/incidents/compare.sql"
	} | sqlite3 -bail "$1"
}

of()
{
	sed -n "s/^$1|//p" "$work/numbers"
}

# variant NAME SQL: a copy without some of the evidence, judged
variant()
{
	cp "$work/all.db" "$work/part.db"
	sqlite3 -bail "$work/part.db" "PRAGMA foreign_keys = ON; BEGIN; $2; COMMIT;" >"$work/out" &&
	    "$slotrace" analyze "$work/part.db" >"$work/out" 2>&1
	ok "$name: $1: analysed" $?
	numbers "$work/part.db" >"$work/numbers"
	is "$name: $1: no wrong class ($(of right) of $(of labels) right)" "0" "$(of wrong)"
	[ "$name" != resharding ] ||
		is "$name: $1: no failover, no verdict" '0 0' "$(of failovers) $(of judged)"
}

of_kind="source_id IN (SELECT source_id FROM source WHERE kind ="
# sparse US PHASE: a sample each so many microseconds
sparse()
{
	echo "DELETE FROM view WHERE $of_kind 'topology-dump') AND ((last_at - $2) / $1) * $1 + $2 < first_at
	    AND view_id NOT IN (SELECT min(view_id) FROM view WHERE kind = 'dump' GROUP BY observer_id, (first_at - $2) / $1);
	UPDATE view SET first_at = CASE WHEN ((last_at - $2) / $1) * $1 + $2 BETWEEN first_at AND last_at THEN
		min(last_at, ((first_at - $2 + $1 - 1) / $1) * $1 + $2) ELSE first_at END,
	    last_at = CASE WHEN ((last_at - $2) / $1) * $1 + $2 BETWEEN first_at AND last_at THEN ((last_at - $2) / $1) * $1 + $2 ELSE first_at END,
	    samples = 1, max_gap_us = 0
	 WHERE kind = 'dump';
	DELETE FROM contact WHERE $of_kind 'topology-dump');"
}

for name in ${*:-$(cd "$dir" && ls -d */ | tr -d /)}; do
	[ -f "$dir/$name/truth.json" ] || continue
	ingest "$name"
	variant "all evidence" "SELECT 1"
	is "$name: every error of the labels is there" 0 "$(of unseen)"
	is "$name: no further errors" 0 "$(of unlabelled)"
	[ $(($(of right) * 100)) -ge $(($(of labels) * 99)) ]
	ok "$name: 99 of 100 right" $?
	is "$name: every promotion is a window" 0 "$(of promotions-missed)"
	is "$name: true openings inside the bounds" 0 "$(of promotions-out-of-bounds)"
	is "$name: true closings inside the bounds" 0 "$(of demotions-out-of-bounds)"
	is "$name: true agreement inside the bounds" 0 "$(of convergence-out-of-bounds)"
	is "$name: no window invented" 0 "$(of windows-invented)"
	case $name in
	resharding)
		[ "$(of migrations)" -gt 0 ]
		ok "$name: migrations" $? ;;
	manual-*)
		is "$name: a window each" "$(of promotions)" "$(of failovers)" ;;
	esac
	case $name in
	resharding|manual-*|reconnect-*)
		is "$name: nothing is judged, nothing inferred" 0 "$(of judged)" ;;
	esac
	"$slotrace" check "$work/part.db" >"$work/check" 2>&1
	ok "$name: invariants hold" $?
	sqlite3 "$work/part.db" .dump >"$work/dump1"
	cat "$srcdir"/sql/[1-4]*.sql | sqlite3 -bail "$work/part.db"
	sqlite3 "$work/part.db" .dump >"$work/dump2"
	cmp -s "$work/dump1" "$work/dump2"
	ok "$name: the stock shell leaves the same timeline, a second time too" $?
	sqlite3 -bail "$work/all.db" <"$srcdir/tests/incidents/bus.sql" >"$work/numbers"
	# slots move faster than the sampler asks
	[ "$name" = resharding ] ||
		is "$name: bus headers agree with the samples ($(of headers) spans)" '0 1' \
		    "$(of held-and-not-sampled) $([ "$(of brief-and-not-sampled)" -le 1 ]; echo $((1 - $?)))"
	# A former owner's header says whom it follows: that closes its window.
	case $name in
	manual-*|stretched-*)
		cp "$work/all.db" "$work/part.db"
		sqlite3 -bail "$work/part.db" "PRAGMA foreign_keys = ON; DELETE FROM source WHERE kind IN ('server-log', 'topology-dump');
		    DELETE FROM view WHERE kind <> 'bus'; DELETE FROM server_event"
		"$slotrace" analyze "$work/part.db"
		is "$name: headers alone: every window closes" 1 "$(sql "$work/part.db" "SELECT count(*) > 0 AND min(close_reason = 'old-owner-yielded') FROM window")" ;;
	esac
	# QUICK: under sanitizers and other compilers the SQL is the same
	[ -z "${QUICK-}" ] || continue
	variant "no capture" "DELETE FROM source WHERE kind = 'capture'"
	# Nothing to be judged, and slow for its hundreds of windows.
	[ "$name" != resharding ] || continue
	variant "no server logs" "DELETE FROM source WHERE kind = 'server-log'"
	variant "no samples" "DELETE FROM source WHERE kind = 'topology-dump'"
	variant "no contacts" "DELETE FROM contact"
	variant "capture only, and client logs" "DELETE FROM source WHERE kind IN ('server-log', 'topology-dump')"
	variant "bus only, and client logs" "DELETE FROM source WHERE kind IN ('server-log', 'topology-dump');
	    DELETE FROM view WHERE kind IN ('reply', 'served');
	    DELETE FROM redirect WHERE $of_kind 'capture'); DELETE FROM contact WHERE $of_kind 'capture')"
	is "$name: bus only: every promotion is a window, and no other" '0 0' \
	    "$(of promotions-missed) $(of windows-invented)"
	is "$name: bus only: the true edges inside the bounds" '0 0 0' \
	    "$(of promotions-out-of-bounds) $(of demotions-out-of-bounds) $(of convergence-out-of-bounds)"
	variant "server logs and client logs" "DELETE FROM source WHERE kind IN ('capture', 'topology-dump')"
	variant "client logs and one dump" "DELETE FROM source WHERE kind IN ('capture', 'server-log');
	    DELETE FROM contact WHERE $of_kind 'topology-dump');
	    DELETE FROM view WHERE view_id <> (SELECT min(view_id) FROM view WHERE kind = 'dump')"
	for s in 200000 1000000 5000000 30000000; do
		variant "a sample each $((s / 1000)) ms, no capture, no server logs" \
		    "DELETE FROM source WHERE kind IN ('capture', 'server-log'); $(sparse $s 0)"
		variant "a sample each $((s / 1000)) ms, half a turn later, no capture" \
		    "DELETE FROM source WHERE kind = 'capture'; $(sparse $s $((s / 2)))"
	done
	for o in $(sqlite3 "$work/all.db" "SELECT DISTINCT observer_id FROM view WHERE kind = 'dump'"); do
		variant "the samples of one node alone ($o)" \
		    "DELETE FROM source WHERE kind IN ('capture', 'server-log'); DELETE FROM view WHERE kind = 'dump' AND observer_id <> $o"
	done
	# what was known at some instant, and the redirects of the capture
	for k in 1 2 3 4; do
		until="(SELECT min(first_at) + (max(last_at) - min(first_at)) * $k / 5 FROM view WHERE kind = 'dump')"
		variant "views until $k fifths" "DELETE FROM source WHERE kind = 'server-log';
		    CREATE TEMP TABLE t AS SELECT $until AS at; DELETE FROM view WHERE first_at > (SELECT at FROM t);
		    UPDATE view SET last_at = min(last_at, (SELECT at FROM t))"
		variant "one dump, at $k fifths, and server logs" "DELETE FROM source WHERE kind = 'capture';
		    DELETE FROM contact WHERE $of_kind 'topology-dump');
		    DELETE FROM view WHERE kind = 'dump' AND view_id <> (SELECT view_id FROM view WHERE kind = 'dump' AND first_at >= $until ORDER BY first_at LIMIT 1)"
	done
	variant "client logs only" "DELETE FROM source WHERE kind IN ('capture', 'server-log', 'topology-dump')"
done
done_testing
