#!/bin/sh
# replay.sh - every fuzz target reads its seeds and the inputs that once
# crashed it.  FUZZERS: the targets, in the current folder.
set -u
corpus=${srcdir:-.}/tests/fuzz/corpus
n=0
for target in $FUZZERS; do
	n=$((n + 1))
	name=${target#fuzz_}
	set -- "$corpus/$name"/*
	if [ ! -e "$1" ]; then
		echo "not ok $n - $name: no corpus"
	elif ./"$target" "$@" >replay-"$name".out 2>&1; then
		echo "ok $n - $name: $# inputs"
		rm -f replay-"$name".out
	else
		sed 's/^/# /' replay-"$name".out
		echo "not ok $n - $name"
	fi
done
echo "1..$n"
