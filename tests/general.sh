#!/bin/sh
# general.sh - the short ways change nothing: each capture, incident and sample
# read twice, the second time by the general code alone (SLOTRACE_GENERAL), line
# for line the same timeline.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work"
if ! command -v sqlite3 >/dev/null; then
	skip 'short ways and the general code' 'no sqlite3'
	done_testing
	exit
fi

# read_into FOLDER INPUT: the timeline as text, and what was said
read_into()
{
	mkdir -p "$1"
	rm -f "$1/t.db"
	"$slotrace" ingest "$1/t.db" "$2" >"$1/said" 2>&1
	echo "exit status $?" >>"$1/said"
	sqlite3 "$1/t.db" .dump >"$1/dump"
}

for input in "$srcdir"/tests/captures/*.pcap* "$srcdir"/tests/incidents/*/ "$srcdir"/samples/*/; do
	read_into short "$input"
	SLOTRACE_GENERAL=1 read_into general "$input"
	name=${input#"$srcdir"/}
	cmp -s short/dump general/dump && cmp -s short/said general/said
	ok "${name%/}" $?
done

# A timeline that is empty equals any other that is.
is 'redirects of the last' 1 "$(sql short/t.db 'SELECT count(*) > 100 FROM redirect')"
done_testing
