<?php
// phpredis.php - phpredis' RedisCluster, with PHP's own error_log.  What the
// programs here have in common: redispy.py.
$probes = array_map(fn($n) => "probe:1:$n", [6, 13, 17, 22, 26, 31]);
$tell = fn(...$fields) => file_put_contents(getenv('LAB_RAISED'), implode("\t", $fields) . "\n", FILE_APPEND);
$now = fn() => (new DateTime('now', new DateTimeZone('UTC')))->format('Y-m-d\TH:i:s.v\Z');
$stopped = false;
pcntl_async_signals(true);
pcntl_signal(SIGTERM, function () use (&$stopped) { $stopped = true; });

error_log('phpredis ' . phpversion('redis') . ' starting');
$seeds = array_slice($argv, 1);
$cluster = null;
while (!$stopped) {
	usleep((int)(1e6 / (getenv('LAB_RATE') ?: 15)));
	$probe = mt_rand(0, 1);
	$key = $probe ? $probes[array_rand($probes)] : 'cart:' . mt_rand(0, 149);
	$began = $now();
	try {
		if ($cluster === null) {
			$cluster = new RedisCluster(null, $seeds, 1, 1);
			$tell('ready');
		}
		$probe ? $cluster->get($key) : $cluster->set($key, $began);
	} catch (RedisClusterException | RedisException $e) {
		$at = $now();
		error_log("redis command on key $key failed: $e");
		$tell($began, $at, $now(), $key, get_class($e) . ': ' . $e->getMessage());
	}
}
