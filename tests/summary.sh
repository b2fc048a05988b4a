#!/bin/sh
# summary.sh BUILDDIR LOG STATUS - a line a suite of the last make check, and as
# last line "N passed, N failed, N skipped".  Fails if anything failed.  STATUS is
# what make ended with: if it failed though no test did, it stopped before it ran
# them all, and that is a failure too.
#
# Every suite speaks TAP; automake's driver writes the result of each test into
# the suite's log.
set -eu
build=$1 log=$2 status=$3

find "$build" -name '*.trs' | LC_ALL=C sort >"$build/suites.list"
if [ ! -s "$build/suites.list" ]; then
	tail -n 30 "$log" >&2
	echo '0 passed, 1 failed, 0 skipped'
	exit 1
fi
while read -r trs; do
	suite=$(basename "$trs" .trs)
	grep -E '^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): ' "${trs%.trs}.log" |
	    sed "s|^|$suite |"
done <"$build/suites.list" | awk -v status="$status" '
{
	# Check names the file of each test: one line a suite of it.
	suite = $1
	if (match($0, /check_[a-z0-9_-]*\.c/))
		suite = substr($0, RSTART, RLENGTH - 2)
	if (!(suite in seen)) {
		seen[suite] = 1
		order[++n] = suite
	}
	if ($2 == "PASS:") pass[suite]++
	else if ($2 == "SKIP:" || $2 == "XFAIL:") skip[suite]++
	else {
		fail[suite]++
		print "FAILED: " $0
	}
}
END {
	for (i = 1; i <= n; i++) {
		s = order[i]
		printf "%-24s %4d passed, %d failed, %d skipped\n", s, pass[s], fail[s], skip[s]
		p += pass[s]; f += fail[s]; k += skip[s]
	}
	if (status != 0 && f + 0 == 0) {
		f = 1
		print "FAILED: make check ended with " status " before it ran every suite"
	}
	printf "%d passed, %d failed, %d skipped\n", p, f, k
	exit f > 0
}'
