// shop.mjs - what the programs for Node.js do alike: read and write some keys
// until they are told to stop, and tell beside their log what was raised and
// when.  What all programs here have in common: redispy.py.
import { createRequire } from 'node:module';
import { appendFileSync } from 'node:fs';

export const require = createRequire(process.env.LAB_NPM + '/');
export const addresses = process.argv.slice(2);
export const now = () => new Date().toISOString();
export const node = (address) => {
	const [host, port] = address.split(':');
	return { host, port: Number(port) };
};
const probes = [6, 13, 17, 22, 26, 31].map((n) => `probe:1:${n}`);
const tell = (...fields) => appendFileSync(process.env.LAB_RAISED, fields.join('\t') + '\n');
const any = (list) => list[Math.floor(Math.random() * list.length)];
let stopped = false;
process.on('SIGTERM', () => { stopped = true; });

// log(key, error) writes to the program's own log; text(error) is what it says.
export async function trade(client, log, text = String) {
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
			log(key, err);
			tell(began, at, now(), key, text(err).replace(/\s+/g, ' '));
		}
	}
	process.exit(0);
}
