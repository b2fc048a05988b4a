// noderedis.mjs - node-redis' createCluster, with console.error and the error
// as it prints itself.  What the programs here have in common: shop.mjs.
// LAB_MAP, one announced address and another dialled for it: nodeAddressMap.
import { addresses, node, now, require, trade } from './shop.mjs';

const { createCluster } = require('redis');
const options = {
	rootNodes: addresses.map((address) => ({ url: `redis://${address}` })),
	defaults: { socket: { connectTimeout: 1000, socketTimeout: 3000 } },
};
if (process.env.LAB_MAP) {
	const [from, to] = process.env.LAB_MAP.split('=');
	options.nodeAddressMap = { [from]: node(to) };
}

const cluster = createCluster(options);
console.log(now(), 'INFO', 'node-redis', require('redis/package.json').version);
cluster.on('error', (err) => console.error(now(), 'ERROR', 'redis:', err));
cluster.on('node-error', (err, at) => console.error(now(), 'ERROR', `redis ${at.host}:${at.port}:`, err));
await cluster.connect();
await trade(cluster, (key, err) => console.error(now(), 'ERROR', `command on ${key} failed:`, err),
	(err) => `${err} ${err.cause ?? ''}`);
