-- log-rule.sql - the patterns that read client logs, one row a rule.
--
-- A row is one way in which one library says one thing.  Patterns are PCRE2
-- (multi-line: ^ and $ match at each line of a record) and are tried on a
-- whole record, unwrapped and with its trace.  Where two rules claim the same
-- text the one that stands first wins; both may fill in what the other lacks.
--
-- Named groups:	slot; endpoint (whom it is about, for a redirect its target), or
--		host and port; node (who answered); key (hashed to a slot, never
--		stored); code, attempts; ms (a duration with its unit); command;
--		raised, an empty group: this was given to the caller, so that a
--		redirect is a failover error; timer, an empty group: a clock ran out.
--		A name with a 2 behind it is the same for another alternative.
-- kind:	as in the view timeline; or node-chosen, which is no event: it says whom
--		the next attempt of the same thread or request is made at; or view: there
--		stands topology in the record, which is read as a dump is; or handed-on,
--		which is no event: the library's word of what it gave to its caller.
-- budget:	redirects that the library allows; backoff_ms its pause between them.
-- A pattern must hold a literal of three bytes or more that each match has.  What
-- stands behind it is at most so many bytes away where a line may begin a match in
-- very many places: a log made to be slow has nothing else.
--
-- Reads: nothing.  Makes: rows of log_rule.

-- Failover errors by name: the application's own client raised them.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'failover-error', 'any', 'any', 'failover-error',
	'(?<raised>)\bRedisClusterFailoverError(?:: |\(|$|(?= on [A-Za-z]+\b))(?:[^\n]*?\bslot[ =:#]*(?<slot>\d{1,5}))?',
	3, NULL,
	'2026-11-30T02:09:17.863Z ERROR shop RedisClusterFailoverError: redirect cycle for slot 2381: 10.77.0.11:6379 -> 10.77.0.12:6379 -> 10.77.0.11:6379 (3 redirects)',
	'failover-error 2381 -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-map-corruption-error', 'any', 'any', 'failover-error',
	'(?<raised>)\bSlotMapCorruptionError(?:: |\(|$|(?= on [A-Za-z]+\b))(?:[^\n]*?\bslot[ =:#]*(?<slot>\d{1,5}))?',
	3, NULL,
	'ERROR app: SlotMapCorruptionError: slot 77: map names 10.0.0.1:6379',
	'failover-error 77 -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'answered-moved', 'any', 'any', 'moved',
	'slot (?<slot>\d{1,5}): (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) answered MOVED \d+ (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG shop slot 1293: 10.77.0.15:6379 answered MOVED 1293 10.77.0.11:6379',
	'moved 1293 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'answered-ask', 'any', 'any', 'ask',
	'slot (?<slot>\d{1,5}): (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) answered ASK \d+ (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG shop slot 1293: 10.77.0.15:6379 answered ASK 1293 10.77.0.11:6379',
	'ask 1293 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-node-refused', 'any', 'any', 'connect-refused',
	'slot \d+: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) unreachable: (?:ECONNREFUSED|[^\n]{0,300}Connection refused)',
	NULL, NULL,
	'WARNING shop slot 1293: 10.77.0.11:6379 unreachable: ECONNREFUSED',
	'connect-refused - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-node-reset', 'any', 'any', 'reset',
	'slot \d+: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) unreachable: (?:ECONNRESET|[^\n]{0,300}Connection reset)',
	NULL, NULL,
	'WARNING shop slot 2890: 10.77.0.11:6379 unreachable: ConnectionResetError: [Errno 104] Connection reset by peer',
	'reset - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-node-closed', 'any', 'any', 'closed',
	'slot \d+: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) unreachable: (?:connection closed|EPIPE|[^\n]{0,300}Broken pipe)',
	NULL, NULL,
	'WARNING shop slot 1293: 10.77.0.11:6379 unreachable: connection closed by peer',
	'closed - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-node-timeout', 'any', 'any', 'connect-timeout',
	'slot \d+: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) unreachable: (?:ETIMEDOUT|[^\n]{0,300}[Tt]imed? ?out)',
	NULL, NULL,
	'WARNING shop slot 1293: 10.77.0.11:6379 unreachable: ETIMEDOUT',
	'connect-timeout - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-node-no-route', 'any', 'any', 'unreachable',
	'slot \d+: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) unreachable: (?:EHOSTUNREACH|ENETUNREACH|[^\n]{0,300}No route to host|[^\n]{0,300}Network is unreachable)',
	NULL, NULL,
	'WARNING shop slot 1293: 10.77.0.11:6379 unreachable: EHOSTUNREACH',
	'unreachable - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-map-refreshed', 'any', 'any', 'topology-refresh',
	'\b(?:slot map refreshed|resync slot map) from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'INFO shop slot map refreshed from 10.77.0.13:6379: 16384 slots',
	'topology-refresh - 10.77.0.13:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-map-refresh-failed', 'any', 'any', 'topology-refresh-failed',
	'\bslot map refresh from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) failed',
	NULL, NULL,
	'WARNING shop slot map refresh from 10.77.0.11:6379 failed: ECONNREFUSED',
	'topology-refresh-failed - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-map-refresh-refused', 'any', 'any', 'connect-refused',
	'\bslot map refresh from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) failed: (?:ECONNREFUSED|[^\n]{0,300}Connection refused)',
	NULL, NULL,
	'WARNING shop slot map refresh from 10.77.0.11:6379 failed: ECONNREFUSED',
	'connect-refused - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'slot-map-refresh-reset', 'any', 'any', 'reset',
	'\bslot map refresh from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) failed: (?:ECONNRESET|[^\n]{0,300}Connection reset)',
	NULL, NULL,
	'WARNING shop slot map refresh from 10.77.0.11:6379 failed: ConnectionResetError: [Errno 104] Connection reset by peer',
	'reset - 10.77.0.11:6379');

-- redis-py: RedisCluster, sync and asyncio.  The word MOVED is stripped.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-ttl', 'redis-py', '4.1-8', 'redirects-exhausted',
	'(?<raised>)\bClusterError(?:: |\([''\"])TTL exhausted',
	16, NULL,
	'redis.exceptions.ClusterError: TTL exhausted.',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-moved-received', 'redis-py', '7.2+', 'moved',
	'\bMOVED error received for command (?<command>\S+)[^\n]*?, on node (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})), and [^\n]*error: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG - MOVED error received for command GET cart:17, on node 10.0.0.1:6379, and connection: <redis.connection.Connection(host=10.0.0.1,port=6379,db=0)> using local socket address: (''10.0.1.9'', 50112), error: 3300 node-3.cache.example:6379',
	'moved 3300 node-3.cache.example:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-ask-received', 'redis-py', '7.2+', 'ask',
	'\bASK error received for command (?<command>\S+)[^\n]*?, on node (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})), and [^\n]*error: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG - ASK error received for command GET cart:17, on node 10.0.0.1:6379, and connection: <c> using local socket address: (''10.0.1.9'', 50112), error: 3300 10.0.0.3:6379',
	'ask 3300 10.0.0.3:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-tryagain-received', 'redis-py', '7.2+', 'tryagain',
	'\bTRYAGAIN error received for command (?<command>\S+)[^\n]*?, on node (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG - TRYAGAIN error received for command MSET a 1 b 2, on node 10.0.0.1:6379, and connection: <c>',
	'tryagain - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-moved', 'redis-py', '4.1+; redis-py-cluster 2', 'moved',
	'(?<raised>)\b(?:redis|rediscluster)\.exceptions\.MovedError: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'redis.exceptions.MovedError: 9001 2001:db8::5:6379',
	'moved 9001 [2001:db8::5]:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-moved-repr', 'redis-py', '4.1+', 'moved',
	'(?<raised>)\bMovedError\([''\"](?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'task failed: MovedError(''1234 10.0.0.2:6379'')',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-ask', 'redis-py', '4.1+; redis-py-cluster 2', 'ask',
	'(?<raised>)\b(?:redis|rediscluster)\.exceptions\.AskError: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'redis.exceptions.AskError: 15495 10.0.0.3:6379',
	'ask 15495 10.0.0.3:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-ask-repr', 'redis-py', '4.1+', 'ask',
	'(?<raised>)\bAskError\([''\"](?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'task failed: AskError(''1234 10.0.0.2:6379'')',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-tryagain', 'redis-py', '4.1+', 'tryagain',
	'\bTryAgainError(?:: |\([''\"])Multiple keys request',
	NULL, NULL,
	'redis.exceptions.TryAgainError: Multiple keys request during rehashing of slot',
	'tryagain - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-clusterdown', 'redis-py', '4.1+', 'clusterdown',
	'\bClusterDownError(?:: |\([''\"])(?:CLUSTERDOWN |The cluster is down|Hash slot )',
	NULL, NULL,
	'get failed: ClusterDownError(''The cluster is down'')',
	'clusterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-readonly', 'redis-py', '4.1+', 'readonly',
	'\bReadOnlyError(?:: |\([''\"])You can''t write against a read only',
	NULL, NULL,
	'task cart.save raised: ReadOnlyError("You can''t write against a read only replica.")',
	'readonly - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-loading', 'redis-py', '4.1+', 'loading',
	'\bBusyLoadingError(?:: |\([''\"])(?:Redis|Valkey) is loading',
	NULL, NULL,
	'redis.exceptions.BusyLoadingError: Redis is loading the dataset in memory',
	'loading - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-masterdown', 'redis-py', '4.1+', 'masterdown',
	'\bMasterDownError(?:: |\([''\"])Link with MASTER',
	NULL, NULL,
	'redis.exceptions.MasterDownError: Link with MASTER is down and replica-serve-stale-data is set to ''no''.',
	'masterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-refused', 'redis-py', '3+', 'connect-refused',
	'\bError (?:111|61|10061) connecting to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Error 111 connecting to 10.0.0.1:6379. Connection refused.',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-refused-multiple', 'redis-py', '4.3+ asyncio', 'connect-refused',
	'\bError Multiple exceptions: [^\n]*Connect call failed [^\n]*connecting to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Error Multiple exceptions: [Errno 111] Connect call failed (''2001:db8::5'', 6379, 0, 0), [Errno 111] Connect call failed (''10.0.0.2'', 6379) connecting to node-2.cache.example:6379.',
	'connect-refused - node-2.cache.example:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-connect-timeout', 'redis-py', '3+', 'connect-timeout',
	'\bError (?:110|60|10060) connecting to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Error 110 connecting to 10.0.0.2:6379. Connection timed out.',
	'connect-timeout - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-connect-timeout-plain', 'redis-py', '3+', 'connect-timeout',
	'\bTimeoutError(?:: |\([''\"])Timeout connecting to server',
	NULL, NULL,
	'redis.exceptions.TimeoutError: Timeout connecting to server',
	'connect-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-no-route', 'redis-py', '3+', 'unreachable',
	'\bError (?:113|101|65|51|10065|10051) connecting to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Error 113 connecting to 10.0.0.2:6379. No route to host.',
	'unreachable - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-read-timeout', 'redis-py', '3+', 'read-timeout',
	'\bTimeout reading from (?!socket)(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'redis.exceptions.TimeoutError: Timeout reading from 10.0.0.1:6379',
	'read-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-read-timeout-plain', 'redis-py', '3+', 'read-timeout',
	'\bTimeoutError(?:: |\([''\"])Timeout (?:reading from|writing to) socket',
	NULL, NULL,
	'redis.exceptions.TimeoutError: Timeout reading from socket',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-reset', 'redis-py', '3+', 'reset',
	'\bError while reading from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) : \((?:104|54|10054|32)',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Error while reading from 10.0.0.1:6379 : (104, ''Connection reset by peer'')',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-reset-plain', 'redis-py', '3+', 'reset',
	'\bError (?:104|54|10054|32) while (?:reading from|writing to) socket\.',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Error 32 while writing to socket. Broken pipe.',
	'reset - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-closed', 'redis-py', '3+', 'closed',
	'\bConnectionError(?:: |\([''\"])Connection closed by server',
	NULL, NULL,
	'redis.exceptions.ConnectionError: Connection closed by server.',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-new-connection', 'redis-py', '7.2+', 'topology-refresh',
	'\bTopology refresh: Creating new Redis connection to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}));',
	NULL, NULL,
	'DEBUG - Topology refresh: Creating new Redis connection to 10.0.0.2:6379; with socket_timeout: 5',
	'topology-refresh - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-additional-nodes', 'redis-py', '7.2+', 'topology-refresh',
	'\bTopology refresh: using additional nodes',
	NULL, NULL,
	'DEBUG - Topology refresh: using additional nodes: []; and startup nodes: []',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-initializing', 'redis-py', '4.1-4.3', 'topology-refresh',
	'\bInitializing the nodes'' topology of the cluster',
	NULL, NULL,
	'DEBUG [redis.cluster] Initializing the nodes'' topology of the cluster',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-seed-failed', 'redis-py', '4.1-4.3', 'topology-refresh-failed',
	'\bwhile trying to initialize the cluster using the seed node (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'ERROR [redis.cluster] An exception occurred while trying to initialize the cluster using the seed node 10.77.0.14:6379:',
	'topology-refresh-failed - 10.77.0.14:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-no-node', 'redis-py', 'any', 'topology-refresh-failed',
	'\bRedis Cluster cannot be connected\. Please provide at least one reachable node(?:: [^\n]*?(?:connecting to|reading from) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})))?',
	NULL, NULL,
	'redis.exceptions.RedisClusterException: Redis Cluster cannot be connected. Please provide at least one reachable node: Error 111 connecting to 10.0.0.1:6379. Connection refused.',
	'topology-refresh-failed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-not-covered', 'redis-py', 'any', 'topology-refresh-failed',
	'\bAll slots are not covered after query all startup_nodes',
	NULL, NULL,
	'RedisClusterException: All slots are not covered after query all startup_nodes. 10923 of 16384 covered...',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-disagree', 'redis-py', 'any', 'topology-refresh-failed',
	'\bstartup_nodes could not agree on a valid slots cache',
	NULL, NULL,
	'RedisClusterException: startup_nodes could not agree on a valid slots cache: 10.0.0.1:6379 vs 10.0.0.2:6379 on slot: 7',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-slot-not-covered', 'redis-py', 'any', 'topology-refresh-failed',
	'\bSlotNotCoveredError: Slot \"(?<slot>\d{1,5})\" is not covered',
	NULL, NULL,
	'redis.exceptions.SlotNotCoveredError: Slot "5798" is not covered by the cluster.',
	'topology-refresh-failed 5798 -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-cluster-slots', 'redis-py', 'any', 'topology-refresh-failed',
	'\b(?:ERROR|ReseponseError) sending [''\"]cluster slots[''\"](?: command to redis server(?:: \{''host'': ''(?<host>[^'']+)'', ''port'': (?<port>\d+)| (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})))?)?',
	NULL, NULL,
	'RedisClusterException: ERROR sending "cluster slots" command to redis server 10.77.0.11:6379. error: timed out',
	'topology-refresh-failed - 10.77.0.11:6379');

-- redis-py-cluster (Grokzen).
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rediscluster-too-many', 'redis-py-cluster', '0.2-1.2', 'redirects-exhausted',
	'(?<raised>)\bRedisClusterException(?:: |\([''\"])Too many Cluster redirections',
	16, NULL,
	'rediscluster.exceptions.RedisClusterException: Too many Cluster redirections',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rediscluster-rebuild', 'redis-py-cluster', 'any', 'clusterdown',
	'\bCLUSTERDOWN error\. Unable to rebuild the cluster',
	NULL, NULL,
	'rediscluster.exceptions.ClusterDownError: CLUSTERDOWN error. Unable to rebuild the cluster',
	'clusterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rediscluster-node', 'redis-py-cluster', '2.1+', 'node-chosen',
	'\bDetermined node to execute : \{''host'': ''(?<host>[^'']+)'', ''port'': (?<port>\d+)',
	NULL, NULL,
	'DEBUG rediscluster.client - Determined node to execute : {''host'': ''10.245.7.88'', ''port'': 6379, ''name'': ''x''}',
	'node-chosen - 10.245.7.88:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rediscluster-no-route', 'redis-py-cluster', '2.1+', 'unreachable',
	'\brediscluster\b[\s\S]{0,4000}?\bOSError: \[Errno (?:113|101)\] (?:No route to host|Network is unreachable)',
	NULL, NULL,
	'ERROR rediscluster.client - ConnectionError
OSError: [Errno 113] No route to host',
	'unreachable - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rediscluster-refused', 'redis-py-cluster', '2.1+', 'connect-refused',
	'\brediscluster\b[\s\S]{0,4000}?\bConnectionRefusedError: \[Errno (?:111|61)\] Connection refused',
	NULL, NULL,
	'ERROR rediscluster.client - ConnectionError
ConnectionRefusedError: [Errno 111] Connection refused',
	'connect-refused - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rediscluster-initialize', 'redis-py-cluster', '2.1+', 'topology-refresh',
	'\bRunning initialize on NodeManager',
	NULL, NULL,
	'DEBUG rediscluster.nodemanager - Running initialize on NodeManager',
	'topology-refresh - -');

-- aioredis-cluster.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-failed-after', 'aioredis-cluster', '2', 'redirects-exhausted',
	'(?<raised>)\bCommand (?<command>\S+) failed after (?<attempts>\d+) attempts and (?<ms>[\d.]+ sec)',
	10, 50,
	'WARNING - Command GET failed after 10 attempts and 4.212 sec',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-moved', 'aioredis-cluster', '2', 'moved',
	'\bMOVED reply: MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'INFO - MOVED reply: MOVED 1234 10.0.0.2:6379',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-ask', 'aioredis-cluster', '2', 'ask',
	'\bASK reply: ASK (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'INFO - ASK reply: ASK 1234 10.0.0.2:6379',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-moved-repr', 'aioredis-cluster', '2', 'moved',
	'<MovedError RedirInfo\(slot_id=(?<slot>\d{1,5}), host=''(?<host>[^'']*)'', port=(?<port>\d+)',
	NULL, NULL,
	'INFO - MOVED reply: <MovedError RedirInfo(slot_id=1234, host=''10.0.0.2'', port=6379, ask=False)>',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-ask-repr', 'aioredis-cluster', '2', 'ask',
	'<AskError RedirInfo\(slot_id=(?<slot>\d{1,5}), host=''(?<host>[^'']*)'', port=(?<port>\d+)',
	NULL, NULL,
	'INFO - ASK reply: <AskError RedirInfo(slot_id=1234, host=''10.0.0.2'', port=6379, ask=True)>',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-loading', 'aioredis-cluster', '2', 'loading',
	'\bCluster node (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) is loading: ',
	NULL, NULL,
	'WARNING - Cluster node 10.0.0.1:6379 is loading: LOADING Redis is loading the dataset in memory',
	'loading - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-refused', 'aioredis-cluster', '2', 'connect-refused',
	'\bConnection problem with (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): ConnectionRefusedError',
	NULL, NULL,
	'WARNING - Connection problem with 10.0.0.1:6379: ConnectionRefusedError(111, "Connect call failed (''10.0.0.1'', 6379)")',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-reset', 'aioredis-cluster', '2', 'reset',
	'\bConnection problem with (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): (?:ConnectionResetError|BrokenPipeError)',
	NULL, NULL,
	'WARNING - Connection problem with 10.0.0.1:6379: ConnectionResetError(104, ''Connection reset by peer'')',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-connect-timeout', 'aioredis-cluster', '2', 'connect-timeout',
	'\bConnect to node is timed out: (?<endpoint>\(''[^'']+'', \d+\)|(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'WARNING - Connect to node is timed out: (''10.0.0.1'', 6379)',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-read-timeout', 'aioredis-cluster', '2', 'read-timeout',
	'\b(?:Read-Only|Non-idempotent|Idempotent) command (?<command>\S+) to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) is timed out',
	NULL, NULL,
	'WARNING - Read-Only command GET to 10.0.0.1:6379 is timed out',
	'read-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-closed', 'aioredis-cluster', '2', 'closed',
	'\baioredis_cluster[^\n]*Connection is (?:closed: |force closed)',
	NULL, NULL,
	'aioredis_cluster - WARNING - Connection is closed: <c>',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-obtain', 'aioredis-cluster', '2', 'topology-refresh',
	'\bObtain cluster state from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'INFO - Obtain cluster state from 10.0.0.2:6379',
	'topology-refresh - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-loading-state', 'aioredis-cluster', '2', 'topology-refresh',
	'\bStart (?:loading cluster state|cluster state auto reload)',
	NULL, NULL,
	'INFO - Start loading cluster state (1)',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-obtain-failed', 'aioredis-cluster', '2', 'topology-refresh-failed',
	'\b(?:Unable to get|Getting) cluster state from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))(?:: | is timed out)',
	NULL, NULL,
	'WARNING - Unable to get cluster state from 10.0.0.2:6379: OSError()',
	'topology-refresh-failed - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-bad-state', 'aioredis-cluster', '2', 'topology-refresh-failed',
	'\bNode (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) was return not \"ok\" cluster state',
	NULL, NULL,
	'WARNING - Node 10.0.0.2:6379 was return not "ok" cluster state "fail". Try next node',
	'topology-refresh-failed - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'aioredis-no-state', 'aioredis-cluster', '2', 'topology-refresh-failed',
	'\b(?:Unable to load (?:any state from cluster|cluster state)|No available hosts to load cluster slots)',
	NULL, NULL,
	'WARNING - Unable to load cluster state: OSError() (1)',
	'topology-refresh-failed - -');

-- Jedis.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-redirections', 'jedis', '2.2-2.10', 'redirects-exhausted',
	'(?<raised>)\bJedisClusterMaxRedirectionsException: Too many Cluster redirections',
	5, NULL,
	'redis.clients.jedis.exceptions.JedisClusterMaxRedirectionsException: Too many Cluster redirections?',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-attempts', 'jedis', '3.0-3.10', 'redirects-exhausted',
	'(?<raised>)\bJedisClusterMaxAttemptsException: No more cluster attempts left',
	5, NULL,
	'redis.clients.jedis.exceptions.JedisClusterMaxAttemptsException: No more cluster attempts left.',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-operation', 'jedis', '4+', 'redirects-exhausted',
	'(?<raised>)\bJedisClusterOperationException: No more cluster attempts left',
	5, NULL,
	'redis.clients.jedis.exceptions.JedisClusterOperationException: No more cluster attempts left.',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-deadline', 'jedis', '3.6+', 'redirects-exhausted',
	'(?<raised>)(?<timer>)\bCluster retry deadline exceeded',
	5, NULL,
	'redis.clients.jedis.exceptions.JedisClusterOperationException: Cluster retry deadline exceeded.',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-redirected', 'jedis', '3.10+', 'moved',
	'\bRedirected by server to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG r.c.j.e.ClusterCommandExecutor - Redirected by server to 10.0.0.2:6379',
	'moved - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-refused', 'jedis', '2.10+', 'connect-refused',
	'\bFailed (?:to connect to|connecting to host) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.?[\s\S]{0,4000}?ConnectException: Connection refused',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: Failed to connect to 10.0.0.1:6379.
	Suppressed: java.net.ConnectException: Connection refused',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-connect-timeout', 'jedis', '2.10+', 'connect-timeout',
	'\bFailed (?:to connect to|connecting to host) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.?[\s\S]{0,4000}?SocketTimeoutException: [Cc]onnect timed out',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: Failed connecting to host 10.0.0.1:6379
Caused by: java.net.SocketTimeoutException: connect timed out',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-no-route', 'jedis', '2.10+', 'unreachable',
	'\bFailed (?:to connect to|connecting to host) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.?[\s\S]{0,4000}?NoRouteToHostException',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: Failed to connect to 10.0.0.1:6379.
	Suppressed: java.net.NoRouteToHostException: No route to host',
	'unreachable - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-refused-unnamed', 'jedis', '3+', 'connect-refused',
	'\bJedisConnectionException: Failed to (?:connect to any host resolved|create socket)[\s\S]{0,4000}?ConnectException: Connection refused',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: Failed to create socket.
Caused by: java.net.ConnectException: Connection refused (Connection refused)',
	'connect-refused - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-connect-timeout-unnamed', 'jedis', '3+', 'connect-timeout',
	'\bJedisConnectionException: Failed to (?:connect to any host resolved|create socket)[\s\S]{0,4000}?SocketTimeoutException: [Cc]onnect timed out',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: Failed to create socket.
Caused by: java.net.SocketTimeoutException: connect timed out',
	'connect-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-read-timeout', 'jedis', 'any', 'read-timeout',
	'\bJedisConnectionException: java\.net\.SocketTimeoutException: Read timed out',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: java.net.SocketTimeoutException: Read timed out',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-reset', 'jedis', 'any', 'reset',
	'\bJedisConnectionException: java\.net\.SocketException: (?:Connection reset|Broken pipe)',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: java.net.SocketException: Connection reset',
	'reset - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-closed', 'jedis', 'any', 'closed',
	'\bJedisConnectionException: (?:Unexpected end of stream|Attempting to (?:write to|read from) a broken connection)',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisConnectionException: Unexpected end of stream.',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-refresh', 'jedis', '5.1+', 'topology-refresh',
	'\bCluster topology refresh (?:run|start), ',
	NULL, NULL,
	'DEBUG r.c.j.JedisClusterInfoCache - Cluster topology refresh run, old nodes: [10.0.0.1:6379, 10.0.0.2:6379]',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-refresh-failed', 'jedis', 'any', 'topology-refresh-failed',
	'\bJedis\w+Exception: (?:Could not initialize cluster slots cache|Cluster slots (?:list is empty|have holes)|No reachable node in cluster)',
	NULL, NULL,
	'redis.clients.jedis.exceptions.JedisClusterOperationException: Could not initialize cluster slots cache.',
	'topology-refresh-failed - -');

-- Lettuce: an exhausted budget surfaces the last MOVED unchanged.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-moved', 'lettuce', '4.5+', 'moved',
	'(?<raised>)\bRedisCommandExecutionException: MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	5, NULL,
	'io.lettuce.core.RedisCommandExecutionException: MOVED 1234 10.0.0.2:6379',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-ask', 'lettuce', '4.5+', 'ask',
	'(?<raised>)\bRedisCommandExecutionException: ASK (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	5, NULL,
	'io.lettuce.core.RedisCommandExecutionException: ASK 501 node-3.cache.example:6380',
	'ask 501 node-3.cache.example:6380');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-connect-timeout', 'lettuce', 'any', 'connect-timeout',
	'\b[Cc]onnection timed out(?: after (?<ms>\d+ ms))?: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'Cannot reconnect to [10.0.0.2:6379]: connection timed out: /10.0.0.2:6379',
	'connect-timeout - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-connect-timeout-after', 'lettuce', 'any', 'connect-timeout',
	'\bUnable to connect to \[(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]: Timeout after (?<ms>[\d.]+ ?\w+)',
	NULL, NULL,
	'WARN - Unable to connect to [10.0.0.2:6379]: Timeout after 10 second(s)',
	'connect-timeout - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-refused', 'lettuce', 'any', 'connect-refused',
	'\bConnection refused: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'WARN - Cannot reconnect to [10.0.0.1:6379]: Connection refused: /10.0.0.1:6379',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'netty-no-route', 'lettuce', 'any', 'unreachable',
	'\b(?:No route to host|Network is unreachable): (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'io.netty.channel.AbstractChannel$AnnotatedNoRouteToHostException: No route to host: /10.0.0.1:6379',
	'unreachable - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-read-timeout', 'lettuce', 'any', 'read-timeout',
	'\bRedisCommandTimeoutException: Command timed out(?: for node\(s\)[^\n]*?)? after (?<ms>[\d.]+ ?\w+)',
	NULL, NULL,
	'io.lettuce.core.RedisCommandTimeoutException: Command timed out after 1 minute(s)',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-reset', 'lettuce', 'any', 'reset',
	'\[channel=[^\n]*? -> (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})),[^\n]*(?:Connection reset|Broken pipe)',
	NULL, NULL,
	'[channel=0x1a2b3c4d, /10.0.1.9:50112 -> /10.0.0.1:6379, epid=0x1, chid=0x5] Unexpected exception during request: java.io.IOException: Connection reset by peer',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-closed', 'lettuce', 'any', 'closed',
	'\bRedis(?:Connection)?Exception: (?:Connection (?:is )?closed|Currently not connected|Connection disconnected|Connection closed prematurely)',
	NULL, NULL,
	'io.lettuce.core.RedisException: Connection is closed',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-unknown-node', 'lettuce', 'any', 'closed',
	'\bConnection to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) not allowed\. This connection point is not known',
	NULL, NULL,
	'java.lang.IllegalArgumentException: Connection to 203.0.113.77:15002 not allowed. This connection point is not known in the cluster view',
	'closed - 203.0.113.77:15002');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-reconnected', 'lettuce', 'any', 'connected',
	'\bReconnected to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'INFO i.l.c.p.ReconnectionHandler - Reconnected to 10.0.0.1:6379',
	'connected - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-refresh', 'lettuce', 'any', 'topology-refresh',
	'\b(?:ClusterTopologyRefreshTask requesting partitions|Using a new cluster topology)',
	NULL, NULL,
	'DEBUG - ClusterTopologyRefreshTask requesting partitions',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-adaptive', 'lettuce', 'any', 'topology-refresh',
	'\bAdaptive refresh event due to: ',
	NULL, NULL,
	'DEBUG - Adaptive refresh event due to: MOVED_REDIRECT',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-view-failed', 'lettuce', 'any', 'topology-refresh-failed',
	'\bCannot retrieve partition view from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'WARN - Cannot retrieve partition view from redis://10.0.0.1:6379, error: java.util.concurrent.TimeoutException',
	'topology-refresh-failed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-refresh-failed', 'lettuce', 'any', 'topology-refresh-failed',
	'\b(?:Cannot (?:refresh Redis Cluster topology|retrieve initial cluster partitions|obtain initial Redis Cluster topology|reload Redis Cluster topology)|Unable to establish a connection to Redis Cluster)',
	NULL, NULL,
	'WARN - Cannot refresh Redis Cluster topology',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-no-partition', 'lettuce', 'any', 'topology-refresh-failed',
	'\bCannot determine a partition (?:to read )?for slot (?<slot>\d{1,5})',
	NULL, NULL,
	'io.lettuce.core.cluster.PartitionSelectorException: Cannot determine a partition for slot 12004.',
	'topology-refresh-failed 12004 -');

-- Redisson: no limit to redirects, a loop is noticed.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-loop', 'redisson', '2.15+', 'redirect-loop',
	'(?<raised>)\bMOVED redirection loop detected\. Node (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) has further redirect to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'org.redisson.client.RedisException: MOVED redirection loop detected. Node redis://10.0.0.2:6379 has further redirect to redis://10.0.0.2:6379',
	'redirect-loop - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-moved', 'redisson', 'any', 'moved',
	'\bRedisMovedException\b',
	NULL, NULL,
	'org.redisson.client.RedisMovedException',
	'moved - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-ask', 'redisson', 'any', 'ask',
	'\bRedisAskException\b',
	NULL, NULL,
	'org.redisson.client.RedisAskException',
	'ask - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-tryagain', 'redisson', 'any', 'tryagain',
	'\borg\.redisson\.client\.RedisTryAgainException: [^\n]*?channel: \[[^\n]*? - R:(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'org.redisson.client.RedisTryAgainException: TRYAGAIN Multiple keys request during rehashing of slot. channel: [id: 0x1f2e3d4c, L:/10.0.1.9:50112 - R:10.0.0.1/10.0.0.1:6379] data: CommandData',
	'tryagain - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-loading', 'redisson', 'any', 'loading',
	'\borg\.redisson\.client\.RedisLoadingException: [^\n]*?channel: \[[^\n]*? - R:(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'org.redisson.client.RedisLoadingException: LOADING Redis is loading the dataset in memory. channel: [id: 0x1f2e3d4c, L:/10.0.1.9:50112 - R:10.0.0.1/10.0.0.1:6379] data: CommandData',
	'loading - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-clusterdown', 'redisson', 'any', 'clusterdown',
	'\borg\.redisson\.client\.RedisClusterDownException: [^\n]*?channel: \[[^\n]*? - R:(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'org.redisson.client.RedisClusterDownException: CLUSTERDOWN The cluster is down. channel: [id: 0x1f2e3d4c, L:/10.0.1.9:50112 - R:10.0.0.1/10.0.0.1:6379] data: CommandData',
	'clusterdown - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-masterdown', 'redisson', 'any', 'masterdown',
	'\borg\.redisson\.client\.RedisMasterDownException: [^\n]*?channel: \[[^\n]*? - R:(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'org.redisson.client.RedisMasterDownException: MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to ''no''.. channel: [id: 0x1f2e3d4c, L:/10.0.1.9:50112 - R:10.0.0.1/10.0.0.1:6379] data: CommandData',
	'masterdown - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-readonly', 'redisson', 'any', 'readonly',
	'\borg\.redisson\.client\.RedisReadonlyException: [^\n]*?channel: \[[^\n]*? - R:(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'org.redisson.client.RedisReadonlyException: READONLY You can''t write against a read only replica.. channel: [id: 0x1f2e3d4c, L:/10.0.1.9:50112 - R:10.0.0.1/10.0.0.1:6379] data: CommandData',
	'readonly - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-read-timeout', 'redisson', 'any', 'read-timeout',
	'\bRedis server response timeout \((?<ms>\d+ ms)\) occ?ur[r]?ed after (?<attempts>\d+)(?:[^\n]*?Redis node: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})))?',
	NULL, NULL,
	'org.redisson.client.RedisResponseTimeoutException: Redis server response timeout (3000 ms) occured after 3 retry attempts, is non-idempotent command: false Check connection with Redis node: 10.0.0.1/10.0.0.1:6379 for TCP packet drops.',
	'read-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-acquire', 'redisson', 'any', 'connect-timeout',
	'\bUnable to acquire connection![^\n]*?addr=(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'org.redisson.client.RedisTimeoutException: Unable to acquire connection! Increase pool. Node source: NodeSource [slot=7, addr=redis://10.0.0.1:6379, redisClient=null]',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-connect-timeout', 'redisson', 'any', 'connect-timeout',
	'\bConnection timeout to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'WARN o.r.c.ClusterConnectionManager Connection timeout to 10.0.0.3:6379',
	'connect-timeout - 10.0.0.3:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-unable', 'redisson', 'any', 'connect-refused',
	'\bUnable to connect to(?::| Redis server:) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))[\s\S]{0,4000}?Connection refused',
	NULL, NULL,
	'org.redisson.client.RedisConnectionException: Unable to connect to Redis server: 10.0.0.1/10.0.0.1:6379
Caused by: java.net.ConnectException: Connection refused',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-disconnected', 'redisson', '3.4+', 'closed',
	'\bRedis node (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) has been (?:disconnected|marked as failed)',
	NULL, NULL,
	'ERROR o.r.connection.MasterSlaveEntry Redis node 10.0.0.1/10.0.0.1:6379 has been disconnected',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-refresh', 'redisson', 'any', 'topology-refresh',
	'\b(?:Redis cluster nodes configuration|cluster nodes state) got from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})):',
	NULL, NULL,
	'INFO o.r.c.ClusterConnectionManager Redis cluster nodes configuration got from 10.0.0.2/10.0.0.2:6379:',
	'topology-refresh - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-refresh-failed', 'redisson', 'any', 'topology-refresh-failed',
	'\b(?:Can''t update cluster state|Unable to update cluster state|Unable to parse cluster nodes state|Not all slots covered! Only)',
	NULL, NULL,
	'ERROR o.r.c.ClusterConnectionManager Can''t update cluster state',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-add-master-failed', 'redisson', 'any', 'topology-refresh-failed',
	'\bFailed to add master: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) for slot ranges',
	NULL, NULL,
	'RedisException: Failed to add master: redis://10.0.0.1:6379 for slot ranges: [[0-5460]]. Reason - server has FAIL flag',
	'topology-refresh-failed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisson-slot-unknown', 'redisson', 'any', 'topology-refresh-failed',
	'\bNode for slot: (?<slot>\d{1,5}) hasn''t been discovered yet',
	NULL, NULL,
	'org.redisson.client.RedisNodeNotFoundException: Node for slot: 7 hasn''t been discovered yet. Increase ''retryAttempts'' setting.',
	'topology-refresh-failed 7 -');

-- Spring Data Redis.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'spring-legs', 'spring-data-redis', 'any', 'redirects-exhausted',
	'(?<raised>)\bCannot follow Cluster Redirects over more than (?<attempts>\d+) legs',
	5, NULL,
	'TooManyClusterRedirectionsException: Cannot follow Cluster Redirects over more than 6 legs',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'spring-attempts', 'spring-data-redis', 'any', 'redirects-exhausted',
	'(?<raised>)\b(?:TooManyClusterRedirectionsException|InvalidDataAccessApiUsageException): No more cluster attempts left',
	5, NULL,
	'org.springframework.dao.InvalidDataAccessApiUsageException: No more cluster attempts left.',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'spring-redirect', 'spring-data-redis', 'any', 'moved',
	'(?<raised>)\bRedirect: slot (?<slot>\d{1,5}) to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\.',
	NULL, NULL,
	'org.springframework.data.redis.ClusterRedirectException: Redirect: slot 1234 to 10.0.0.2:6379.',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'spring-read-timeout', 'spring-data-redis', 'any', 'read-timeout',
	'\bQueryTimeoutException: Redis command timed out',
	NULL, NULL,
	'org.springframework.dao.QueryTimeoutException: Redis command timed out',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'spring-cluster-state', 'spring-data-redis', 'any', 'topology-refresh-failed',
	'\bClusterStateFailureException: Could not retrieve cluster information',
	NULL, NULL,
	'org.springframework.data.redis.ClusterStateFailureException: Could not retrieve cluster information; CLUSTER NODES returned with error',
	'topology-refresh-failed - -');

-- ioredis and iovalkey.  The budget counts CLUSTERDOWN, TRYAGAIN and closed connections too.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-too-many', 'ioredis', '2-6; iovalkey', 'redirects-exhausted',
	'(?<raised>)\bToo many Cluster redirections\. Last error: (?:\w+: )?(?:(?<code>[A-Z]{3,}) (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))|(?<code2>[A-Z]{4,})\b|(?<code3>Connection is closed))?',
	16, NULL,
	'Error: Too many Cluster redirections. Last error: ReplyError: MOVED 2890 10.77.0.12:6379',
	'redirects-exhausted 2890 10.77.0.12:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-moved-debug', 'ioredis', '2-6', 'moved',
	'\bio(?:redis|valkey):cluster command (?<command>\S+) is moved to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'2022-07-19T06:02:11.402Z ioredis:cluster command get is moved to 203.0.113.9:15003',
	'moved - 203.0.113.9:15003');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-ask-debug', 'ioredis', '2-6', 'ask',
	'\bio(?:redis|valkey):cluster command (?<command>\S+) is required to ask (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'ioredis:cluster command get is required to ask 203.0.113.9:15003:',
	'ask - 203.0.113.9:15003');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-points-back', 'ioredis', '6', 'moved',
	'\bMOVED redirect points back at (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}));',
	NULL, NULL,
	'ioredis:cluster MOVED redirect points back at 10.0.0.1:6379; recreating its connection',
	'moved - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-refresh', 'ioredis', '2-6', 'topology-refresh',
	'\bio(?:redis|valkey):cluster getting slot cache from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'ioredis:cluster getting slot cache from 10.0.0.1:6379',
	'topology-refresh - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-refreshing', 'ioredis', '4-6', 'topology-refresh',
	'\bio(?:redis|valkey):cluster refreshing slot caches',
	NULL, NULL,
	'ioredis:cluster refreshing slot caches... (triggered by MOVED error)',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-refresh-failed', 'ioredis', '2-6', 'topology-refresh-failed',
	'\bFailed to refresh slots cache\.',
	NULL, NULL,
	'ClusterAllFailedError: Failed to refresh slots cache.',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-no-startup-node', 'ioredis', '2-6', 'topology-refresh-failed',
	'\bNone of startup nodes is available',
	NULL, NULL,
	'Error: None of startup nodes is available',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-slots-error', 'ioredis', '2-6', 'topology-refresh-failed',
	'\berror encountered running CLUSTER\.SLOTS',
	NULL, NULL,
	'ioredis:cluster error encountered running CLUSTER.SLOTS: Error: timeout',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-refresh-timeout', 'ioredis', '4-6; iovalkey', 'topology-refresh-failed',
	'\bError: timeout\s+at timeout \([^\n]*\n\s+at \S*getInfoFromNode',
	NULL, NULL,
	'Error: timeout' || char(10) || '    at timeout (/srv/shop/node_modules/iovalkey/built/utils/index.js:118:38)' || char(10) || '    at EventEmitter.getInfoFromNode (/srv/shop/node_modules/iovalkey/built/cluster/index.js:705:67)',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-status-closed', 'ioredis', '2-6', 'closed',
	'\bio(?:redis|valkey):redis status\[(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))[^\]]*\]: \w+ -> close\b',
	NULL, NULL,
	'ioredis:redis status[10.77.0.11:6379]: ready -> close',
	'closed - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-status-ready', 'ioredis', '2-6', 'connected',
	'\bio(?:redis|valkey):redis status\[(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))[^\]]*\]: connect -> ready',
	NULL, NULL,
	'ioredis:redis status[10.77.0.11:6379]: connect -> ready',
	'connected - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-closed', 'ioredis', '2-6', 'closed',
	'\b(?:Error: )?Connection is closed\.',
	NULL, NULL,
	'Error: Connection is closed.',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-command-timeout', 'ioredis', '4-6', 'read-timeout',
	'\bError: Command timed out\b',
	NULL, NULL,
	'Error: Command timed out',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-socket-timeout', 'ioredis', 'any', 'read-timeout',
	'\bSocket timeout(?: timeout)?\. Expecting data, but didn''t receive any in (?<ms>\d+ms)',
	NULL, NULL,
	'SocketTimeoutError: Socket timeout timeout. Expecting data, but didn''t receive any in 5000ms.',
	'read-timeout - -');

-- node-redis: up to 6.2.0 the last reply surfaces unchanged.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-too-many', 'node-redis', '6.2.1+', 'redirects-exhausted',
	'(?<raised>)\bToo many Cluster redirections(?!\?|\. Last)(?:[\s\S]{0,2000}?\[cause\]: [^\n]*?(?<code>MOVED|ASK) (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})))?',
	16, NULL,
	'Error: Too many Cluster redirections',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-moved', 'node-redis', '4.0-6.2.0', 'moved',
	'(?<raised>)(?:\[ErrorReply: |SimpleError: )MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	16, NULL,
	'[ErrorReply: MOVED 1234 10.0.0.2:6379]',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-ask', 'node-redis', '4.0-6.2.0', 'ask',
	'(?<raised>)(?:\[ErrorReply: |SimpleError: )ASK (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	16, NULL,
	'[ErrorReply: ASK 1234 10.0.0.2:6379]',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-connect-timeout', 'node-redis', '4+', 'connect-timeout',
	'\bConnectionTimeoutError: Connection timeout',
	NULL, NULL,
	'ConnectionTimeoutError: Connection timeout',
	'connect-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-command-timeout', 'node-redis', '5+', 'read-timeout',
	'Error\n\s+at [^\n]*@redis/client/[^\n]*commands-queue\.js',
	NULL, NULL,
	'command on cart:7 failed: TimeoutError' || char(10) || '    at EventTarget.<anonymous> (/srv/shop/node_modules/@redis/client/dist/lib/client/commands-queue.js:183:19)',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-closed', 'node-redis', '4+', 'closed',
	'(?:\bnode error (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) )?(?:SocketClosedUnexpectedlyError: )?Socket closed unexpectedly',
	NULL, NULL,
	'[error] node error 10.77.0.11:6379 Socket closed unexpectedly',
	'closed - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-client-closed', 'node-redis', '4+', 'closed',
	'\b(?:(?:ClientClosedError|ClientOfflineError|DisconnectsClientError): |Error: (?:Disconnects client\b|The client is (?:closed|offline)$))',
	NULL, NULL,
	'ClientClosedError: The client is closed',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-redis-roots', 'node-redis', '4+', 'topology-refresh-failed',
	'\bAll the root nodes are unavailable',
	NULL, NULL,
	'RootNodesUnavailableError: All the root nodes are unavailable',
	'topology-refresh-failed - -');

-- Node.js itself.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-refused', 'any', 'node.js', 'connect-refused',
	'\bconnect ECONNREFUSED (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'Error: connect ECONNREFUSED ::1:6379',
	'connect-refused - [::1]:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-etimedout', 'any', 'node.js', 'connect-timeout',
	'\bconnect ETIMEDOUT(?: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})))?',
	NULL, NULL,
	'Error: connect ETIMEDOUT 10.0.0.1:6379',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-unreachable', 'any', 'node.js', 'unreachable',
	'\bconnect E(?:HOST|NET)UNREACH (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'Error: connect EHOSTUNREACH 10.0.0.1:6379',
	'unreachable - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-connect-reset', 'any', 'node.js', 'reset',
	'\bconnect ECONNRESET (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'node error 10.77.0.11:6379 connect ECONNRESET 10.77.0.11:6379',
	'reset - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'node-reset', 'any', 'node.js', 'reset',
	'\b(?:read|write) (?:ECONNRESET|EPIPE)\b',
	NULL, NULL,
	'[ioredis] Unhandled error event: Error: read ECONNRESET',
	'reset - -');

-- Go: the runtime's texts, then the libraries.  go-redis and rueidis surface the last reply.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-refused', 'any', 'go', 'connect-refused',
	'\bdial tcp (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): connect: connection refused',
	NULL, NULL,
	'get failed: dial tcp 10.0.0.1:6379: connect: connection refused',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-connect-timeout', 'any', 'go', 'connect-timeout',
	'\bdial tcp (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): (?:i/o timeout|connect: connection timed out|operation was canceled)',
	NULL, NULL,
	'get failed: dial tcp 10.0.0.1:6379: i/o timeout',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-unreachable', 'any', 'go', 'unreachable',
	'\bdial tcp (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): connect: (?:no route to host|network is unreachable)',
	NULL, NULL,
	'dial tcp [2001:db8::5]:6379: connect: no route to host',
	'unreachable - [2001:db8::5]:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-read-timeout', 'any', 'go', 'read-timeout',
	'\b(?:read|write) tcp [^\s>]+->(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): i/o timeout',
	NULL, NULL,
	'read tcp 10.0.1.9:50112->10.0.0.1:6379: i/o timeout',
	'read-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-reset', 'any', 'go', 'reset',
	'\b(?:read|write) tcp [^\s>]+->(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): (?:read: connection reset by peer|write: (?:broken pipe|connection reset by peer))',
	NULL, NULL,
	'write tcp 10.0.1.9:50114->10.0.0.2:6379: write: broken pipe',
	'reset - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-redis-migrated', 'go-redis', '9.12+', 'topology-refresh',
	'\bcluster: slots \S+ migrated to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})), reloading cluster state',
	NULL, NULL,
	'redis: 2026/03/14 09:29:31 osscluster.go:1235: cluster: slots 0-100 migrated to 10.0.0.2:6379, reloading cluster state',
	'topology-refresh - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-redis-no-nodes', 'go-redis', 'any', 'topology-refresh-failed',
	'\bredis: cluster has no nodes',
	NULL, NULL,
	'get failed: redis: cluster has no nodes',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-redis-command-info', 'go-redis', 'any', 'topology-refresh-failed',
	'\bgetting command info: ',
	NULL, NULL,
	'redis: 2026/03/14 09:29:31 osscluster.go:1235: getting command info: EOF',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-redis-closed', 'go-redis', 'any', 'closed',
	'\b(?:redis: client is closed|redis: connection pool: failed to dial)',
	NULL, NULL,
	'get failed: redis: client is closed',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rueidis-no-node', 'rueidis', '1.0', 'topology-refresh-failed',
	'\b(?:the slot has no redis node|no alive address in InitAddress)',
	NULL, NULL,
	'get failed: the slot has no redis node',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rueidis-closing', 'rueidis', '1.0', 'closed',
	'\brueidis client is closing or unable to connect redis',
	NULL, NULL,
	'rueidis client is closing or unable to connect redis',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'radix-too-many', 'radix', '3-4', 'redirects-exhausted',
	'(?<raised>)\bcluster action redirected too many times',
	5, NULL,
	'level=error error="cluster action redirected too many times"',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'radix-no-instance', 'radix', '3-4', 'topology-refresh-failed',
	'\b(?:could not connect to any redis instances|no cluster slots assigned)',
	NULL, NULL,
	'could not connect to any redis instances, last error was: EOF',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisc-too-many', 'redisc', '1', 'redirects-exhausted',
	'(?<raised>)\bredisc: too many attempts',
	NULL, NULL,
	'get: redisc: too many attempts',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redisc-all-failed', 'redisc', '1', 'topology-refresh-failed',
	'\bredisc: (?:all nodes failed|failed to get a connection|no node for slot|no known node address)(?:[\s\S]{0,200}?dial tcp (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})):)?',
	NULL, NULL,
	'redisc: all nodes failed
dial tcp 10.0.0.1:6379: connect: connection refused',
	'topology-refresh-failed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redigo-closed', 'redisc', 'any', 'closed',
	'\b(?:redisc: closed|redigo: (?:connection )?closed|redigo: get on closed pool)',
	NULL, NULL,
	'redigo: connection closed',
	'closed - -');

-- StackExchange.Redis: follows one redirect.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-moved', 'stackexchange.redis', '1-3', 'moved',
	'(?<raised>)\bRedisServerException: MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	1, NULL,
	'StackExchange.Redis.RedisServerException: MOVED 100 10.0.0.1:6379',
	'moved 100 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-no-redirect', 'stackexchange.redis', '2-3', 'redirects-exhausted',
	'(?<raised>)\bKey has MOVED(?: to Endpoint (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) and hashslot (?<slot>\d{1,5}))? but CommandFlags\.NoRedirect was specified(?: - redirect not followed for (?<command>\w+) (?<key>\S+?)\.(?:\s|$))?',
	1, NULL,
	'StackExchange.Redis.RedisServerException: Key has MOVED to Endpoint 10.0.0.2:6379 and hashslot 1234 but CommandFlags.NoRedirect was specified - redirect not followed for GET cart:17. ',
	'redirects-exhausted 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-not-reachable', 'stackexchange.redis', '1-3', 'closed',
	'\bEndpoint (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) serving hashslot (?<slot>\d{1,5}) is not reachable at this point of time',
	NULL, NULL,
	'Endpoint 10.0.0.2:6379 serving hashslot 6200 is not reachable at this point of time.',
	'closed 6200 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-redirected', 'stackexchange.redis', '3', 'moved',
	'\bThe server redirected hashslot (?<slot>\d{1,5}) to ''(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))''',
	NULL, NULL,
	'The server redirected hashslot 1234 to ''?:6379'', which does not identify a node that can be connected to',
	'moved 1234 ?:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-refused', 'stackexchange.redis', '2-3', 'connect-refused',
	'\bUnableToConnect on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))/\w+[^\n]{0,1000}SocketException \((?:111|10061|61)\)',
	NULL, NULL,
	'UnableToConnect on 10.0.0.1:6379/Interactive, Initializing/NotStarted, last: NONE ---> System.Net.Sockets.SocketException (111): Connection refused',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-connect-timeout', 'stackexchange.redis', '2-3', 'connect-timeout',
	'\bUnableToConnect on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))/\w+[^\n]{0,1000}SocketException \((?:110|10060|60)\)',
	NULL, NULL,
	'UnableToConnect on 10.0.0.1:6379/Interactive, last: NONE ---> System.Net.Sockets.SocketException (110): Connection timed out',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-unable', 'stackexchange.redis', '2-3', 'connect-refused',
	'\bUnableToConnect on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))/',
	NULL, NULL,
	'It was not possible to connect to the redis server(s). UnableToConnect on 10.0.0.1:6379/Interactive, Initializing/NotStarted',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-not-possible', 'stackexchange.redis', 'any', 'connect-refused',
	'\bIt was not possible to connect to the redis server\(s\)',
	NULL, NULL,
	'StackExchange.Redis.RedisConnectionException: It was not possible to connect to the redis server(s). Error connecting right now.',
	'connect-refused - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-reset', 'stackexchange.redis', '2-3', 'reset',
	'\bSocketFailure(?: \([^)]*\))? on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))/',
	NULL, NULL,
	'SocketFailure on 10.0.0.1:6379/Interactive, Idle/Faulted, last: GET, origin: ReadFromPipe',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-closed', 'stackexchange.redis', '2-3', 'closed',
	'\bSocketClosed(?: \([^)]*\))? on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))/',
	NULL, NULL,
	'SocketClosed (ReadEndOfStream, last-recv: 0) on [2001:db8::5]:6379/Interactive, Idle/ReadAsync',
	'closed - [2001:db8::5]:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-no-connection', 'stackexchange.redis', '2-3', 'closed',
	'\bNo connection (?:\([^)]*\) )?is (?:active/)?available to service this operation',
	NULL, NULL,
	'No connection is active/available to service this operation: GET cart:17',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-read-timeout', 'stackexchange.redis', '2-3', 'read-timeout',
	'\bRedisTimeoutException: Timeout (?:performing (?<command>\w+) [^\n]*?\((?<ms>\d+ms)\)|awaiting response \([^)]*?timeout is (?<ms2>\d+ms)\))(?:[^\n]*?serverEndpoint: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})))?',
	NULL, NULL,
	'StackExchange.Redis.RedisTimeoutException: Timeout performing GET cart:17 (5000ms), next: GET b, inst: 0, serverEndpoint: 10.0.0.1:6379, mc: 1/1/0',
	'read-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-covered', 'stackexchange.redis', '2.7+', 'topology-refresh',
	'\b(?:Cluster: \d+ of 16384 slots covered|Reconfiguring all endpoints)',
	NULL, NULL,
	'Cluster: 16384 of 16384 slots covered',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ser-config-failed', 'stackexchange.redis', '2.7+', 'topology-refresh-failed',
	'\bEncountered error while updating cluster config',
	NULL, NULL,
	'Encountered error while updating cluster config: Timeout performing CLUSTER (5000ms)',
	'topology-refresh-failed - -');

-- phpredis: the limit is time.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-timed-out', 'phpredis', '3-6', 'redirects-exhausted',
	'(?<raised>)(?<timer>)\bTimed out attempting to find data in the correct node',
	NULL, NULL,
	'PHP Fatal error:  Uncaught RedisClusterException: Timed out attempting to find data in the correct node! in /srv/a.php:12',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-clusterdown', 'phpredis', '3-6', 'clusterdown',
	'\bThe Redis Cluster is down \(CLUSTERDOWN\)',
	NULL, NULL,
	'RedisClusterException: The Redis Cluster is down (CLUSTERDOWN)',
	'clusterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-no-node', 'phpredis', '3-6', 'closed',
	'\bCan''t communicate with any node in the cluster',
	NULL, NULL,
	'RedisClusterException: Can''t communicate with any node in the cluster',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-processing', 'phpredis', '3-6', 'closed',
	'\bError processing response from Redis node',
	NULL, NULL,
	'RedisClusterException: Error processing response from Redis node!',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-read-error', 'phpredis', '5-6', 'read-timeout',
	'\bread error on connection to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'RedisException: read error on connection to 10.0.0.1:6379',
	'read-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-went-away', 'phpredis', 'any', 'closed',
	'\bRedis server (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) went away',
	NULL, NULL,
	'RedisException: Redis server 10.0.0.1:6379 went away',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-refused', 'phpredis', 'any', 'connect-refused',
	'\bRedisException: Connection refused',
	NULL, NULL,
	'RedisException: Connection refused',
	'connect-refused - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-connect-timeout', 'phpredis', 'any', 'connect-timeout',
	'\bRedisException: Connection timed out',
	NULL, NULL,
	'RedisException: Connection timed out',
	'connect-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-keyspace', 'phpredis', 'any', 'topology-refresh-failed',
	'\bCouldn''t map cluster keyspace using any provided seed',
	NULL, NULL,
	'RedisClusterException: Couldn''t map cluster keyspace using any provided seed',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'phpredis-not-covered', 'phpredis', 'any', 'topology-refresh-failed',
	'\bThe slot (?<slot>\d{1,5}) is not covered by any node',
	NULL, NULL,
	'RedisClusterException: The slot 77 is not covered by any node in this cluster',
	'topology-refresh-failed 77 -');

-- predis: follows MOVED without a limit.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predis-refused', 'predis', '1-3', 'connect-refused',
	'\bConnection refused \[(?:tcp|tls|redis|rediss)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'Predis\Connection\ConnectionException: Connection refused [tcp://10.0.0.1:6379]',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predis-connect-timeout', 'predis', '1-3', 'connect-timeout',
	'\bConnection timed out \[(?:tcp|tls|redis|rediss)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'Connection timed out [tcp://10.0.0.2:6379]',
	'connect-timeout - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predis-closed', 'predis', '1-3', 'closed',
	'\b(?:Error while (?:reading line|reading bytes|writing bytes) (?:from|to) the server\.|Stream is already at the end) \[(?:tcp|tls|redis|rediss)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\]',
	NULL, NULL,
	'Error while reading line from the server. [tcp://[2001:db8::5]:6379]',
	'closed - [2001:db8::5]:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predis-read-timeout', 'predis', '3', 'read-timeout',
	'\bPredis\\TimeoutException: Operation has timed out',
	NULL, NULL,
	'Predis\TimeoutException: Operation has timed out',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predis-pool-empty', 'predis', '1-3', 'topology-refresh-failed',
	'\bNo connections (?:left in the pool for|available in the pool)',
	NULL, NULL,
	'Predis\ClientException: No connections left in the pool for `CLUSTER SLOTS`',
	'topology-refresh-failed - -');

-- Ruby: redis-rb 4, redis-client and redis-cluster-client surface the last reply.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-collection', 'redis-cluster-client', 'any', 'moved',
	'(?<raised>)\b(?:Command)?ErrorCollection: (?:Command errors were replied on any node: )?(?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): (?:\([\w:]+\) )?MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	3, NULL,
	'Redis::Cluster::CommandErrorCollection: Command errors were replied on any node: 10.0.0.1:6379: MOVED 100 10.0.0.2:6379',
	'moved 100 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-moved-from', 'redis-cluster-client', '0', 'moved',
	'(?<raised>)\bMOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \((?:redis|rediss|valkey|valkeys)://(?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	3, NULL,
	'RedisClient::CommandError: MOVED 1234 10.0.0.2:6379 (redis://10.0.0.1:6379)',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-ask-from', 'redis-cluster-client', '0', 'ask',
	'(?<raised>)\bASK (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \((?:redis|rediss|valkey|valkeys)://(?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	3, NULL,
	'RedisClient::CommandError: ASK 1234 10.0.0.2:6379 (redis://10.0.0.1:6379)',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-moved', 'redis-rb', '4', 'moved',
	'(?<raised>)\bMOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \(Redis::CommandError\)|\bRedis::CommandError(?:: | \()MOVED (?<slot2>\d{1,5}) (?<endpoint2>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	3, NULL,
	'command on probe:1:6 failed: MOVED 2381 10.77.0.11:6379 (Redis::CommandError)',
	'moved 2381 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-refused', 'redis-rb', '4', 'connect-refused',
	'\bError connecting to Redis on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \(Errno::ECONNREFUSED\)',
	NULL, NULL,
	'Redis::CannotConnectError: Error connecting to Redis on 10.0.0.1:6379 (Errno::ECONNREFUSED)',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-connect-timeout', 'redis-rb', '4', 'connect-timeout',
	'\bError connecting to Redis on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \((?:Redis::TimeoutError|Errno::ETIMEDOUT)\)',
	NULL, NULL,
	'Redis::CannotConnectError: Error connecting to Redis on 10.0.0.1:6379 (Redis::TimeoutError)',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-unreachable', 'redis-rb', '4', 'unreachable',
	'\bError connecting to Redis on (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \(Errno::E(?:HOST|NET)UNREACH\)',
	NULL, NULL,
	'Redis::CannotConnectError: Error connecting to Redis on 10.0.0.1:6379 (Errno::EHOSTUNREACH)',
	'unreachable - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-read-timeout', 'redis-rb', '4', 'read-timeout',
	'\bRedis::TimeoutError(?:: | \()Connection timed out|\bConnection timed out \(Redis::TimeoutError\)',
	NULL, NULL,
	'Redis::TimeoutError: Connection timed out',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-reset', 'redis-rb', '4', 'reset',
	'\bConnection lost \((?:ECONNRESET|EPIPE)\)',
	NULL, NULL,
	'Redis::ConnectionError: Connection lost (ECONNRESET)',
	'reset - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-closed', 'redis-rb', '4', 'closed',
	'\bConnection lost \(EOFError\)',
	NULL, NULL,
	'Redis::ConnectionError: Connection lost (EOFError)',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-refused', 'redis-cluster-client', '0', 'connect-refused',
	'\bConnection refused(?: - connect\(2\) for \S+)? \((?:redis|rediss|valkey|valkeys)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'RedisClient::CannotConnectError: Connection refused - connect(2) for 10.0.0.1:6379 (redis://10.0.0.1:6379)',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-connect-timeout', 'redis-cluster-client', '0', 'connect-timeout',
	'\bConnection timed out - user specified timeout[^(\n]*?(?<ms>[\d.]+s) \((?:redis|rediss|valkey|valkeys)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'RedisClient::CannotConnectError: Connection timed out - user specified timeout: 1.0s (redis://10.0.0.1:6379)',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-read-timeout', 'redis-cluster-client', '0', 'read-timeout',
	'\bReadTimeoutError(?:: Waited (?<ms>[\d.]+ seconds))? \((?:redis|rediss|valkey|valkeys)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'RedisClient::ReadTimeoutError: Waited 1.0 seconds (redis://[2001:db8::5]:6379)',
	'read-timeout - [2001:db8::5]:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-reset', 'redis-cluster-client', '0', 'reset',
	'\bRedisClient::ConnectionError: (?:Connection reset by peer|Broken pipe)[^(\n]*\((?:redis|rediss|valkey|valkeys)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'RedisClient::ConnectionError: Connection reset by peer (redis://10.0.0.1:6379)',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-closed', 'redis-cluster-client', '0', 'closed',
	'\bRedisClient::ConnectionError: (?:end of file reached|Connection was closed or lost)[^(\n]*\((?:redis|rediss|valkey|valkeys)://(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'RedisClient::ConnectionError: end of file reached (redis://10.0.0.1:6379)',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-initial', 'redis-rb', '4+', 'topology-refresh-failed',
	'\bRedis client could not (?:fetch cluster information|connect to any cluster nodes)',
	NULL, NULL,
	'Redis::Cluster::InitialSetupError: Redis client could not fetch cluster information: EOF',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ruby-might-be-down', 'redis-cluster-client', '0', 'topology-refresh-failed',
	'\bNodeMightBeDown: The client is trying to fetch the latest cluster state',
	NULL, NULL,
	'Redis::Cluster::NodeMightBeDown: The client is trying to fetch the latest cluster state because a subset of nodes might be down.',
	'topology-refresh-failed - -');

-- C and C++.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'hiredis-too-many', 'libvalkey', 'hiredis-vip; hiredis-cluster; libvalkey', 'redirects-exhausted',
	'(?<raised>)\btoo many cluster (?:retries|redirect)\b',
	5, NULL,
	'error: too many cluster retries',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'hiredis-no-address', 'libvalkey', 'any', 'topology-refresh-failed',
	'\b(?:no valid server address|no server address|slotmap not available|No slot information)',
	NULL, NULL,
	'slot map update failed: no valid server address',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'hiredis-callback-closed', 'libvalkey', 'any', 'closed',
	'\bError: Server closed the connection|\[Disconnected from (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'[disconnectCallback][Disconnected from 10.52.6.26:6379',
	'closed - 10.52.6.26:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'hiredis-callback-timeout', 'libvalkey', 'any', 'read-timeout',
	'\bdisconnectCallback\]\s*Error: Timeout',
	NULL, NULL,
	'[disconnectCallback]Error: Timeout',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'hiredis-callback-connected', 'libvalkey', 'any', 'connected',
	'\[connectCallback\]\s*(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'[connectCallback]10.52.6.26:6379',
	'connected - 10.52.6.26:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-failed', 'redis-plus-plus', '1', 'redirects-exhausted',
	'(?<raised>)\bFailed to send command with key: (?<key>\S+)',
	2, NULL,
	'Failed to send command with key: cart:17',
	'redirects-exhausted 4821 -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-importing', 'redis-plus-plus', '1', 'redirect-loop',
	'(?<raised>)\bASKING node hasn''t been set to IMPORTING state',
	2, NULL,
	'Slot migrating... ASKING node hasn''t been set to IMPORTING state',
	'redirect-loop - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-moved', 'redis-plus-plus', '1', 'moved',
	'(?<raised>)\bsw::redis::MovedError: (?:MOVED )?(?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	2, NULL,
	'sw::redis::MovedError: 1234 10.0.0.2:6379',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-ask', 'redis-plus-plus', '1', 'ask',
	'(?<raised>)\bsw::redis::AskError: (?:ASK )?(?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	2, NULL,
	'sw::redis::AskError: 1234 10.0.0.2:6379',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-refused', 'redis-plus-plus', '1', 'connect-refused',
	'\b[Ff]ailed to connect to Redis \((?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\): Connection refused',
	NULL, NULL,
	'failed to connect to Redis (10.0.0.1:6379): Connection refused, err: 1, errno: 111',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-connect-timeout', 'redis-plus-plus', '1', 'connect-timeout',
	'\b[Ff]ailed to connect to Redis \((?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\): Connection timed out',
	NULL, NULL,
	'failed to connect to Redis (10.0.0.1:6379): Connection timed out, err: 1, errno: 110',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-read-timeout', 'redis-plus-plus', '1', 'read-timeout',
	'\bFailed to (?:get reply|send command): Resource temporarily unavailable',
	NULL, NULL,
	'Failed to get reply: Resource temporarily unavailable, err: 1, errno: 11',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-reset', 'redis-plus-plus', '1', 'reset',
	'\bFailed to (?:get reply|send command): (?:Connection reset|Broken pipe)',
	NULL, NULL,
	'Failed to get reply: Connection reset by peer, err: 1, errno: 104',
	'reset - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-closed', 'redis-plus-plus', '1', 'closed',
	'\bFailed to (?:get reply|send command): Server closed the connection',
	NULL, NULL,
	'Failed to get reply: Server closed the connection, err: 3, errno: 0',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-shards', 'redis-plus-plus', '1', 'topology-refresh-failed',
	'\bFailed to update shards info',
	NULL, NULL,
	'Failed to update shards info',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-plus-plus-uncovered', 'redis-plus-plus', '1', 'topology-refresh-failed',
	'\bslot (?<slot>\d{1,5}) is uncovered',
	NULL, NULL,
	'slot 77 is uncovered',
	'topology-refresh-failed 77 -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'boost-redis-refused', 'boost-redis', '1.8', 'connect-refused',
	'\bFailed to connect to Redis server at (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): Connection refused',
	NULL, NULL,
	'(Boost.Redis) Failed to connect to Redis server at 10.0.0.1:6379: Connection refused [system:111]',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'boost-redis-connected', 'boost-redis', '1.8', 'connected',
	'\bConnected to Redis server at (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'(Boost.Redis) Connected to Redis server at 10.0.0.1:6379',
	'connected - 10.0.0.1:6379');

-- Rust: redis-rs and valkey-glide surface the last reply; fred has a budget.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-moved', 'valkey-glide', '2', 'moved',
	'\bReceived request error [^\n]*?- Moved: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) on node \"(?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\"',
	NULL, NULL,
	'WARN logger_core: cluster - Received request error An error was signalled by the server: - Moved: 1234 10.0.0.2:6379 on node "10.0.0.1:6379".',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-ask', 'valkey-glide', '2', 'ask',
	'\bReceived request error [^\n]*?- Ask: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) on node \"(?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\"',
	NULL, NULL,
	'WARN logger_core: cluster - Received request error An error was signalled by the server: - Ask: 1234 10.0.0.2:6379 on node "10.0.0.1:6379".',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-circular', 'valkey-glide', '2', 'moved',
	'\bDetected circular MOVED redirect: (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) -> (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG logger_core: cluster - Detected circular MOVED redirect: 10.0.0.1:6379 -> 10.0.0.1:6379 (resolved: 10.0.0.1:6379 == 10.0.0.1:6379).',
	'moved - 10.0.0.1:6379');
-- The core says what it hands on; the error is where the application says it.  It
-- is the last reply of a command, and no redirect of which a chain could begin.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-received-moved', 'valkey-glide', '2.5', 'handed-on',
	'\breceived error - [^\n]*?- Moved: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'WARN logger_core: received error - An error was signalled by the server: - Moved: 3640 10.77.0.11:6379',
	'handed-on 3640 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-received-ask', 'valkey-glide', '2.5', 'handed-on',
	'\breceived error - [^\n]*?- Ask: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'WARN logger_core: received error - An error was signalled by the server: - Ask: 3640 10.77.0.11:6379',
	'handed-on 3640 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-moved-target', 'valkey-glide', '2.5', 'moved',
	'\bmoved_error - MOVED target address (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) not found',
	NULL, NULL,
	'WARN logger_core: moved_error - MOVED target address 10.77.0.14:6379 not found in current connection map, triggering refresh',
	'moved - 10.77.0.14:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-moved', 'redis-rs', '0.2-1.6', 'moved',
	'(?<raised>)\bMoved: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	16, NULL,
	'get failed: An error was signalled by the server - Moved: 1234 10.0.0.2:6379',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-ask', 'redis-rs', '0.2-1.6', 'ask',
	'(?<raised>)(?:- |\")Ask: (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	16, NULL,
	'get failed: An error was signalled by the server - Ask: 1234 10.0.0.2:6379',
	'ask 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-tryagain', 'redis-rs', 'any', 'tryagain',
	'\bTryAgain: Multiple keys request',
	NULL, NULL,
	'TryAgain: Multiple keys request during rehashing of slot',
	'tryagain - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-clusterdown', 'redis-rs', 'any', 'clusterdown',
	'\bClusterDown: (?:The cluster is down|Hash slot)',
	NULL, NULL,
	'ClusterDown: The cluster is down',
	'clusterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-readonly', 'redis-rs', 'any', 'readonly',
	'\bReadOnly: You can''t write against',
	NULL, NULL,
	'ReadOnly: You can''t write against a read only replica.',
	'readonly - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-masterdown', 'redis-rs', 'any', 'masterdown',
	'\bMasterDown: Link with MASTER',
	NULL, NULL,
	'MasterDown: Link with MASTER is down and replica-serve-stale-data is set to ''no''.',
	'masterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-loading', 'redis-rs', 'any', 'loading',
	'\bBusyLoading(?:Error)?: (?:Redis|Valkey) is loading',
	NULL, NULL,
	'BusyLoading: Redis is loading the dataset in memory',
	'loading - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-lost', 'redis-rs', '1', 'closed',
	'\bClusterConnInner: connection to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) lost',
	NULL, NULL,
	'ClusterConnInner: connection to 10.0.0.1:6379 lost; repairing in background',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-reconnected', 'redis-rs', '1', 'connected',
	'\bClusterConnInner: reconnected to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'ClusterConnInner: reconnected to 10.0.0.1:6379 ',
	'connected - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-failed', 'redis-rs', 'any', 'connect-refused',
	'\bFailed to (?:connect to node: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})), due to|refresh connection for node (?<endpoint2>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\. Error): [^\n]*Connection refused',
	NULL, NULL,
	'Failed to connect to node: 10.0.0.1:6379, due to: Connection refused (os error 111)',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-failed-timeout', 'redis-rs', 'any', 'connect-timeout',
	'\bFailed to (?:connect to node: (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})), due to|refresh connection for node (?<endpoint2>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\. Error): [^\n]*timed out',
	NULL, NULL,
	'Failed to connect to node: 10.0.0.1:6379, due to: timed out',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-refused', 'redis-rs', 'any', 'connect-refused',
	'\b(?:IO Error: |- )?Connection refused \(os error \d+\)',
	NULL, NULL,
	'get failed: IO Error: Connection refused (os error 111)',
	'connect-refused - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-refresh', 'redis-rs', '1', 'topology-refresh',
	'\basync cluster client recovery: (?:beginning slot refresh|slot refresh complete|beginning reconnect)',
	NULL, NULL,
	'async cluster client recovery: beginning slot refresh',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-refresh-failed', 'redis-rs', '1', 'topology-refresh-failed',
	'\basync cluster client recovery: slot refresh failed',
	NULL, NULL,
	'async cluster client recovery: slot refresh failed: `Connection refused (os error 111)`',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-startup', 'redis-rs', 'any', 'topology-refresh-failed',
	'\b(?:It failed to check startup nodes|Failed to create initial connections)(?:[^\n]*?cluster node \((?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})):)?',
	NULL, NULL,
	'It failed to check startup nodes. - IoError: Failed to connect to each cluster node (10.0.0.1:6379: Connection refused (os error 111); 10.0.0.2:6379: timed out)',
	'topology-refresh-failed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rs-slot-refresh', 'redis-rs', 'any', 'topology-refresh-failed',
	'\b(?:Slot refresh (?:error|retry \d+ failed)|Failed to refresh slots during periodic|Can''t refresh slots with initial nodes|Can''t reconnect to initial nodes)',
	NULL, NULL,
	'Slot refresh error. didn''t get any slots from server - Client',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-too-many', 'fred', '10', 'redirects-exhausted',
	'(?<raised>)\b(?:Too many redirections\.|Max redirections exceeded)',
	5, NULL,
	'Routing Error: Too many redirections.',
	'redirects-exhausted - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-received', 'fred', '9-10', 'moved',
	'\bRecv MOVED error: MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'TRACE fred::router::responses: fred-k3VtQx81Lm: Recv MOVED error: MOVED 9835 172.26.4.10:6379',
	'moved 9835 172.26.4.10:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-syncing', 'fred', '10', 'moved',
	'\bSyncing cluster after MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'DEBUG fred-AbCdEf1234: Syncing cluster after MOVED 1234 10.0.0.2:6379',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-cluster-moved', 'fred', '8-10', 'moved',
	'(?<raised>)\b(?:Cluster Error: |kind: Cluster, details: )MOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	5, NULL,
	'Redis Error - kind: Cluster, details: MOVED 9835 172.26.4.10:6379',
	'moved 9835 172.26.4.10:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-cluster-ask', 'fred', '8-10', 'ask',
	'(?<raised>)\b(?:Cluster Error: |kind: Cluster, details: )ASK (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	5, NULL,
	'get failed: Cluster Error: ASK 44 10.0.0.3:6379',
	'ask 44 10.0.0.3:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-broadcast', 'fred', '10', 'closed',
	'\bBroadcasting error Error \{[^\n]*?Server \{ host: \"(?<host>[^\"]+)\", port: (?<port>\d+)',
	NULL, NULL,
	'Broadcasting error Error { details: "Connection reset", kind: IO } from Some(Server { host: "10.0.0.1", port: 6379, tls: None })',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-closed', 'fred', '10', 'closed',
	'\b(?:IO Error: (?:Connection [Cc]losed|Unresponsive connection)|Canceled: Connection closed unexpectedly)',
	NULL, NULL,
	'IO Error: Connection closed.',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-read-timeout', 'fred', '10', 'read-timeout',
	'\bTimeout Error: Request timed out',
	NULL, NULL,
	'Timeout Error: Request timed out.',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-refresh', 'fred', '10', 'topology-refresh',
	'\b(?:Rebuilding cluster state from host|Synchronizing cluster state\.)',
	NULL, NULL,
	'DEBUG fred-AbCdEf1234: Synchronizing cluster state.',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'fred-refresh-failed', 'fred', '10', 'topology-refresh-failed',
	'\b(?:Error syncing cluster after redirect|Failed connecting to any cluster node|Invalid CLUSTER SLOTS response)',
	NULL, NULL,
	'Cluster Error: Failed connecting to any cluster node.',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-disconnected', 'valkey-glide', '2', 'closed',
	'\bdisconnected from \"(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\"',
	NULL, NULL,
	'WARN logger_core: cluster - disconnected from "10.0.0.1:6379"',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-connected', 'valkey-glide', '2', 'connected',
	'\bSucceeded to refresh connection for node (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'INFO logger_core: cluster - Succeeded to refresh connection for node 10.0.0.1:6379.',
	'connected - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-read-timeout', 'valkey-glide', '2', 'read-timeout',
	'\bglide(?:\.api\.models\.exceptions)?\.TimeoutE(?:rror|xception)|Operation timed out- IoError',
	NULL, NULL,
	'glide.TimeoutError: timed out',
	'read-timeout - -');
-- Time ran out in the core, be it before a node was asked: none is named.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-received-timeout', 'valkey-glide', '2.5', 'read-timeout',
	'\breceived error - timed out|\btimeout_watchdog - Timeout: cmd=|\bTimeoutError: timed out\n\s+at [^\n]*valkey-glide',
	NULL, NULL,
	'WARN logger_core: received error - timed out',
	'read-timeout - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-connection-error', 'valkey-glide', '2.5', 'closed',
	'\bReceived connection error `[^`\n]*`\. Will attempt to reconnect',
	NULL, NULL,
	'ConnectionError: Received connection error `Cluster: Failed to receive command response from internal sender. RecvError(())`. Will attempt to reconnect',
	'closed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-node-timeout', 'valkey-glide', '2.5', 'read-timeout',
	'\bReceived request error timed out on node \"(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\"',
	NULL, NULL,
	'WARN logger_core: cluster - Received request error timed out on node "10.77.0.11:6379".',
	'read-timeout - 10.77.0.11:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-node-reset', 'valkey-glide', '2.5', 'reset',
	'\bReceived request error Connection reset by peer[^\n]* on node \"(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))\"',
	NULL, NULL,
	'WARN logger_core: cluster - Received request error Connection reset by peer (os error 104) on node "10.77.0.13:6379".',
	'reset - 10.77.0.13:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-not-connected', 'valkey-glide', '2.5', 'topology-refresh-failed',
	'\b(?:client creation - |ClosingError: )Connection error: ',
	NULL, NULL,
	'ERROR logger_core: client creation - Connection error: Timeout',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'glide-majority', 'valkey-glide', '2', 'topology-refresh-failed',
	'\bFailed to obtain a majority in topology views',
	NULL, NULL,
	'Slot refresh error: Failed to obtain a majority in topology views- ResponseError',
	'topology-refresh-failed - -');

-- Proxies.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'envoy-refresh', 'envoy', 'any', 'topology-refresh',
	'\b(?:executing redis cluster slot request for|redis cluster slot request for ''[^'']*'' succeeded)',
	NULL, NULL,
	'executing redis cluster slot request for ''redis_cluster''',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'envoy-refresh-failed', 'envoy', 'any', 'topology-refresh-failed',
	'\b(?:redis cluster slot request for ''[^'']*'' failed|Unexpected response to cluster slot command|Unable to resolve cluster slot primary hostname)',
	NULL, NULL,
	'redis cluster slot request for ''redis_cluster'' failed',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-refused', 'redis-cluster-proxy', '1.0', 'connect-refused',
	'\bCould not connect to Redis at (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): Connection refused',
	NULL, NULL,
	'Could not connect to Redis at 10.0.0.1:6379: Connection refused',
	'connect-refused - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-connect-timeout', 'redis-cluster-proxy', '1.0', 'connect-timeout',
	'\bCould not connect to Redis at (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})): Connection timed out',
	NULL, NULL,
	'Could not connect to Redis at 10.0.0.1:6379: Connection timed out',
	'connect-timeout - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-failed', 'redis-cluster-proxy', '1.0', 'closed',
	'\b(?:Failed to connect to node|Cluster node disconnected:|Failed to read reply from) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'Failed to connect to node 10.0.0.1:6379',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-error-from', 'redis-cluster-proxy', '1.0', 'reset',
	'\bError (?:reading )?from node (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))(?: on thread \d+)?: (?:Connection reset|Broken pipe)',
	NULL, NULL,
	'Error reading from node 10.0.0.1:6379 on thread 3: Connection reset by peer',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-refresh', 'redis-cluster-proxy', '1.0', 'topology-refresh',
	'\bFetching cluster configuration from entry point ''(?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))''',
	NULL, NULL,
	'Fetching cluster configuration from entry point ''10.0.0.1:6379''',
	'topology-refresh - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-reconfiguring', 'redis-cluster-proxy', '1.0', 'topology-refresh',
	'\b(?:Cluster configuration changed!|Reconfiguring cluster \(thread)',
	NULL, NULL,
	'Reconfiguring cluster (thread: 2)',
	'topology-refresh - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'rcp-refresh-failed', 'redis-cluster-proxy', '1.0', 'topology-refresh-failed',
	'\b(?:Failed to fetch cluster configuration|Cluster reconfiguration failed)',
	NULL, NULL,
	'Failed to fetch cluster configuration! (thread: 2)',
	'topology-refresh-failed - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-moved', 'predixy', '1-7', 'moved',
	'\bMOVE redirect req \d+ from (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \d+ to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'h 1 MOVE redirect req 55 from 10.0.0.1:6379 12 to 10.0.0.2:6379',
	'moved - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-ask', 'predixy', '1-7', 'ask',
	'\bASK redirect req \d+ from (?<node>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \d+ to (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'h 1 ASK redirect req 55 from 10.0.0.1:6379 12 to 10.0.0.2:6379',
	'ask - 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-failure', 'predixy', '1-7', 'closed',
	'\bserver (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) mark failure',
	NULL, NULL,
	'N Server.cpp:31 server 10.0.0.1:6379 mark failure',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-alive', 'predixy', '1-7', 'connected',
	'\bs (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \d+ mark server alive',
	NULL, NULL,
	'h 1 s 10.0.0.1:6379 12 mark server alive',
	'connected - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-closed', 'predixy', '1-7', 'closed',
	'\bs (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \d+ will be close with status \d+',
	NULL, NULL,
	'h 1 s 10.0.0.1:6379 12 will be close with status 2 IOError',
	'closed - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-reset', 'predixy', '1-7', 'reset',
	'\bs (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5})) \d+ read error Connection reset',
	NULL, NULL,
	'h 1 s 10.0.0.1:6379 12 read error Connection reset by peer',
	'reset - 10.0.0.1:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predixy-nodes', 'predixy', '1-7', 'topology-refresh-failed',
	'\bredis cluster nodes (?:get node abnormal|parse error)',
	NULL, NULL,
	'redis cluster nodes parse error',
	'topology-refresh-failed - -');

-- Reply texts that no rule above claims, whoever prints them.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-moved', 'any', 'any', 'moved',
	'(?<raised>)\bMOVED (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'cart load failed: MOVED 1234 10.0.0.2:6379',
	'moved 1234 10.0.0.2:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-ask', 'any', 'any', 'ask',
	'(?<raised>)\bASK (?<slot>\d{1,5}) (?<endpoint>(?:[\w.:/-]*\[[\da-fA-F:.%]+\]:\d{1,5}|[^\s"''`\\,;()<>\[\]]*:\d{1,5}))',
	NULL, NULL,
	'cart load failed: ASK 900 10.0.0.3:6379',
	'ask 900 10.0.0.3:6379');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-tryagain', 'any', 'any', 'tryagain',
	'\bTRYAGAIN Multiple keys request',
	NULL, NULL,
	'TRYAGAIN Multiple keys request during rehashing of slot',
	'tryagain - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-clusterdown', 'any', 'any', 'clusterdown',
	'\bCLUSTERDOWN (?:The cluster is down|Hash slot|Failed to fetch)',
	NULL, NULL,
	'CLUSTERDOWN Hash slot not served',
	'clusterdown - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-readonly', 'any', 'any', 'readonly',
	'\bREADONLY You can''t write against a read only',
	NULL, NULL,
	'READONLY You can''t write against a read only replica.',
	'readonly - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-loading', 'any', 'any', 'loading',
	'\bLOADING (?:Redis|Valkey) is loading the dataset',
	NULL, NULL,
	'LOADING Valkey is loading the dataset in memory',
	'loading - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-masterdown', 'any', 'any', 'masterdown',
	'\bMASTERDOWN Link with MASTER',
	NULL, NULL,
	'MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to ''no''.',
	'masterdown - -');

-- What is no cluster is named, so that nobody waits for its verdict.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'ioredis-sentinels', 'ioredis', '2-6', 'sentinel',
	'\bAll sentinels are unreachable',
	NULL, NULL,
	'Error: All sentinels are unreachable. Retrying from scratch after 10ms.',
	'sentinel - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'go-redis-sentinels', 'go-redis', '6-9', 'sentinel',
	'\bredis: all sentinels (?:specified in configuration )?are unreachable',
	NULL, NULL,
	'redis: all sentinels specified in configuration are unreachable',
	'sentinel - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'jedis-sentinels', 'jedis', 'any', 'sentinel',
	'\bAll sentinels down, cannot determine where is',
	NULL, NULL,
	'JedisConnectionException: All sentinels down, cannot determine where is mymaster master is running...',
	'sentinel - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-sentinels', 'redis-rb', 'any', 'sentinel',
	'\bCannotConnectError: No sentinels available',
	NULL, NULL,
	'Redis::CannotConnectError: No sentinels available',
	'sentinel - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'lettuce-sentinel', 'lettuce', '4-7', 'sentinel',
	'\bCannot (?:connect to a Redis Sentinel|provide redisAddress using sentinel)',
	NULL, NULL,
	'io.lettuce.core.RedisConnectionException: Cannot connect to a Redis Sentinel: [redis://10.0.0.1:26379]',
	'sentinel - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-py-sentinel', 'redis-py', 'any', 'sentinel',
	'\bMasterNotFoundError: No master found for ',
	NULL, NULL,
	'redis.sentinel.MasterNotFoundError: No master found for ''mymaster''',
	'sentinel - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'predis-sharding', 'predis', '1+', 'sharding',
	'\bCannot use ''[A-Z]+'' over clusters of connections',
	NULL, NULL,
	'Predis\NotSupportedException: Cannot use ''MGET'' over clusters of connections.',
	'sharding - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'redis-rb-distributed', 'redis-rb', 'any', 'sharding',
	'\bRedis::Distributed::CannotDistribute',
	NULL, NULL,
	'Redis::Distributed::CannotDistribute: MULTI cannot be used in Redis::Distributed because the keys involved need to be on the same server or because we cannot guarantee that the operation will be atomic.',
	'sharding - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'reply-no-cluster', 'any', 'any', 'standalone',
	'\bERR This instance has cluster support disabled',
	NULL, NULL,
	'ERR This instance has cluster support disabled',
	'standalone - -');

-- Topology inside a log: whoever wrote it, what it says is the node's word.
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'cluster-nodes', 'any', 'any', 'view',
	'\b[0-9a-f]{40} [^\s]{2,300} (?:myself,(?:master|slave)|master - \d|master,fail)',
	NULL, NULL,
	'INFO o.r.c.ClusterConnectionManager cluster nodes state got from 10.0.0.2/10.0.0.2:6379:
07c37dfeb235213a872192d90877d0cd55635b91 10.0.0.2:6379@16379 myself,master - 0 0 2 connected 5461-10922',
	'view - -');
INSERT INTO log_rule (name, client, versions, kind, pattern, budget, backoff_ms, example, example_expect) VALUES (
	'cluster-slots', 'any', 'any', 'view',
	'1\) (?:1\) \(integer\) \d|1\) "slots"|1# "slots")',
	NULL, NULL,
	'INFO app map is now
1) 1) (integer) 0
   2) (integer) 5460',
	'view - -');
