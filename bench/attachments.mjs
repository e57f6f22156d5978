// What a large picture does to everyone else. In turns against the same hub, with an image of 5 MiB and with one of a
// byte: how long small sends wait while it is stored and delivered, and the longest that the hub's main thread and its
// writer are busy without a break, with no one else about.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { call, withHub } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 20);
const imageBytes = Number(process.env['IMAGE_BYTES'] ?? 5 * 1024 * 1024);
/** The same for both, so that each meets as many hiccups of the machine. */
const turnMs = 400;
const sizes = { alone: 1, image: imageBytes };
const script = (name) => fileURLToPath(new URL(`./support/${name}`, import.meta.url));

const waits = { alone: [], image: [] };
const longest = { alone: [], image: [] };
const busy = {
  alone: { store: { main: [], writer: [] }, deliver: { main: [], writer: [] } },
  image: { store: { main: [], writer: [] }, deliver: { main: [], writer: [] } },
};
const passing = { store: [], deliver: [] };

await withHub(
  async (url, hub) => {
    for (const agentId of ['ann', 'ben', 'eve', 'fay']) await call(url, 'register_agent', { agentId });
    const small = new RawClient(`${url}/mcp?agent=ann`);
    const passer = fork(script('pass-image.mjs'));
    const pass = (step) => ask(passer, step).then(({ ms }) => ms);
    for (let round = -2; round < rounds; round++) {
      for (const [which, bytes] of Object.entries(sizes)) {
        await pass({ step: 'prepare', url, imageBytes: bytes });
        const times = await smallSends(small, async () => {
          const over = new Promise((resolve) => setTimeout(resolve, turnMs));
          const stored = await pass({ step: 'store' });
          const delivered = await pass({ step: 'deliver' });
          await over;
          if (which === 'image' && round >= 0) {
            passing.store.push(stored);
            passing.deliver.push(delivered);
          }
        });
        const quiet = {};
        await pass({ step: 'prepare', url, imageBytes: bytes });
        for (const step of ['store', 'deliver']) {
          await ask(hub, 'reset');
          await pass({ step });
          quiet[step] = await ask(hub, 'read');
        }
        if (round < 0) continue;
        waits[which].push(...times);
        longest[which].push(Math.max(...times));
        for (const [step, { main, writer }] of Object.entries(quiet)) {
          busy[which][step].main.push(main);
          busy[which][step].writer.push(writer);
        }
      }
    }
    small.close();
    passer.disconnect();
  },
  [],
  { nodeArgs: ['--import', script('loop-delay.mjs')], ipc: true },
);

const size = `${(imageBytes / 1024 / 1024).toFixed(1)} MiB`;
printTable(
  ['', 'p50 ms', 'p99 ms', 'longest of a round: median ms', 'longest of all ms'],
  [waitRow('small send', 'alone'), waitRow(`small send, while ${size} are stored and delivered`, 'image')],
);
console.log();
printTable(
  ['longest without a break', 'main thread: median ms', 'most', 'writer: median ms', 'most'],
  Object.keys(passing).flatMap((step) => [
    busyRow(`${step}, 1 byte`, busy.alone[step]),
    busyRow(`${step}, ${size}`, busy.image[step]),
  ]),
);
console.log();
printTable(
  ['beside small sends', 'median ms', 'longest ms'],
  Object.entries(passing).map(([step, times]) => [step, ...[0.5, 1].map((part) => quantile(times, part).toFixed(1))]),
);

function waitRow(name, which) {
  const figures = [quantile(waits[which], 0.5), quantile(waits[which], 0.99), quantile(longest[which], 0.5)];
  return [name, ...[...figures, Math.max(...longest[which])].map((ms) => ms.toFixed(1))];
}

function busyRow(name, { main, writer }) {
  return [name, ...[main, writer].flatMap((ms) => [quantile(ms, 0.5).toFixed(1), Math.max(...ms).toFixed(1)])];
}

async function ask(child, message) {
  child.send(message);
  const [answer] = await once(child, 'message');
  return answer;
}

/** One after the other until the image is through: the longest is the longest gap in which nothing was sent. */
async function smallSends(client, work) {
  const state = { isOver: false };
  const over = work().finally(() => (state.isOver = true));
  const times = [];
  while (!state.isOver) {
    const started = performance.now();
    const { at } = await client.call('send_message', { target: 'ben', message: 'hello' });
    times.push(at - started);
  }
  await over;
  return times;
}
