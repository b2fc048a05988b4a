#!/bin/sh
# readme.sh - what the README shows is what the program says: each fenced block
# that begins with "$ command" is run over the samples, and what follows in it
# must be the answer, the first lines of it where the block ends in "...".
# GOLDEN_UPDATE=1 writes the README anew: look at the difference.
set -eu
. "$(dirname "$0")/lib.sh"
readme=$srcdir/README.md
PATH=$(dirname "$slotrace"):$PATH
cd "$work"
ln -s "$srcdir/samples" samples
: >new.md

# answer: run the command of `block`; `shown` is what the README says.
answer()
{
	command=$(sed -n '1s/^\$ //p' block)
	sed 1d block >shown
	name=$(printf '%.60s' "$command")
	case $command in
	*\ investigate\ *) rm -f incident.db ;;
	esac
	eval "$command" >got 2>&1 </dev/null || echo "status $?" >>got
	if [ "$(tail -n 1 shown)" = ... ]; then
		head -n $(($(wc -l <shown) - 1)) got >part
		echo ... >>part
		mv part got
	fi
	cmp -s shown got && r=0 || r=1
	ok "$name" $r
	[ $r = 0 ] || { diff -u shown got || true; } | sed 's/^/# /'
	{
		sed -n 1p block
		cat got
	} >>new.md
}

inside=0
while IFS= read -r line; do
	case $inside$line in
	'0```'*)
		inside=1
		: >block
		;;
	'1```')
		inside=0
		case $(head -n 1 block) in
		'$ '*) answer ;;
		*) cat block >>new.md ;;
		esac
		;;
	1*)
		printf '%s\n' "$line" >>block
		continue
		;;
	esac
	printf '%s\n' "$line" >>new.md
done <"$readme"
[ "${GOLDEN_UPDATE-}" != 1 ] || cp new.md "$readme"
ran=$(grep -c '^\$ ' "$readme")
[ "$ran" -ge 8 ] && r=0 || r=1
ok "the README has a report and a cookbook ($ran commands)" $r

# Files that it names are there.
for f in $(grep -oE '\]\([a-z][^)]*\)' "$readme" | sed 's/^](//; s/)$//' | grep -v '^http'); do
	[ -e "$srcdir/$f" ] && r=0 || r=1
	ok "link: $f" $r
done
done_testing
