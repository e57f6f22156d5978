// A headless client for `coterie wake run`: notes that it was started, then does what its first argument says. The hub is given by its
// URL, or by the data folder of one that may restart at another.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [behaviour, log, hub, agent, ...rest] = process.argv.slice(2);
const note = (what) => appendFileSync(log, `${JSON.stringify({ what, pid: process.pid, at: Date.now(), rest })}\n`);

const urlOf = () => (hub.startsWith('http') ? hub : JSON.parse(readFileSync(join(hub, 'hub.json'), 'utf8')).url);

const post = (operation, input) =>
  fetch(`${urlOf()}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'coterie-agent': agent },
    body: JSON.stringify(input),
  });

/** A hub that restarts is no reason for a client to give up. */
async function read() {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      const { messages } = await (await post('get_messages', { limit: 500 })).json();
      for (const { id } of messages) note(`read ${id}`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

note('start');
const behaviours = {
  read,
  fail: () => process.exit(3),
  /** Takes its time, like a model. */
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await read();
  },
  /** As long as the test wants. */
  async held() {
    while (!existsSync(`${log}.go`)) await new Promise((resolve) => setTimeout(resolve, 50));
    await read();
  },
  idle: () => setInterval(() => {}, 1_000),
  hang() {
    process.on('SIGTERM', () => note('SIGTERM'));
    setInterval(() => {}, 1_000);
  },
};
await behaviours[behaviour]();
note('end');
