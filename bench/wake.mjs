// From a send to the woken wait's answer, beside the round trip of a no-op on a plain SDK server, in turns. Quantiles are
// those of a block of rounds, and the figures are medians over the blocks: one disturbance decides no 99th percentile.
import { fileURLToPath } from 'node:url';
import { call, withHub, withServer } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';
import { ratios, spread } from './support/turns.mjs';

const blocks = Number(process.env['BLOCKS'] ?? 5);
const rounds = Number(process.env['ROUNDS'] ?? 500);
const warmRounds = 200;
const noopServer = fileURLToPath(new URL('./support/sdk-noop-server.mjs', import.meta.url));

await withServer(noopServer, [], (noopUrl) =>
  withHub(async (url) => {
    for (const agentId of ['ann', 'ben']) await call(url, 'register_agent', { agentId });
    const noop = new RawClient(`${noopUrl}/mcp`);
    const sender = new RawClient(`${url}/mcp?agent=ann`);
    const reader = new RawClient(`${url}/mcp?agent=ben`);
    const figures = { noop: [], accepted: [], woken: [] };
    for (let block = 0; block < blocks; block++) {
      const times = { noop: [], accepted: [], woken: [] };
      for (let round = block === 0 ? -warmRounds : 0; round < rounds; round++) {
        const took = await takeTurns({ noop, sender, reader });
        if (round >= 0) for (const name of Object.keys(times)) times[name].push(took[name]);
      }
      for (const name of Object.keys(figures)) figures[name].push(times[name]);
    }
    for (const client of [noop, sender, reader]) client.close();
    printTable(
      ['', 'p50 ms', 'p99 ms'],
      [
        ['SDK no-op, round trip', ...shown(figures.noop)],
        ['durable send, to its answer', ...shown(figures.accepted)],
        ['durable send, to the woken wait’s answer', ...shown(figures.woken)],
        ['send’s answer : no-op', ...compared(figures.accepted, figures.noop)],
        ['wake : no-op', ...compared(figures.woken, figures.noop)],
        ['wake : send’s answer', ...compared(figures.woken, figures.accepted)],
      ],
    );
  }),
);

async function takeTurns({ noop, sender, reader }) {
  const noopAt = performance.now();
  const noopDone = await noop.call('noop', { target: 'ben', message: 'hello' });
  const waiting = reader.call('wait_for_mentions', { timeoutMs: 20_000 });
  await parked();
  const sentAt = performance.now();
  const [accepted, woken] = await Promise.all([
    sender.call('send_message', { target: 'ben', message: 'hello' }),
    waiting,
  ]);
  if (!woken.text.includes('hello')) throw new Error(`the wait was not woken by the message: ${woken.text}`);
  return { noop: noopDone.at - noopAt, accepted: accepted.at - sentAt, woken: woken.at - sentAt };
}

function quantiles(perBlock, share) {
  return perBlock.map((times) => quantile(times, share));
}

function shown(perBlock) {
  return [0.5, 0.99].map((share) => spread(quantiles(perBlock, share), 2));
}

function compared(perBlock, base) {
  return [0.5, 0.99].map((share) => spread(ratios(quantiles(perBlock, share), quantiles(base, share)), 2));
}

/** Long enough for the wait to have read an empty inbox and parked; what is measured starts after it. */
function parked() {
  return new Promise((resolve) => setTimeout(resolve, 2));
}
