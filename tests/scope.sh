#!/bin/sh
# scope.sh - what is no cluster is recognised and said to be out of scope, not
# judged: standalone servers, Sentinel, client-side sharding, clients that give
# up before they read a slot map.  And the report says what the rules were
# validated on.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$work"

# said NAME SENTENCE [ARGUMENT...]: standard input as the file NAME alone gives
# no error, an exit status of 0, and the sentence.
said()
{
	name=$1 sentence=$2
	shift 2
	rm -rf in t.db
	mkdir in
	cat >"in/$name"
	"$slotrace" investigate t.db in --width 1000 "$@" >out 2>&1 && status=0 || status=$?
	is "$name: status, and nothing judged" '0 0' "$status $(sql t.db 'SELECT count(*) FROM failover_error')"
	grep -qxF "  - $sentence" out && r=0 || r=1
	ok "$name: $sentence" $r
	[ $r = 0 ] || sed 's/^/# /' out
	sed -n '/^In numbers/,/^$/s/^  - //p' out >first
}

said standalone.log 'A server without a cluster (standalone): out of scope, not judged (in/standalone.log:3).' <<'LOG'
1234:C 30 Nov 2026 02:09:00.001 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo
1234:C 30 Nov 2026 02:09:00.001 # Redis version=5.0.7, bits=64, commit=00000000, modified=0, pid=1234, just started
1234:M 30 Nov 2026 02:09:00.002 * Running mode=standalone, port=6379.
1234:M 30 Nov 2026 02:09:00.003 # Server initialized
LOG
is 'an old version is named' 1 "$(grep -c '^Servers: 5.0.7. The rules were validated on recordings of Redis 7.0 and Valkey 9.1, not on all of these.$' first)"
said banner.log 'A server without a cluster (standalone): out of scope, not judged (in/banner.log:1).' <<'LOG'
                _._
           _.-``__ ''-._
      _.-``    `.  `_.  ''-._           Redis 2.8.17 (00000000/0) 64 bit
  .-`` .-```.  ```\/    _.,_ ''-._
 (    '      ,       .-`  | `,    )     Running in stand alone mode
 |`-._`-...-` __...-.``-._|'` _.-'|     Port: 6379
[1234] 30 Nov 02:09:00.001 # Server started, Redis version 2.8.17
[1234] 30 Nov 02:09:00.001 * The server is now ready to accept connections on port 6379
LOG
said sentinel.log 'A Sentinel: out of scope, not judged (in/sentinel.log:1).' <<'LOG'
77:X 30 Nov 2026 02:09:00.001 # Sentinel ID is 5b0c1a7b4a0c5e6f7a8b9c0d1e2f3a4b5c6d7e8f
77:X 30 Nov 2026 02:09:00.002 # +monitor master mymaster 10.0.0.1 6379 quorum 2
77:X 30 Nov 2026 02:09:32.002 # +switch-master mymaster 10.0.0.1 6379 10.0.0.2 6379
LOG
said info.txt 'A server without a cluster (cluster-enabled no): out of scope, not judged (in/info.txt:5).' <<'LOG'
# Server
redis_version:7.0.15
redis_mode:standalone
# Cluster
cluster_enabled:0
LOG
is 'a validated version' 1 "$(grep -c '^Servers: 7.0.15. The rules were validated on recordings of Redis 7.0 and Valkey 9.1.$' first)"
said app.log 'A client by redis-py asks Sentinel: out of scope, not judged (in/app.log:1).' <<'LOG'
2026-11-30 02:09:31,100 ERROR app redis.sentinel.MasterNotFoundError: No master found for 'mymaster'
2026-11-30 02:09:32,100 ERROR app redis.sentinel.MasterNotFoundError: No master found for 'mymaster'
LOG
is 'no version stated' 1 "$(grep -c '^No server states its version. The rules were validated on recordings of Redis 7.0 and Valkey 9.1.$' first)"
said php.log 'A client by predis shards by itself: out of scope, not judged (in/php.log:1).' <<'LOG'
[30-Nov-2026 02:09:32 UTC] PHP Fatal error:  Uncaught Predis\NotSupportedException: Cannot use 'MGET' over clusters of connections. in /srv/x.php:3
LOG
said none.log 'A client asks a server without a cluster: out of scope, not judged (in/none.log:1).' <<'LOG'
2026-11-30T02:09:31.100Z ERROR app redis.exceptions.ResponseError: ERR This instance has cluster support disabled
LOG
said start.log 'in/start could not read a slot map, and followed no redirect: out of scope, not judged (in/start.log:1).' <<'LOG'
2026-11-30 02:09:31,100 ERROR app redis.exceptions.RedisClusterException: Redis Cluster cannot be connected. Please provide at least one reachable node: CLUSTERDOWN The cluster is down
LOG
# A client that runs has one; what it lacks is the slot.
said lettuce.log 'in/lettuce had a slot map without an owner for a slot, and followed no redirect: out of scope, not judged (in/lettuce.log:2).' <<'LOG'
2026-11-30 19:59:00,100 [main] INFO  Cart:10 - started
2026-11-30 20:00:05,250 [lettuce-epollEventLoop-4-1] ERROR Cart:41 - load failed
io.lettuce.core.cluster.PartitionSelectorException: Cannot determine a partition for slot 7850.
LOG
# A client that has read a map and fails later is none of these.
cat >in/start.log <<'LOG'
2026-11-30 02:09:11,100 DEBUG [redis.cluster] Initializing the nodes' topology of the cluster
2026-11-30 02:09:31,100 ERROR app redis.exceptions.RedisClusterException: Redis Cluster cannot be connected. Please provide at least one reachable node: CLUSTERDOWN The cluster is down
LOG
rm t.db
"$slotrace" investigate t.db in >out 2>&1 || true
is 'a client that failed later had a map' 0 "$(grep -c 'could not read a slot map' out || true)"
done_testing
