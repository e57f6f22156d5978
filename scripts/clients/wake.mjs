// Wakes an idle client over the hub, once by each of its routes: `node wake.mjs CLIENT FOLDER COMMAND…`. Prints a row for each as JSON:
// the time from the send to the model's request, and what the hub says of it. The network must have nothing but loopback.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { clients } from './client-list.mjs';
import { wakeRounds } from './wake-rounds.mjs';
import { openStage } from './wake-stage.mjs';

const [name, folder, ...command] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const rows = [];
for (const [route, round] of Object.entries(wakeRounds[name])) {
  const place = join(folder, route);
  mkdirSync(place);
  rows.push({ route, ...(await playOnce(round, place)) });
}
console.log(JSON.stringify(rows));
process.exit(0);

async function playOnce(round, place) {
  const stage = await openStage({ client: { id: name, ...clients[name] }, command, folder: place });
  try {
    await round(stage);
    return await stage.wakeAndSee();
  } catch (error) {
    console.error(`${place}: ${error.stack}\n${stage.screen()}`);
    return { failed: error.message };
  } finally {
    await stage.close();
  }
}
