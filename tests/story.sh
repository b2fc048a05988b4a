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

# advised SENTENCE: the report on t.db as it is has it under "What to change".
advised()
{
	"$slotrace" report t.db --width 1000 >out 2>&1
	sed -n '/^What to change/,/^$/s/^  - //p' out >advice
	grep -qxF "$1" advice && r=0 || r=1
	ok "advice: $1" $r
	[ $r = 0 ] || sed 's/^/# /' advice
}
# said LINE: the same, under "Clocks"
said()
{
	"$slotrace" report t.db --width 1000 >out 2>&1
	sed -n '/^Clocks/,/^$/s/^  //p' out >clocks
	grep -qxF "$1" clocks && r=0 || r=1
	ok "clocks: $1" $r
	[ $r = 0 ] || sed 's/^/# /' clocks
}
# read [OPTION...]: the folder `in` into a new t.db
read_in()
{
	rm -f t.db
	"$slotrace" ingest -q t.db in "$@" >/dev/null 2>err || true
	"$slotrace" analyze t.db
}

# No error, but could one have been seen?
rm in/*
cp "$srcdir/tests/cases/017/session.txt" in
read_in
advised 'No failover error was found, but no client was heard: collect the logs of the clients around 2014-08-02T12:53:17Z, or a capture on one of their hosts, and read them too.'
advised 'Nodes were not seen to agree again before the evidence ends (window 1): collect CLUSTER NODES of 192.168.77.51:7000 and 192.168.77.51:7003 and their server logs of the time after, to see when it ended and who was misled.'
is 'and never "Nothing"' 0 "$(grep -c '^Nothing' advice || true)"
said 'in/session.txt: no time in it; taken from its newest pong, and it may be up to 8.5 s later'
is 'an edge that has one bound only' 1 "$(grep -c 'not after 2014-08-02T12:53:17.058Z, window 1' out)"
rm in/*
cp "$srcdir/tests/cases/028/ci.log" in
read_in
advised 'No failover error was found, but no client was heard: collect the logs of the clients around 2024-09-12T03:21:59Z, or a capture on one of their hosts, and read them too.'
is 'no 40 digits where no address is known' 1 "$(grep -c '^  1   epoch-collision: 8e0d9416 -> 230364d0 (epoch 9), slots not known' out)"
rm in/*
xzcat "$srcdir/samples/spurious/capture.pcap.xz" | head -c 20000 >in/cut.pcap
read_in
is 'a damaged capture is to be collected again' 1 "$("$slotrace" report t.db --width 1000 | grep -c '^  - No failover error was found in what could be read, and .* could not (in/cut.pcap.*): collect it again, whole.')"
rm in/*
echo '2026-11-30 02:09:31,100 ERROR app redis.exceptions.ConnectionError: Error 111 connecting to 10.0.0.1:7000. Connection refused.' >in/app.log
read_in
is 'clients alone' 1 "$("$slotrace" report t.db --width 1000 | grep -c 'nothing tells what the servers did: collect their logs')"

# Clocks: no year, no zone, measured and not applied, in another zone.
rm in/*
cat >in/n1.log <<LOG
1:M 30 Nov 02:09:00.000 * Node configuration loaded, I'm $n1
1:M 30 Nov 02:10:00.501 # Cluster state changed: fail
LOG
touch -d 2026-12-02T00:00:00Z in/n1.log
read_in
said "in/n1.log: no year in the log; taken from the file's modification time (2026-12-02)"
rm in/*
mkdir -p in/views in/clients in/server
cp "$srcdir"/samples/genuine/views/* in/views
cp "$srcdir"/samples/genuine/clients/* in/clients
for i in 1 2 3 4 5 6; do
	sed 's/ 02:1/ 08:1/' "$srcdir/samples/genuine/server/n$i.log" >in/server/n$i.log
done
read_in
said 'in/server/n1.log and 5 more server logs: no zone in the log; read as UTC'
grep -q ': may be off: [-+]21[56][09][09].* too few, not applied$' clocks && r=0 || r=1
ok 'measured, not applied: the clocks tell it' $r
grep -q '^  - Find out whose clock is wrong: .* may be off by up to 21600 s' out && r=0 || r=1
ok 'and the advice' $r
advised 'Check the zone of 6 logs: they share no moment with the rest of the evidence (in/server/n1.log, from 2026-11-30T08:10:00Z to 2026-11-30T08:10:30Z). Read them anew with --zone +06:00, with which they meet the rest, or declare the offset (slotrace clock DB SOURCE OFFSET) and analyze again.'
read_in --zone +06:00
is 'read in its zone there is no such advice' 0 "$("$slotrace" report t.db | grep -c 'Check the zone' || true)"

# Times in a form that is not read.
rm -r in/*
printf '%s ERROR app redis.exceptions.RedisClusterException: MOVED 42 10.0.0.1:7000\n' '10/11/2026 02:10:08' '10/11/2026 02:10:09' >in/app.log
read_in
"$slotrace" report t.db --width 1000 >out
is 'a time that is not read is told, with the first one' 1 \
    "$(grep -cxF '  in/app.log:1: begins with what looks like a time, 10/11/2026 02:10:08, in a form that is not read (the order of its date is not known); write such times as 2026-11-30T01:02:03Z (2 times in all)' out)"

# A promotion that a window tells of is not told again where its log does not say
# whose it is.
rm -r in/*
cp -r "$srcdir"/samples/genuine/views "$srcdir"/samples/genuine/server in
sed '/[0-9a-f]\{40\}/d' in/server/n4.log >x && mv x in/server/n4.log
read_in
is 'a promotion is told once' 0 "$("$slotrace" report t.db --width 1000 | grep -c 'n4 was promoted' || true)"

# A client on the wrong side of a partition: nobody is sent to look at the node.
rm -r in/*
cp -r "$srcdir"/tests/incidents/split-clients-reject/* in
read_in
advised '167 errors were justified: 10.77.0.14:6379 owned the slots and answered others, but not c2/redispy (96), c2/ioredis (40), c2/refclient (31); look at the network between them.'
is 'of no node it is said that it could not be reached' 0 "$(grep -c 'could not be reached' advice || true)"
# Its bus headers come late: what the old owner claims after it yielded is no news;
# and who tells of another one (UPDATE) has not lost its own.
"$slotrace" report t.db -f html | grep -F '>10.77.0.11:6379</div>' | grep -o 'class="\(own\|alive\)"' | tr '\n' ' ' >lane
is 'a late bus header gives nobody its slots back' 'class="own" class="own" class="alive" ' "$(cat lane)"
"$slotrace" report t.db -f html | grep -F '>10.77.0.12:6379</div>' | grep -o 'class="\(own\|alive\)"' | tr '\n' ' ' >lane
is 'who speaks of another loses nothing' 'class="own" ' "$(cat lane)"

# Slots that were given up were set to nobody.
rm -r in/*
cp -r "$srcdir"/tests/incidents/partial-coverage-delslots/* in
read_in
for f in text markdown html; do
	"$slotrace" report t.db -f $f >out
	is "$f: slots given up" '1 0' "$(grep -c 'slots given up' out | sed 's/^[1-9].*/1/') $(grep -v '<dt>window<' out | grep -c setslot || true)"
done
"$slotrace" explain t.db window 1 >out
is 'explain: slots given up' 1 "$(grep -c '^slots given up window 1: slots 1000-1999, 10.77.0.11:6379 (epoch 1) -> nobody' out)"

# What is not proven is not said to be so.
rm -r in/*
cp "$srcdir"/tests/cases/012/* in
read_in
"$slotrace" explain t.db error 1 --width 1000 >out
is 'explain: a rule that is not certain' 1 "$(grep -c '^  rule 6 *it would be that the views agree, .* but this is not certain: undetermined$' out)"

# One node by its id and by its address is one thing; of a slot that is not known
# nothing is said as of this slot.
rm -r in/*
cp -r "$srcdir"/samples/corruption/* in
read_in
addr=$(sql t.db 'SELECT claimant_addr FROM failover_error WHERE claimant_id IS NOT NULL LIMIT 1')
sqlite3 t.db "UPDATE verdict SET verdict = 'undetermined', slot = NULL, leans = NULL, missing = 'slot,view-of:' || (SELECT node_id FROM (SELECT claimant_id AS node_id
    FROM failover_error WHERE claimant_addr = '$addr')) || ',view-of:$addr'"
n=$(sql t.db 'SELECT count(*) FROM verdict')
advised "$n errors are undetermined; what would decide: the slot of the command ($n), the view of $addr at that time ($n)."
is 'of a group too' 0 "$(grep -c "missing .*$addr at that time, .*$addr" out || true)"
is 'query missing: the same' "slot $n view-of:$addr $n" "$("$slotrace" query t.db missing | awk 'NR > 1 { print $1, $2 }' | paste -sd ' ')"
"$slotrace" explain t.db error 1 --width 1000 >out
is 'explain: a slot that is not known' '1 0' "$(grep -c '^  slot  *not known: the views and contacts are those of one of the slots that it may be$' out) $(grep -c 'of this slot count' out || true)"
is 'explain: that view once' 1 "$(grep -c "the view of $addr over the episode were known" out)"

# Refusals follow no redirect, and are told beside the window that brought them.
rm -r in/*
cp -r "$srcdir"/tests/incidents/partial-coverage-delslots/* in
mkdir -p in/c9
read_in
t=$(sql t.db "SELECT strftime('%Y-%m-%dT%H:%M:%S', opened_by / 1000000 + 2, 'unixepoch') FROM window LIMIT 1")
rm -r in/clients in/*.pcap*
for i in 1 2; do
	echo "${t}.${i}00Z ERROR app RedisClusterException: The Redis Cluster is down (CLUSTERDOWN)"
done >in/c9/shop.log
read_in
"$slotrace" report t.db --width 1000 >out
is 'refusals: no error followed is not said' '1 1' "$(grep -c '^  - .*no failover error followed, but CLUSTERDOWN, 2 times, to one client$' out) $(grep -c 'CLUSTERDOWN was logged 2 times, always while nodes disagreed: c9/shop 2. By itself it is no failover error, and not judged.$' out)"

# Two captures of the same traffic: what both show is counted once.
rm -r in/*
xzcat "$srcdir/samples/spurious/capture.pcap.xz" >in/a.pcap
read_in
cp in/a.pcap in/b.pcap
printf '\377\377\3\0' | dd of=in/b.pcap bs=1 seek=16 conv=notrunc 2>/dev/null
counts="SELECT redirects FROM summary; SELECT count(*) FROM timeline WHERE kind IN ('moved', 'ask');
    SELECT at_utc, endpoint, command, requests, peak_per_s FROM connect_storm; SELECT count(*) FROM failover_error"
sql t.db "$counts" >one
read_in
sql t.db "$counts" >two
is 'two captures are read' 2 "$(sql t.db "SELECT count(*) FROM source WHERE kind = 'capture' AND status = 'read'")"
is 'a packet in two captures is counted once' "$(cat one)" "$(cat two)"
is 'and that is said' 1 "$("$slotrace" report t.db --width 1000 | grep -c '^  - [1-9][0-9]* replies (redirects and refusals) are in more than one capture of the same traffic: counted once.$')"

# A client's log in another zone: its errors are told apart, and stretch no axis.
rm -r in/*
cp -r "$srcdir"/samples/genuine/views "$srcdir"/samples/genuine/clients in
zcat "$srcdir/samples/genuine/clients/refclient.log.gz" | sed 's/^2026-11-30\([ T]\)02:/2026-11-30\109:/; s/^\([0-9T: ,.-]*\)Z/\1/' >in/clients/refclient.log
rm in/clients/refclient.log.gz
read_in
"$slotrace" report t.db --width 1000 >out
is 'errors of a log in another zone are told apart' 2 "$(sed -n '/^What happened/,/^$/p' out | grep -c 'T09:.*, by a log that shares no moment with the rest$')"
is 'and no sentence goes over hours' 0 "$(sed -n '/^What happened/,/^$/p' out | grep -c 'T02:.* to 09:' || true)"
is 'nor does the axis' 1 "$("$slotrace" report t.db -f html | sed -n 's/.*data-t0="\([0-9]*\)[0-9.]*" data-t1="\([0-9]*\)[0-9.]*".*/\2 \1/p' | awk '{ print ($1 - $2 < 120000) }')"
is 'and the lane says so' 1 "$("$slotrace" report t.db -f html | grep -c 'its log lies outside of these times')"
done_testing
