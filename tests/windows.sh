#!/bin/sh
# windows.sh - windows from little evidence: what some nodes alone saw, or some
# logs alone said, gives true bounds or open ones, and no invented divergence.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"
views=$srcdir/tests/incidents/manual-40/views
cd "$work"

# Two nodes of six were asked.  An old owner that names a new one with an epoch
# that is news yields to a promotion that nobody saw: no SETSLOT, and over.
"$slotrace" ingest two.db -q "$views/n1.txt.gz" "$views/n5.txt.gz" >/dev/null
"$slotrace" analyze two.db
is 'two dumps: nothing is called SETSLOT' 0 "$(sql two.db "SELECT count(*) FROM window WHERE cause = 'setslot'")"
is 'two dumps: a window whose old owner was asked closes within a poll' '3 1' "$(sql two.db "SELECT count(*) || ' ' ||
    min(closed_by - opened_by <= 60000) FROM window w WHERE old_owner_addr IN ('10.77.0.11:6379', '10.77.0.15:6379')")"
is 'two dumps: when an unseen claimant claimed nothing tells' 0 "$(sql two.db "SELECT count(opened_after) FROM window WHERE old_owner_addr IN ('10.77.0.11:6379', '10.77.0.15:6379')")"
is 'two dumps: who takes its slots back had yielded by then' '2 1' "$(sql two.db "SELECT count(closed_by) || ' ' || min(closed_by = (SELECT min(x.opened_by)
    FROM window x WHERE x.new_owner_id = w.old_owner_id AND x.opened_by > w.opened_by)) FROM window w
    WHERE old_owner_addr NOT IN ('10.77.0.11:6379', '10.77.0.15:6379') AND closed_by IS NOT NULL")"

# Logs alone, the one of them cut: a demotion ends the promotion before it, none
# of the earlier ones.
mkdir logs
server=$srcdir/tests/incidents/manual-40/server
gzip -dc "$server/n2.log.gz" >logs/n2.log
gzip -dc "$server/n5.log.gz" | awk '/MASTER MODE|new master|Reconfiguring myself/ { n++ } n > 8' >logs/n5.log
"$slotrace" ingest logs.db -q logs >/dev/null
"$slotrace" analyze logs.db
is 'a log cut at its beginning: no window outlasts the next promotion' '1 1' "$(sql logs.db "SELECT (count(*) > 4) || ' ' || min(closed_by <= next + 2000)
    FROM (SELECT closed_by, lead(opened_by) OVER (ORDER BY opened_by) AS next FROM window) WHERE next IS NOT NULL AND closed_by IS NOT NULL")"

# A node restarts with its old nodes.conf and hears of its successor.
n1=1111111111111111111111111111111111111111 n4=4444444444444444444444444444444444444444
mkdir back
cat >back/n1.log <<EOT
72:C 30 Nov 2026 17:50:26.888 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo
72:M 30 Nov 2026 17:50:26.889 * Node configuration loaded, I'm $n1
72:M 30 Nov 2026 17:50:26.894 # Configuration change detected. Reconfiguring myself as a replica of $n4
72:S 30 Nov 2026 17:50:26.896 # Cluster state changed: ok
EOT
cat >back/n4.log <<EOT
31:M 30 Nov 2026 17:48:18.410 * No cluster configuration found, I'm $n4
31:S 30 Nov 2026 17:50:13.889 # Starting a failover election for epoch 7.
31:S 30 Nov 2026 17:50:13.892 # Failover election won: I'm the new master.
31:S 30 Nov 2026 17:50:13.892 # configEpoch set to 7 after successful failover
31:M 30 Nov 2026 17:58:00.000 # Cluster state changed: ok
EOT
for t in 0 1 2; do
	for me in 1 4; do
		echo "# 2026-11-30T17:58:0$t.000Z 10.0.0.$me:6379"
		echo "$n1 10.0.0.1:6379@16379 $([ $me = 1 ] && echo myself,)slave $n4 0 0 7 connected"
		echo "$n4 10.0.0.4:6379@16379 $([ $me = 4 ] && echo myself,)master - 0 0 7 connected 0-16383"
	done
done >back/views.txt
"$slotrace" ingest back.db -q back >/dev/null
"$slotrace" analyze back.db
is 'a restart with an old nodes.conf: a stale return of milliseconds' "stale-return|$n1|$n4|7|1" "$(sql back.db "SELECT cause, old_owner_id, new_owner_id, new_epoch,
    closed_by - opened_by <= 10000 FROM window WHERE opened_by_utc > '2026-11-30T17:50:20'")"

# The same, and the successor was never asked: only a third node names it.
mkdir third
{
	echo '72:C 30 Nov 2026 17:48:00.000 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo'
	cat back/n1.log
} >third/n1.log
n3=3333333333333333333333333333333333333333
for t in 17:48:30 17:50:00 17:50:20 17:51:00 17:58:00; do
	new=$(case $t in 17:48:30|17:50:00) echo 0 ;; *) echo 1 ;; esac)
	echo "# 2026-11-30T$t.000Z 10.0.0.3:6379"
	if [ "$new" = 0 ]; then
		echo "$n1 10.0.0.1:6379@16379 master - 0 0 2 connected 0-8191"
		echo "$n4 10.0.0.4:6379@16379 slave $n1 0 0 2 connected"
	else
		echo "$n1 10.0.0.1:6379@16379 slave $n4 0 0 7 connected"
		echo "$n4 10.0.0.4:6379@16379 master - 0 0 7 connected 0-8191"
	fi
	echo "$n3 10.0.0.3:6379@16379 myself,master - 0 0 3 connected 8192-16383"
	[ "$t" = 17:48:30 ] || [ "$t" = 17:58:00 ] || continue
	echo "# 2026-11-30T$t.000Z 10.0.0.1:6379"
	if [ "$new" = 0 ]; then
		echo "$n1 10.0.0.1:6379@16379 myself,master - 0 0 2 connected 0-8191"
	else
		echo "$n1 10.0.0.1:6379@16379 myself,slave $n4 0 0 7 connected"
		echo "$n4 10.0.0.4:6379@16379 master - 0 0 7 connected 0-8191"
	fi
	echo "$n3 10.0.0.3:6379@16379 master - 0 0 3 connected 8192-16383"
done >third/views.txt
"$slotrace" ingest third.db -q third >/dev/null
"$slotrace" analyze third.db
is 'the same, told by a third node: its successor has the higher epoch' "stale-return|$n1|2|$n4|7|1" "$(sql third.db "SELECT cause, old_owner_id, old_epoch, new_owner_id, new_epoch,
    closed_by - opened_by <= 10000 FROM window WHERE opened_by_utc > '2026-11-30T17:50:22'")"

# Slots are imported, the last of them from a node that had been marked FAIL.
n2=2222222222222222222222222222222222222222
mkdir moved
cat >moved/n2.log <<EOT
31:M 30 Nov 2026 17:48:18.410 * Node configuration loaded, I'm $n2
31:M 30 Nov 2026 17:57:40.000 # Marking node $n4 as failing (quorum reached).
31:M 30 Nov 2026 17:57:55.000 # Clear FAIL state for node $n4: is reachable again and nobody is serving its slots after some time.
31:M 30 Nov 2026 17:58:00.480 # New configEpoch set to 11
31:M 30 Nov 2026 17:58:00.480 # configEpoch updated after importing slot 0
EOT
for t in 0 1 2; do
	for me in 2 4; do
		[ $t = 0 ] && slots2=8192-16383 slots4=0-8191 e=2 || { slots2='0 8192-16383' slots4=1-8191 e=11; }
		echo "# 2026-11-30T17:58:0$t.0${me}0Z 10.0.0.$me:6379"
		echo "$n2 10.0.0.2:6379@16379 $([ $me = 2 ] && echo myself,)master - 0 0 $e connected $slots2"
		echo "$n4 10.0.0.4:6379@16379 $([ $me = 4 ] && echo myself,)master - 0 0 7 connected $slots4"
	done
done >moved/views.txt
"$slotrace" ingest moved.db -q moved >/dev/null
"$slotrace" analyze moved.db
is 'an import after a FAIL that is over: a migration' 'migration|0' "$(sql moved.db "SELECT cause, slots FROM window")"
done_testing
