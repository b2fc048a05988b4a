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

# under KIND N COMMAND...: run so
under()
{
	injected=$1:$2
	shift 2
	status=0
	timeout 60 env "INJECT=$injected" "LD_PRELOAD=$work/inject.so" "$slotrace" "$@" \
	    >"$work/out" 2>"$work/err" || status=$?
	[ $status != 1 ] || failed=$((failed + 1))
	case $status in
	0|1|3) ;;
	*)
		echo "# $injected: $1: status $status: $(tail -n 1 "$work/err")"
		return 1
		;;
	esac
	if [ $status = 1 ] && [ ! -s "$work/err" ]; then
		echo "# $injected: $1: failed without a message"
		return 1
	fi
	return 0
}

# whole: the timeline is
whole()
{
	[ -s "$work/t.db" ] || return 0
	whole=$(sqlite3 "$work/t.db" 'PRAGMA integrity_check' 2>&1)
	orphans=$(sqlite3 "$work/t.db" 'PRAGMA foreign_key_check' 2>&1)
	[ "$whole" = ok ] && [ -z "$orphans" ] && return
	echo "# $injected: $whole $orphans"
	return 1
}

one_ingest()
{
	rm -f "$work"/t.db*
	# shellcheck disable=SC2086
	under "$1" "$2" ingest "$work/t.db" $input && whole
}

one_analyze()
{
	cp "$work/before.db" "$work/t.db"
	rm -f "$work/t.db-journal"
	under "$1" "$2" analyze "$work/t.db" && whole || return 1
	[ "$(sql "$work/t.db" "$rows")" = "$expected" ] && return
	echo "# $1:$2: analyze changed what was read"
	return 1
}

# The file is the old one, or all of the new one; nothing lies beside it.
one_report()
{
	echo old >"$work/page"
	under "$1" "$2" report "$work/after.db" -f html -o "$work/page" || return 1
	cmp -s "$work/page" "$work/new.html" && [ $status = 0 ] ||
	    { [ "$(cat "$work/page")" = old ] && [ $status = 1 ]; } || {
		echo "# $1:$2: status $status, a page of $(wc -c <"$work/page") bytes"
		return 1
	}
	[ "$(ls "$work" | grep -c '^page')" = 1 ] && return
	echo "# $1:$2: $(ls "$work" | grep '^page') are left"
	rm -f "$work"/page?*
	return 1
}

cp "$work/before.db" "$work/after.db"
"$slotrace" analyze "$work/after.db" >/dev/null 2>&1
"$slotrace" report "$work/after.db" -f html -o "$work/new.html"
for command in ingest analyze report; do
	for kind in malloc open read write step; do
		bad=0 failed=0
		for n in 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 10946 \
		    17711 28657 46368 75025; do
			one_$command $kind $n || bad=$((bad + 1))
		done
		is "$command: $kind" 0 $bad
		[ $failed -gt 0 ]
		ok "$command: $kind: some did fail" $?
	done
done
for kind in short part eintr; do
	one_ingest $kind 1
	is "$kind: ingest gives the same" "$expected" "$(sql "$work/t.db" "$rows")"
	one_report $kind 1 && [ $status = 0 ]
	ok "$kind: report gives the same" $?
done

# Files that others write to meanwhile: what was read is a whole source, and the
# next ingest reads what is there by then.
awk 'BEGIN {
	for (i = 0; i < 9000; i++)
		printf "2026-11-30T02:09:%02d.%03dZ ERROR shop MOVED %d 10.0.0.%d:6379\n",
		    i / 1000 + 1, i % 1000, i, i % 5 + 1
}' >"$work/lines"
VICTIM=$work/app.log
export VICTIM
meddled()
{
	rm -f "$work"/t.db*
	cp "$work/lines" "$VICTIM"
	# The sandbox would keep this one from writing, too.
	SLOTRACE_NO_SANDBOX=1
	export SLOTRACE_NO_SANDBOX
	under "$1" "$2" ingest -q --incident x "$work/t.db" "$VICTIM" && whole && [ $status != 1 ]
	r=$?
	unset SLOTRACE_NO_SANDBOX
	return $r
}
for kind in shrink grow gone; do
	bad=0 changed=0
	for n in 1 2 3 4; do
		meddled $kind $n || bad=$((bad + 1))
		cmp -s "$work/lines" "$VICTIM" || changed=$((changed + 1))
		# A source has as many bytes as it says it has, and was found by them.
		[ "$(sql "$work/t.db" "SELECT count(*) FROM source WHERE status = 'read' AND
		    bytes > 0 AND xxh3 IS NOT NULL AND records > 0")" -ge 1 ] || bad=$((bad + 1))
		[ -e "$VICTIM" ] || continue
		"$slotrace" ingest -q --incident x "$work/t.db" "$VICTIM" >/dev/null 2>&1
		rm -f "$work/fresh.db"
		"$slotrace" ingest -q --incident x "$work/fresh.db" "$VICTIM" >/dev/null 2>&1
		is "$kind at read $n: then it is as it stands there" 1 "$(sql "$work/t.db" "ATTACH '$work/fresh.db' AS f;
		    SELECT count(*) FROM source s JOIN f.source USING (xxh3, bytes) WHERE s.status <> 'duplicate'")"
	done
	is "$kind" 0 $bad
	[ $changed -gt 0 ]
	ok "$kind: some did change" $?
done

# While it reads, it can write nowhere else.  (The first read of all is SQLite's, of
# random bytes, when the timeline is made.)
mkdir "$work/in" "$work/elsewhere"
ESCAPE=$work/elsewhere/file
export ESCAPE
escaped()
{
	rm -f "$work"/in/* "$ESCAPE"
	under escape 2 ingest "$work/in/t.db" - <"$srcdir/tests/captures/manual.pcap"
	[ -e "$ESCAPE" ] && echo yes || echo no
}
is 'without a sandbox a file appears elsewhere' yes \
    "$(SLOTRACE_NO_SANDBOX=1; export SLOTRACE_NO_SANDBOX; escaped)"
echo 'int main(void) { return syscall(444, 0, 0, 1) < 1; }' >"$work/landlock.c"
if ${CC:-cc} -w -o "$work/landlock" "$work/landlock.c" && "$work/landlock"; then
	is 'with it none does' no "$(TMPDIR=$work/in escaped)"
else
	tests=$((tests + 1))
	echo "ok $tests - with it none does # SKIP no Landlock in this kernel"
fi
done_testing
