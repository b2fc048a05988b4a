# lib.sh - what the shell tests share: TAP, a folder of their own, the program.
# Sourced by each; automake's driver sets srcdir, the build folder is current.
LC_ALL=C TZ=UTC
export LC_ALL TZ
: "${srcdir:=$(dirname "$0")/..}"
srcdir=$(cd "$srcdir" && pwd)
slotrace=${SLOTRACE:-$(pwd)/slotrace}
work=$(mktemp -d "${TMPDIR:-/tmp}/slotrace-test-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tests=0

# ok NAME: the last command's status decides; use as: cmd; ok name $?
ok()
{
	tests=$((tests + 1))
	if [ "$2" = 0 ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
	fi
}

# is NAME EXPECTED GOT
is()
{
	if [ "$2" = "$3" ]; then
		ok "$1" 0
	else
		ok "$1" 1
		printf '%s\n' "expected: $2" "got:      $3" | sed 's/^/# /'
	fi
}

# skip NAME WHY: in CI a missing tool is a failure
skip()
{
	tests=$((tests + 1))
	if [ "${CI-}" = true ]; then
		echo "not ok $tests - $1 (needed in CI: $2)"
	else
		echo "ok $tests - $1 # SKIP $2"
	fi
}

done_testing()
{
	echo "1..$tests"
}

# sql DB TEXT: one value or lines
sql()
{
	sqlite3 -readonly "$1" "$2"
}

# fixture DB: the query surface filled by hand (tests/report/fixture.sql), and
# the views of corrected times that the analysis would have made
fixture()
{
	{
		cat "$srcdir/sql/schema.sql" "$srcdir/tests/report/fixture.sql"
		sed -n '/^CREATE VIEW c_/,/;$/p' "$srcdir/sql/100-clock.sql"
	} | sqlite3 -bail "$1"
}

# surface DB: all that the query surface answers, but for the row ids of
# observers, which are no promise
surface()
{
	for view in connect_storm error_condition error_evidence failover_error input \
	    slot_owner summary timeline window window_condition window_observer; do
		echo "== $view"
		columns='*'
		[ $view != window_observer ] || columns=$(sql "$1" "SELECT
		    group_concat(name) FROM pragma_table_info('$view')
		    WHERE name <> 'who'")
		sql "$1" "SELECT $columns FROM $view" | LC_ALL=C sort
	done
}
