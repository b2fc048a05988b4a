#!/bin/sh
# cases.sh - every folder of tests/cases is read and analysed, and answers the
# questions of its expect.sql as that says.
#
# expect.sql is written from expect.md by hand.  It runs in the stock shell:
#
#	-- files of 2019-03-12			what the files' own time is
#	-- options --zone +01:00		further options of the ingest
#	-- What is asked.
#	SELECT ...;
#	--= a row of the answer
#	--TODO why the answer is another one today
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"

# questions FILE: each into $work/N.name, .sql, .want, .todo; prints how many
questions()
{
	awk -v to="$work/" '
	/^-- files of |^-- options / { next }
	/^--= / { print substr($0, 5) >(to n ".want"); next }
	/^--TODO / { print substr($0, 8) >(to n ".todo"); next }
	/^-- / {
		if (!naming) {
			n++
			printf "" >(to n ".want")
			printf "" >(to n ".sql")
		}
		printf "%s%s", naming ? " " : "", substr($0, 4) >(to n ".name")
		naming = 1
		next
	}
	NF { naming = 0; print >(to n ".sql") }
	END { print n + 0 }' "$1"
}

directive()
{
	sed -n "s/^-- $1 //p" "$2"
}

for dir in "$srcdir"/tests/cases/[0-9]*; do
	case=$(basename "$dir")
	expect=$dir/expect.sql
	rm -rf "$work"/*
	mkdir "$work/$case"
	cp "$dir"/* "$work/$case"
	chmod u+w "$work/$case"/*
	rm "$work/$case"/expect.*
	day=$(directive 'files of' "$expect")
	touch -d "${day:-2026-11-30}T12:00:00Z" "$work/$case"/*
	# shellcheck disable=SC2046
	(cd "$work/$case" && "$slotrace" ingest ../case.db -q $(directive options "$expect") -- *) \
	    >"$work/out" 2>&1
	status=$?
	[ $status = 0 ] || [ $status = 3 ]
	ok "$case: is read" $?
	"$slotrace" analyze "$work/case.db" >"$work/out" 2>&1
	ok "$case: is analysed" $?
	"$slotrace" check "$work/case.db" >"$work/out" 2>&1
	ok "$case: invariants hold" $?
	count=$(questions "$expect")
	n=0
	while [ $n -lt "$count" ]; do
		n=$((n + 1))
		sqlite3 -readonly -bail "$work/case.db" <"$work/$n.sql" >"$work/got" 2>&1
		todo=
		[ ! -f "$work/$n.todo" ] || todo=" # TODO $(cat "$work/$n.todo")"
		is "$case: $(cat "$work/$n.name")$todo" "$(cat "$work/$n.want")" "$(cat "$work/got")"
	done
done
done_testing
