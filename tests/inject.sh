#!/bin/sh
# inject.sh - memory, reads and writes that fail: the program ends with a
# message, and the timeline is whole: as before, or with all of the source.
. "${srcdir:-.}/tests/lib.sh"

if grep -q __asan_init "$slotrace" || grep -q valgrind "$slotrace"; then
	echo '1..0 # SKIP memory is watched already'
	exit
fi
if ! ${CC:-cc} -shared -fPIC -D_GNU_SOURCE -o "$work/inject.so" \
    "$srcdir/tests/inject.c" -ldl 2>"$work/cc.log"; then
	skip 'injected failures' 'a C compiler and glibc'
	done_testing
	exit
fi
input="$srcdir/tests/captures/manual.pcap $srcdir/tests/renderings"
# shellcheck disable=SC2086
"$slotrace" ingest "$work/before.db" $input >/dev/null 2>&1
rows='SELECT (SELECT count(*) FROM source), (SELECT count(*) FROM view),
	(SELECT count(*) FROM redirect), (SELECT count(*) FROM problem)'
expected=$(sql "$work/before.db" "$rows")

# one KIND N: 0 when it ended well
one()
{
	rm -f "$work"/t.db*
	# shellcheck disable=SC2086
	INJECT=$1:$2 LD_PRELOAD=$work/inject.so timeout 60 "$slotrace" ingest "$work/t.db" \
	    $input >"$work/out" 2>"$work/err"
	status=$?
	case $status in
	0|1|3) ;;
	*)
		echo "# $1:$2: status $status: $(tail -n 1 "$work/err")"
		return 1
		;;
	esac
	if [ $status = 1 ] && [ ! -s "$work/err" ]; then
		echo "# $1:$2: failed without a message"
		return 1
	fi
	[ -s "$work/t.db" ] || return 0
	whole=$(sqlite3 "$work/t.db" 'PRAGMA integrity_check' 2>&1)
	orphans=$(sqlite3 "$work/t.db" 'PRAGMA foreign_key_check' 2>&1)
	if [ "$whole" != ok ] || [ -n "$orphans" ]; then
		echo "# $1:$2: $whole $orphans"
		return 1
	fi
	return 0
}

for kind in malloc read write; do
	bad=0
	for n in 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 10946 \
	    17711 28657 46368 75025; do
		one $kind $n || bad=$((bad + 1))
	done
	is "$kind" 0 $bad
done
one short 1
is 'short reads change nothing' "$expected" "$(sql "$work/t.db" "$rows")"
done_testing
