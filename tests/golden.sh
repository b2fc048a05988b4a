#!/bin/sh
# golden.sh - the golden tests: each line of golden/cases.list is a test.
#
#	name | exit status | input | arguments
#
# In the arguments DB is a fresh timeline and IN the input, a path below the top
# of the source.  Where they do not use IN themselves, the input has been
# investigated, once for all cases.  What is written (output, then errors) must equal NAME.txt beside
# cases.list.  GOLDEN_UPDATE=1 writes the files anew: look at the difference.
set -u
. "$(dirname "$0")/lib.sh"
here=$srcdir/tests/golden
cd "$work"
ln -s "$srcdir/samples" samples
ln -s "$srcdir/tests" tests

# prepared INPUT: case.db is its timeline.
prepared()
{
	folder=prepared/$1
	if [ ! -e "$folder/case.db" ]; then
		mkdir -p "$folder"
		"$slotrace" investigate "$folder/case.db" "$1" >/dev/null 2>&1 || true
	fi
	cp "$folder/case.db" case.db
}

run_case()
{
	name=$1 status=$2 input=$3
	arguments=$(echo "$4" | sed "s|\<DB\>|case.db|g; s|\<IN\>|$input|g")
	rm -f case.db
	case $4 in
	*IN*) ;;
	*)	[ "$input" = - ] || prepared "$input" ;;
	esac
	got=0
	eval "\"\$slotrace\" $arguments" >out 2>err </dev/null || got=$?
	cat err >>out
	if [ "${GOLDEN_UPDATE-}" = 1 ]; then
		cp out "$here/$name.txt"
	fi
	is "$name: exit status" "$status" "$got"
	if diff -u "$here/$name.txt" out >difference 2>&1; then
		ok "$name: text" 0
	else
		ok "$name: text" 1
		sed 's/^/# /' difference
	fi
}

grep -vE '^(#|$)' "$here/cases.list" >cases
while IFS='|' read -r name status input arguments; do
	run_case "$(echo $name)" "$(echo $status)" "$(echo $input)" \
	    "$(echo "$arguments" | sed 's/^ *//')"
done <cases
done_testing
