#!/bin/sh
# run.sh SECONDS [TARGET]... - look for crashes with every fuzz target, or those
# named, each for so many seconds.  Run it in a folder built with --enable-fuzz.
# What is found stays in fuzz-out/; status 1 if anything was.
set -eu
seconds=${1:?usage: run.sh SECONDS [TARGET]...}
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- $(ls fuzz_* | grep -v '\.')
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8
export ASAN_OPTIONS
mkdir -p fuzz-out
bad=0
for target; do
	name=${target#fuzz_}
	mkdir -p fuzz-out/"$name"
	dict=
	[ ! -e "$here/dict/$name" ] || dict=-dict=$here/dict/$name
	# Leaks are looked for once, at the end, over all that was kept.
	if ./fuzz_"$name" -detect_leaks=0 -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
	    -max_len=20000 -print_final_stats=1 \
	    -artifact_prefix=fuzz-out/"$name"- $dict fuzz-out/"$name" \
	    "$here/corpus/$name" >fuzz-out/"$name".log 2>&1 &&
	    ./fuzz_"$name" -runs=0 fuzz-out/"$name" "$here/corpus/$name" \
	    >fuzz-out/"$name"-leaks.log 2>&1; then
		echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' \
		    fuzz-out/"$name".log) executions$(sed -n \
		    's/^#[0-9]*[[:space:]]DONE *\(cov: [0-9]* ft: [0-9]*\).*/, \1/p' fuzz-out/"$name".log)"
	else
		echo "$name: FAILED"
		cat fuzz-out/"$name"*.log | grep -v -e '^stat::' -e '^#[0-9]' -e 'NEW_FUNC' | tail -40
		bad=1
	fi
done
exit $bad
