// glide.mjs - valkey-glide, whose core logs warnings by itself.  What the
// programs here have in common: shop.mjs.
import { addresses, node, now, require, trade } from './shop.mjs';

const { GlideClusterClient, Logger } = require('@valkey/valkey-glide');

Logger.setLoggerConfig('warn');
console.log(now(), 'INFO', 'valkey-glide starting');
const client = await GlideClusterClient.createClient({ addresses: addresses.map(node) });
await trade(client, (key, err) => console.error(now(), 'ERROR', `command on ${key} failed:`, err));
