#!/bin/sh
# attack.sh - inputs made to be slow or large: four times as much of one takes
# about four times the work, and memory stays bounded however much there is.
#
# Work is counted in instructions (valgrind's cachegrind), not in seconds; memory
# is what ulimit -v gives.  The inputs come from generate.c, through pipes.
set -u
. "$(dirname "$0")/lib.sh"
generate=$(pwd)/generate
cd "$work"

if grep -q __asan_init "$slotrace" || grep -q valgrind "$slotrace"; then
	echo '1..0 # SKIP memory is watched already'
	exit
fi

# ingest KIND N: exit status 3 is what it ought to be, mostly
ingest()
{
	rm -f t.db
	status=0
	"$generate" "$1" "$2" | "$slotrace" ingest -q t.db - >out 2>&1 || status=$?
	[ $status = 0 ] || [ $status = 3 ]
}

# instructions KIND N
instructions()
{
	rm -f t.db
	"$generate" "$1" "$2" | valgrind --tool=cachegrind --cache-sim=no \
	    --cachegrind-out-file=/dev/null "$slotrace" ingest -q t.db - 2>&1 |
	    sed -n 's/.*I *refs: *//p' | tr -d ,
}

# KIND N BASE: N and four times N are read under the counter; the base is what it
# takes to start, measured by a little of that kind.
counted='syns 10000 traffic
hosts 2000 traffic
bytes 20000 traffic
backwards 20000 traffic
holes 20000 traffic
deep 200000 traffic
pipeline 20000 traffic
fragments 20000 traffic
nodes 2000 nodes
merged 2000 nodes
pairs 100000 nodes
brackets 400000 nodes
line 20000000 lines
words 60 lines
beginnings 60000 lines
members 500 lines
trace 40000 lines
partials 1000 lines
threads 400 lines'
if [ "${QUICK-}" = 1 ]; then
	echo '# QUICK: work is not counted'
elif ! command -v valgrind >/dev/null 2>&1; then
	skip 'work is linear' 'no valgrind'
else
	for kind in traffic nodes lines; do
		instructions $kind 1 >base.$kind
	done
	echo "$counted" | while read -r kind n base; do
		base=$(cat "base.$base")
		echo "$kind $n $(($(instructions "$kind" "$n") - base))" \
		    "$(($(instructions "$kind" $((4 * n))) - base))"
	done >work.txt
	while read -r kind n few many; do
		# A quarter more each time is allowed for: tables that grow, deeper trees.
		[ "$few" -gt 0 ] && [ $((many)) -lt $((few * 5)) ]
		ok "$kind: four times as much is four times the work" $?
		echo "# $n: $few instructions, $((4 * n)): $many"
	done <work.txt
	is 'all were counted' "$(echo "$counted" | wc -l)" "$(wc -l <work.txt)"
	# Linear may be slow still: each byte of an honest log costs some 50, of lines
	# that are all beginnings of rules once 29,000, now some 1,600.
	per_byte=$(awk '$1 == "beginnings" { print int($4 / $2 / 4) }' work.txt)
	[ "$per_byte" -gt 0 ] && [ "$per_byte" -lt 3000 ]
	ok "beginnings: a byte costs less than 3,000 instructions ($per_byte)" $?
fi

# Memory, plain: 256 MiB of addresses, libraries and SQLite's cache among them.
if [ "$(ulimit -v)" = unlimited ] && (ulimit -v 262144) 2>/dev/null; then
	ulimit -v 262144
	while read -r kind n what; do
		ingest "$kind" "$n"
		ok "$what" $?
		[ ! -s out ] || sed 's/^/# /' out
		case $kind in members) ;; containers) n=1025 ;; *) n=1 ;; esac
		is "$what: it is a source" "$n" "$(sql t.db "SELECT count(*) FROM source")"
	done <<-LIST
		line 2200000000 a line of more than 2 GiB
		bytes 1000000 a million one-byte segments
		backwards 1000000 the same, the last first
		holes 500000 segments that wait in vain
		syns 300000 300,000 connections that nobody answers
		flows 200000 200,000 connections that do not end
		hosts 100000 100,000 hosts at a thousand servers
		pipeline 400000 400,000 requests without a reply
		reply 100000000 a reply of 100 MB
		replies 600 600 topologies of a megabyte at once
		halves 262000 262,000 requests and replies that were only begun
		links 600 600 heartbeats of a megabyte at once
		pings 262000 262,000 links of the bus
		deep 20000000 20 million arrays in each other
		fragments 500000 half a million fragments
		nodes 1000000 a dump of a million nodes
		merged 40000 40,000 lines of a dump on one line
		pairs 1300000 1.3 million keys without values
		brackets 100000000 100 million brackets
		trace 2000000 a trace of two million lines
		threads 60000 60,000 threads of as many servers
		members 10000 an archive of 10,000 members
		containers 1000 a log of 1,000 containers
	LIST
else
	skip 'memory is bounded' 'no ulimit -v'
fi
done_testing
