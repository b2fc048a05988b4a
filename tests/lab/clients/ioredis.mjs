// ioredis.mjs - ioredis, or what LAB_LIBRARY names (iovalkey), with pino.
// What the programs here have in common: shop.mjs.  LAB_MAP, one announced
// address and another that is dialled for it, is the library's natMap.
import { addresses, node, require, trade } from './shop.mjs';

const library = process.env.LAB_LIBRARY || 'ioredis';
const { Cluster } = require(library);
const log = require('pino')({ name: 'shop' });
const options = { redisOptions: { connectTimeout: 1000, commandTimeout: 3000 } };
if (process.env.LAB_MAP) {
	const [from, to] = process.env.LAB_MAP.split('=');
	options.natMap = { [from]: node(to) };
	for (const address of addresses)
		options.natMap[address] ??= node(address);
}

const cluster = new Cluster(addresses.map(node), options);
log.info({ library, version: require(library + '/package.json').version }, 'starting');
cluster.on('error', (err) => log.warn({ err }, 'redis error'));
cluster.on('node error', (err, address) => log.warn({ err, node: address }, 'redis node error'));
await new Promise((resolve) => cluster.once('ready', resolve));
await trade(cluster, (key, err) => log.error({ err, key }, 'redis command failed'));
