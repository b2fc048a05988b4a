#!/bin/sh
# progress.sh - a long ingest says on a terminal how far it is, and takes the
# line away; elsewhere, and with -q, it is silent.  -v says what each input gave.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$work"
awk 'BEGIN {
	for (i = 0; i < 120000; i++)
		printf "2026-11-30T02:%02d:%02d.%03dZ DEBUG shop slot %d: 10.77.0.15:6379 answered MOVED %d 10.77.0.11:6379\n",
		    (i / 60000) % 60, (i / 1000) % 60, i % 1000, i % 16384, i % 16384
}' >big.log
head -n 200 big.log >small.log

"$slotrace" ingest silent.db big.log >out 2>err </dev/null
is 'no terminal: nothing on standard error' '' "$(cat err)"
is 'no terminal: a line an input' 1 "$(wc -l <out | tr -d ' ')"
"$slotrace" ingest -q -v quiet.db small.log >out 2>err </dev/null
is '-v: what an input gave' "client-log read $(wc -c <small.log | tr -d ' ') 200 0 200 0 0 0 0 small.log" "$(sed 1d out | tr '\t' ' ')"
"$slotrace" investigate -v told.db small.log >out 2>err </dev/null || true
is 'investigate -v: on standard error, the report is whole' '1 1' \
    "$(grep -c 'small.log$' err) $(grep -c '^told: no failover error$' out)"

if ! script -qec true /dev/null >/dev/null 2>&1; then
	skip 'progress on a terminal' 'script (util-linux) is not installed'
	done_testing
	exit
fi

# terminal COLUMNS COMMAND: what it writes to a terminal, a line a redrawing.
terminal()
{
	rm -f t.db
	script -qec "stty cols $1; $2" /dev/null </dev/null >typescript 2>&1 || true
	tr -d '\n' <typescript | tr '\r' '\n' | sed "s/$(printf '\033')\[K/|/g" >lines
}
terminal 100 "'$slotrace' ingest t.db big.log"
grep -qE '^read [0-9.]+ MB of 12\.0 MB \([0-9]+%\), [0-9.]+ [kMG]B/s, ([0-9]+:)*[0-9]+( s)? left\|$' lines && r=0 || r=1
ok 'terminal: bytes, of how many, rate, time left' $r
[ $r = 0 ] || sed 's/^/# /' lines
is 'terminal: the line is taken away before the input is told' 1 "$(grep -cE '^\|client-log .*big\.log$' lines || true)"
terminal 30 "'$slotrace' ingest t.db big.log"
is 'terminal: no wider than it is' '' "$(grep '^read' lines | grep -vE '^.{1,29}\|$' || true)"
terminal 100 "'$slotrace' ingest -q t.db big.log"
is 'terminal, -q: nothing' '' "$(cat lines)"
terminal 100 "'$slotrace' ingest t.db small.log"
is 'terminal, a short ingest: nothing' 0 "$(grep -c '^read' lines || true)"
terminal 100 "cat big.log | '$slotrace' ingest t.db -"
is 'terminal, from a pipe: no total' 'yes 0' \
    "$(grep -qE '^read [0-9.]+ MB, [0-9.]+ [kMG]B/s\|$' lines && echo yes) $(grep -c ' left' lines || true)"
terminal 100 "'$slotrace' investigate t.db big.log >/dev/null"
is 'terminal, investigate: the analysis is named, and the last word is an empty line' 'yes |' \
    "$(grep -q '^analyzing|$' lines && echo yes) $(tail -n 1 lines)"
done_testing
