// noderedis.mjs - node-redis' createCluster, with console.error and the error
// as it prints itself.  What the programs here have in common: redispy.py.
// LAB_MAP, one announced address and another dialled for it: nodeAddressMap.
import { createRequire } from 'node:module';
import { appendFileSync } from 'node:fs';

const require = createRequire(process.env.LAB_NPM + '/');
const { createCluster } = require('redis');
const probes = [6, 13, 17, 22, 26, 31].map((n) => `probe:1:${n}`);
const tell = (...fields) => appendFileSync(process.env.LAB_RAISED, fields.join('\t') + '\n');
const now = () => new Date().toISOString();
const any = (list) => list[Math.floor(Math.random() * list.length)];
const options = {
	rootNodes: process.argv.slice(2).map((address) => ({ url: `redis://${address}` })),
	defaults: { socket: { connectTimeout: 1000, socketTimeout: 3000 } },
};
if (process.env.LAB_MAP) {
	const [from, to] = process.env.LAB_MAP.split('=');
	const [host, port] = to.split(':');
	options.nodeAddressMap = { [from]: { host, port: Number(port) } };
}
let stopped = false;
process.on('SIGTERM', () => { stopped = true; });

const cluster = createCluster(options);
console.log(now(), 'INFO', 'node-redis', require('redis/package.json').version);
cluster.on('error', (err) => console.error(now(), 'ERROR', 'redis:', err));
cluster.on('node-error', (err, node) => console.error(now(), 'ERROR', `redis ${node.host}:${node.port}:`, err));
await cluster.connect();
tell('ready');
while (!stopped) {
	await new Promise((resolve) => setTimeout(resolve, 1000 / (process.env.LAB_RATE || 15)));
	const probe = Math.random() < 0.5;
	const key = probe ? any(probes) : `cart:${Math.floor(Math.random() * 150)}`;
	const began = now();
	try {
		await (probe ? cluster.get(key) : cluster.set(key, began));
	} catch (err) {
		const at = now();
		console.error(now(), 'ERROR', `command on ${key} failed:`, err);
		tell(began, at, now(), key, `${err} ${err.cause ?? ''}`.replace(/\s+/g, ' '));
	}
}
process.exit(0);
