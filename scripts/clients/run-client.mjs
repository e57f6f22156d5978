// Runs one client through all that the table has: `node run-client.mjs NAME FOLDER COMMAND…`. Prints what its model and its
// person were shown, as JSON. The network it is started in must have nothing but loopback.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { clients } from './client-list.mjs';
import { conversation, readOneMail, sayNothing } from './conversation.mjs';
import { startHub } from './hub.mjs';
import { runOnce } from './run-once.mjs';
import { shownRefusal } from './shown.mjs';

/** Well formed, of another hub. */
const wrongKey = `coterie_${'w'.repeat(12)}_${'x'.repeat(43)}`;

const [name, folder, ...command] = process.argv.slice(2);
const client = { id: name, ...clients[name] };
const seen = {};

// What runs on exit would not run after a signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const hub = await startHub(join(folder, 'data'));
await hub.register('sender');
await hub.register('reader');

await start('open', conversation(hub, seen));
const rightKey = await hub.makeKeys();
await start('key', readOneMail(hub, seen), rightKey);
seen.wrongKey = shownRefusal(await start('wrong-key', sayNothing(), wrongKey));
seen.noKey = shownRefusal(await start('no-key', sayNothing()));
console.log(JSON.stringify(seen));
process.exit(0);

/** Each time in a home of its own, as a new user. */
function start(title, script, key) {
  const place = join(folder, title);
  mkdirSync(place);
  return runOnce({ client, command, folder: place, hub, script, key });
}
