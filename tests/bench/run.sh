#!/usr/bin/env bash
# run.sh - how fast slotrace is beside what the machine can do at best: the table
# of README.md, measured here.  Never a test: it prints ratios, nothing fails.
#
#	make bench			the sizes of the table (needs 5 GB in TMPDIR)
#	SMALL=1 make bench		a seventh of them
#	make bench BENCH_FLAGS='plain log'	some of the rows
#
# TMPDIR holds the corpora (slotrace-bench/, made once, kept); RUNS is how many
# pairs are timed for each row (5).  Wanted, and skipped when missing: tshark,
# rg, grep, gzip, zstd, sqlite3.
set -u
LC_ALL=C TZ=UTC
export LC_ALL TZ
here=$(cd "$(dirname "$0")" && pwd)
: "${SLOTRACE:=$PWD/slotrace}" "${BENCH:=$PWD}" "${RUNS:=5}"
mb=700 windows=1000
if [ "${SMALL-}" = 1 ]; then
	mb=100 windows=100
fi
dir=${TMPDIR:-/tmp}/slotrace-bench/$mb
mkdir -p "$dir" || exit 1
cd "$dir" || exit 1

has()
{
	command -v "$1" >/dev/null || { echo "  ($1 is not there: left out)"; return 1; }
}

# corpus NAME COMMAND...: made once
corpus()
{
	local name=$1

	shift
	[ -f "$name" ] || { "$@" >"$name.new" && mv "$name.new" "$name"; } || exit 1
}

capture()
{
	corpus "$1" "$BENCH/bench_helper" capture "${mb}000000" "$2" "$3" "$4"
}

# pair WHAT TARGET COMMAND COMMAND
pair()
{
	printf '%s (target: %s)\n  ' "$1" "$2"
	"$BENCH/bench_helper" pair "$RUNS" "$3" "$4"
}

ingest="rm -f t.db; exec $SLOTRACE ingest t.db"
loop="exec $BENCH/bench_loop"

against_loop()
{
	pair "$1" "$2" "$ingest $3 >said" "$loop ${4:-$3} >said"
}

plain()
{
	capture plain.pcap 0 50 0
	against_loop 'capture, few connections, no redirects' 'cpu 1.25' plain.pcap
	echo "  timeline: $(stat -c %s t.db) bytes of $(stat -c %s plain.pcap) (target: 1%)"
}

moved()
{
	capture moved.pcap 90 50 0
	against_loop 'capture, 9% of the packets are MOVED' 'cpu 1.9' moved.pcap
}

storm()
{
	capture storm.pcap 400 50 0
	against_loop 'capture, 40% of the packets are MOVED' 'cpu 4.5' storm.pcap
}

many()
{
	capture many.pcap 0 200000 0
	against_loop 'capture, 200,000 connections' 'cpu 2.5, 100 MiB more memory' many.pcap
}

pcapng()
{
	capture one.pcapng 0 50 1
	capture two.pcapng 0 50 2
	against_loop 'pcapng, one interface' 'cpu 1.25' one.pcapng
	against_loop 'pcapng, two interfaces' 'cpu 1.25 of the loop over one' two.pcapng one.pcapng
}

dissector()
{
	has tshark || return
	corpus cut.pcap "$BENCH/bench_helper" capture "$((mb / 7))000000" 90 50 0
	pair 'capture against tshark -Y resp.error' 'clock 0.05' "$ingest cut.pcap >said" \
	    "exec tshark -n -r cut.pcap -d tcp.port==6379,resp -Y resp.error >said 2>&1"
	pair 'capture against tshark -T fields, three of RESP' 'clock 0.013' \
	    "$ingest cut.pcap >said" "exec tshark -n -r cut.pcap -d tcp.port==6379,resp -T fields \
	    -e resp.error -e resp.bulk_string.value -e resp.string >said 2>&1"
}

log()
{
	corpus app.log "$BENCH/bench_helper" text log "${mb}000000"
	sed 's/[][\.*^$(){}?+|]/\\&/g' "$here/literals.txt" | paste -sd '|' >pattern
	has grep && pair 'log against grep -cE' 'cpu 0.6' "$ingest app.log >said" \
	    "grep -cE \"\$(cat pattern)\" app.log >said"
	has rg && pair 'log against rg -c' 'cpu 0.4' "$ingest app.log >said" \
	    "rg -c \"\$(cat pattern)\" app.log >said"
}

dump()
{
	corpus nodes.txt "$BENCH/bench_helper" text dump "$((mb * 4 / 7))000000"
	pair 'dump against grep -c myself' 'clock 6' "$ingest nodes.txt >said" \
	    "grep -c myself nodes.txt >said"
}

# packed NAME TOOL: ingest of the packed capture, unpacking, ingest of the plain
packed()
{
	has "$2" || return
	capture plain.pcap 0 50 0
	corpus "plain.pcap.$1" "$2" -c plain.pcap
	pair "$2: ingest of the packed file against unpacking and ingest" 'clock 1' \
	    "$ingest plain.pcap.$1 >said" "$2 -dc plain.pcap.$1 | cat >/dev/null; $ingest plain.pcap >said"
}

archives()
{
	packed gz gzip
	packed zst zstd
}

analysis()
{
	local n

	has sqlite3 || return
	for n in "$windows" "$((windows / 10))"; do
		[ -f "made-$n.db" ] || {
			rm -f new.db
			"$SLOTRACE" set new.db cluster-node-timeout=5000 --incident bench >said &&
			    sqlite3 -bail new.db "CREATE TEMP TABLE size AS SELECT $n AS windows" \
			    ".read $here/timeline.sql" && mv new.db "made-$n.db" || exit 1
		}
	done
	pair "analysis of $windows,000 redirects against one lag() pass" 'clock 20' \
	    "cp made-$windows.db t.db && exec $SLOTRACE analyze t.db >said" \
	    "cp made-$windows.db t.db && sqlite3 t.db 'SELECT sum(d) FROM (SELECT at - lag(at) OVER (
	    PARTITION BY observer_id ORDER BY at) AS d FROM redirect)' >said"
	RUNS=1 pair 'analysis of ten times the events' 'clock 12' \
	    "cp made-$windows.db t.db && exec $SLOTRACE analyze t.db >said" \
	    "cp made-$((windows / 10)).db t.db && exec $SLOTRACE analyze t.db >said"
}

uname -srm
grep -m1 'model name' /proc/cpuinfo
echo "$(nproc) processors; load $(cut -d' ' -f1-3 /proc/loadavg); corpora of $mb MB"
"$SLOTRACE" --version
for row in ${*:-plain moved storm many pcapng dissector log dump archives analysis}; do
	$row
done
rm -f t.db said
