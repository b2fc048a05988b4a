// ioredis.mjs - ioredis, or what LAB_LIBRARY names (iovalkey), with pino.
// What the programs here have in common: redispy.py.  LAB_MAP, one announced
// address and another that is dialled for it, is the library's natMap.
import { createRequire } from 'node:module';
import { appendFileSync } from 'node:fs';

const require = createRequire(process.env.LAB_NPM + '/');
const library = process.env.LAB_LIBRARY || 'ioredis';
const { Cluster } = require(library);
const log = require('pino')({ name: 'shop' });
const probes = [6, 13, 17, 22, 26, 31].map((n) => `probe:1:${n}`);
const tell = (...fields) => appendFileSync(process.env.LAB_RAISED, fields.join('\t') + '\n');
const now = () => new Date().toISOString();
const any = (list) => list[Math.floor(Math.random() * list.length)];
const node = (address) => {
	const [host, port] = address.split(':');
	return { host, port: Number(port) };
};
const options = { redisOptions: { connectTimeout: 1000, commandTimeout: 3000 } };
if (process.env.LAB_MAP) {
	const [from, to] = process.env.LAB_MAP.split('=');
	options.natMap = { [from]: node(to) };
	for (const address of process.argv.slice(2))
		options.natMap[address] ??= node(address);
}
let stopped = false;
process.on('SIGTERM', () => { stopped = true; });

const cluster = new Cluster(process.argv.slice(2).map(node), options);
log.info({ library, version: require(library + '/package.json').version }, 'starting');
cluster.on('error', (err) => log.warn({ err }, 'redis error'));
cluster.on('node error', (err, address) => log.warn({ err, node: address }, 'redis node error'));
await new Promise((resolve) => cluster.once('ready', resolve));
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
		log.error({ err, key }, 'redis command failed');
		tell(began, at, now(), key, String(err).replace(/\s+/g, ' '));
	}
}
process.exit(0);
