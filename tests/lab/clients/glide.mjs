// glide.mjs - valkey-glide, whose core logs warnings by itself.  What the
// programs here have in common: redispy.py.
import { createRequire } from 'node:module';
import { appendFileSync } from 'node:fs';

const require = createRequire(process.env.LAB_NPM + '/');
const { GlideClusterClient, Logger } = require('@valkey/valkey-glide');
const probes = [6, 13, 17, 22, 26, 31].map((n) => `probe:1:${n}`);
const tell = (...fields) => appendFileSync(process.env.LAB_RAISED, fields.join('\t') + '\n');
const now = () => new Date().toISOString();
const any = (list) => list[Math.floor(Math.random() * list.length)];
let stopped = false;
process.on('SIGTERM', () => { stopped = true; });

Logger.setLoggerConfig('warn');
console.log(now(), 'INFO', 'valkey-glide starting');
const client = await GlideClusterClient.createClient({
	addresses: process.argv.slice(2).map((address) => {
		const [host, port] = address.split(':');
		return { host, port: Number(port) };
	}),
});
tell('ready');
while (!stopped) {
	await new Promise((resolve) => setTimeout(resolve, 1000 / (process.env.LAB_RATE || 15)));
	const probe = Math.random() < 0.5;
	const key = probe ? any(probes) : `cart:${Math.floor(Math.random() * 150)}`;
	const began = now();
	try {
		await (probe ? client.get(key) : client.set(key, began));
	} catch (err) {
		const at = now();
		console.error(now(), 'ERROR', `command on ${key} failed:`, err);
		tell(began, at, now(), key, String(err).replace(/\s+/g, ' '));
	}
}
process.exit(0);
