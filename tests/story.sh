#!/bin/sh
# story.sh - the first screen says what happened where no error was raised too:
# who died, was suspected, came back, took over, what the cluster's state was;
# and where nothing happened, or nothing could be read, that.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$work"
n1=1111111111111111111111111111111111111111 n4=4444444444444444444444444444444444444444

# told SENTENCE [OPTION...]: the files of the folder `in`, read alone, give it.
told()
{
	sentence=$1
	shift
	rm -f t.db
	"$slotrace" ingest -q t.db in >/dev/null 2>err || true
	"$slotrace" analyze t.db
	"$slotrace" report t.db --width 1000 "$@" >out 2>&1
	sed -n '/^What happened/,/^$/s/^  - //p' out >story
	grep -qxF "$sentence" story && r=0 || r=1
	ok "$sentence" $r
	[ $r = 0 ] || sed 's/^/# /' story
}

# A server log of n2: n1 dies, n4 takes over, n1 comes back.
mkdir in
cat >in/n2.log <<LOG
1:M 30 Nov 2026 02:09:00.000 * Node configuration loaded, I'm 2222222222222222222222222222222222222222
1:M 30 Nov 2026 02:09:01.000 # Cluster state changed: ok
1:M 30 Nov 2026 02:10:00.100 * *** NODE $n1 possibly failing
1:M 30 Nov 2026 02:10:00.500 * FAIL message received from 3333333333333333333333333333333333333333 about $n1
1:M 30 Nov 2026 02:10:00.501 # Cluster state changed: fail
1:M 30 Nov 2026 02:10:01.000 # Failover auth granted to $n4 for epoch 7
1:M 30 Nov 2026 02:10:01.200 # Cluster state changed: ok
1:M 30 Nov 2026 02:10:09.000 * Clear FAIL state for node $n1: master without slots is reachable again.
LOG
told '2026-11-30T02:10:00.500Z: 11111111 was marked FAIL by one node, suspected (PFAIL) since 02:10:00.100Z; no longer FAIL at 02:10:09.000Z'
is 'no error: the headline says so' 1 "$(grep -c '^t: no failover error' out)"
told '2026-11-30T02:10:00.501Z: the cluster was in state fail, as 22222222 said, until 02:10:01.200Z'
told 'no failover error was found in 1 server log (8 records); nothing in it says who owned which slots, so a divergence could not be seen'
told '2026-11-30T02:10:00.500Z: 11111111 was marked FAIL by one node, suspected (PFAIL) since 02:10:00.100Z; not seen to come back' --until 2026-11-30T02:10:05Z
sed '/FAIL/d' in/n2.log >in/x && mv in/x in/n2.log
told '2026-11-30T02:10:00.100Z: 11111111 was suspected (PFAIL) by one node, but never marked FAIL'
sed '/state changed: ok/d' in/n2.log >in/x && mv in/x in/n2.log
told '2026-11-30T02:10:00.501Z: the cluster was in state fail, as 22222222 said; not seen to end'

# n4's own log: promoted; n1's: shut down and started anew.
cat >in/n4.log <<LOG
1:S 30 Nov 2026 02:09:00.000 * Node configuration loaded, I'm $n4
1:S 30 Nov 2026 02:10:01.000 # Starting a failover election for epoch 7.
1:S 30 Nov 2026 02:10:01.100 # Failover election won: I'm the new master.
1:M 30 Nov 2026 02:10:01.100 # configEpoch set to 7 after successful failover
LOG
told '2026-11-30T02:10:01.101Z, window 1: 44444444 was promoted (automatic-failover, epoch 7); whose slots it took is not known; no error followed'
cat >in/n1.log <<LOG
1:C 30 Nov 2026 02:08:59.000 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo
1:M 30 Nov 2026 02:09:00.000 * Node configuration loaded, I'm $n1
1:signal-handler (1796004600) Received SIGTERM scheduling shutdown...
1:M 30 Nov 2026 02:10:00.000 # User requested shutdown...
1:M 30 Nov 2026 02:10:00.001 # Redis is now ready to exit, bye bye...
2:C 30 Nov 2026 02:12:00.000 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo
LOG
told '2026-11-30T02:10:00.000Z: 11111111 was shut down'
told '2026-11-30T02:12:00.000Z: 11111111 was started anew'
is 'the first start is none' 1 "$(grep -c 'started anew' story)"

# Many alike are told in one.
for i in 1 2 3 4 5; do
	cat <<LOG
1:M 30 Nov 2026 02:10:0$i.500 * FAIL message received from 3333333333333333333333333333333333333333 about ${i}111111111111111111111111111111111111112
LOG
done >>in/n2.log
told '2026-11-30T02:10:01.500Z: 5 nodes were marked FAIL, first 11111111'

# A client that could not connect, and raised nothing.
rm in/*
cat >in/app.log <<LOG
2026-11-30 02:09:31,100 ERROR app redis.exceptions.ConnectionError: Error 111 connecting to 10.0.0.1:7000. Connection refused.
LOG
told '2026-11-30T02:09:31.100Z: 10.0.0.1:7000 could not be reached (refused), by in/app'

# Nothing happened; nothing was read.
rm in/*
cat >in/n1.txt <<DUMP
# 2026-11-30T02:09:31.100Z 10.0.0.1:7000
$n1 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-16383
DUMP
told 'no failover error was found, and the views of one observer never disagreed, in 1 topology dump (1 record)'
rm in/*
echo 'to do: buy milk' >in/notes.txt
told 'nothing was read that tells of a cluster: one input is of no known kind'
done_testing
