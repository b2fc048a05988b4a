#!/bin/sh
# soak.sh - gigabytes from a generator through a pipe, never on disk, in 256 MiB
# of addresses: half of them a capture, half a log.
#
#	make soak [SOAK=GIGABYTES]	default 5
set -u
. "$(dirname "$0")/lib.sh"
: "${GENERATE:=$(pwd)/generate}"
gigabytes=${1:-5}
half=$((gigabytes * 500000000))
cd "$work"
ulimit -v 262144
for kind in traffic lines; do
	began=$(date +%s)
	"$GENERATE" $kind $half | "$slotrace" ingest -q soak.db - 2>err
	is "$kind: $half bytes" 0 $?
	sed 's/^/# /' err
	echo "# $(($(date +%s) - began)) s"
done
"$slotrace" analyze soak.db
ok 'analyzed' $?
is 'both were read to the end' 'capture read client-log read' "$(sql soak.db "SELECT
    group_concat(kind || ' ' || status, ' ') FROM (SELECT * FROM source ORDER BY source_id)")"
is 'as many bytes as were made' 1 "$(sql soak.db "SELECT min(bytes) >= $half FROM source")"
is 'what was in them was found' '1 1' "$(sql soak.db "SELECT (SELECT count(*) > 5 FROM redirect)
    || ' ' || (SELECT count(*) > 100 FROM client_error)")"
echo "# timeline: $(wc -c <soak.db) bytes, $(sql soak.db 'SELECT sum(records) FROM source') records"
done_testing
