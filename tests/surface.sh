#!/bin/sh
# surface.sh - the query surface is a promise: its names and columns in their
# order (golden/surface.txt), and the same answers whatever the order in which
# the evidence was read, in one command or in many.
set -u
. "$(dirname "$0")/lib.sh"
incident=$srcdir/tests/incidents/stretched-420
cd "$work"

# ingest DB FILE...
ingest()
{
	db=$1
	shift
	"$slotrace" ingest -q --incident x "$db" "$@"
}

ln -s "$incident" in
find in/ -type f \( -path '*/clients/*' -o -path '*/server/*' -o \
    -path '*/views/*' -o -name 'capture.*' \) | sort >forth
sort -r forth >back
# Paths without blanks: words on purpose.
# shellcheck disable=SC2046
ingest forth.db $(cat forth) && "$slotrace" analyze forth.db
ok 'an incident in one command' $?
for view in connect_storm error_condition error_evidence failover_error input slot_owner \
    summary timeline window window_condition window_observer; do
	sql forth.db "SELECT '$view|' || name FROM pragma_table_info('$view')"
done >columns
if [ "${GOLDEN_UPDATE-}" = 1 ]; then
	cp columns "$srcdir/tests/golden/surface.txt"
fi
diff -u "$srcdir/tests/golden/surface.txt" columns >difference
ok 'names and columns of the surface, in their order' $?
sed 's/^/# /' difference

surface forth.db >forth.out
for view in failover_error window timeline slot_owner error_evidence; do
	[ "$(sql forth.db "SELECT count(*) > 0 FROM $view")" = 1 ]
	ok "$view: there is something to compare" $?
done

# shellcheck disable=SC2046
ingest back.db $(cat back) && "$slotrace" analyze back.db
surface back.db | diff forth.out - >difference
ok 'in the opposite order: the same answers' $?
sed 's/^/# /' difference | cut -c1-300 | head -n 20

while read -r file; do
	ingest each.db "$file" || exit 1
done <back
"$slotrace" analyze each.db && surface each.db | diff forth.out - >difference
ok 'one command a file, analysed at the end: the same answers' $?
sed 's/^/# /' difference | cut -c1-300 | head -n 20

ingest parts.db in/clients in/views && "$slotrace" analyze parts.db &&
    ingest parts.db in/capture.pcap.xz in/server && "$slotrace" analyze parts.db
surface parts.db | diff forth.out - >difference
ok 'analysed in between: the same answers' $?
sed 's/^/# /' difference | cut -c1-300 | head -n 20
done_testing
