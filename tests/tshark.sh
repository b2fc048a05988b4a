#!/bin/sh
# tshark.sh - an independent reading of the clean captures finds the same
# redirects.
set -eu
. "$(dirname "$0")/lib.sh"
for name in failover manual; do
	title="$name: as many MOVED replies as tshark"
	if ! command -v tshark >/dev/null; then
		skip "$title" 'no tshark'
		continue
	fi
	file=$srcdir/tests/captures/$name.pcap
	theirs=$(tshark -r "$file" -d tcp.port==21001-21006,resp -Y resp.error -T fields \
	    -e resp.error 2>/dev/null | tr ',' '\n' | grep -c '^MOVED ' || true)
	"$slotrace" ingest "$work/$name.db" "$file" >/dev/null 2>&1 || true
	is "$title" "$theirs" "$(sql "$work/$name.db" \
	    "SELECT count(*) FROM redirect WHERE code = 'MOVED'")"
done
done_testing
