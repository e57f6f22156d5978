// From a send to the woken wait's answer, beside the round trip of a no-op on a plain SDK server, in turns.
import { fileURLToPath } from 'node:url';
import { call, withHub, withServer } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 2_000);
const noopServer = fileURLToPath(new URL('./support/sdk-noop-server.mjs', import.meta.url));

await withServer(noopServer, [], (noopUrl) =>
  withHub(async (url) => {
    for (const agentId of ['ann', 'ben']) await call(url, 'register_agent', { agentId });
    const noop = new RawClient(`${noopUrl}/mcp`);
    const sender = new RawClient(`${url}/mcp?agent=ann`);
    const reader = new RawClient(`${url}/mcp?agent=ben`);
    const figures = { noop: [], accepted: [], woken: [] };
    for (let round = -200; round < rounds; round++) {
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
      if (round < 0) continue;
      figures.noop.push(noopDone.at - noopAt);
      figures.accepted.push(accepted.at - sentAt);
      figures.woken.push(woken.at - sentAt);
    }
    for (const client of [noop, sender, reader]) client.close();
    printTable(
      ['', 'p50 ms', 'p99 ms'],
      [
        row('SDK no-op, round trip', figures.noop),
        row('durable send, to its answer', figures.accepted),
        row('durable send, to the woken wait’s answer', figures.woken),
        [
          'wake : no-op',
          (quantile(figures.woken, 0.5) / quantile(figures.noop, 0.5)).toFixed(2),
          (quantile(figures.woken, 0.99) / quantile(figures.noop, 0.99)).toFixed(2),
        ],
      ],
    );
  }),
);

function row(name, times) {
  return [name, quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)];
}

/** Long enough for the wait to have read an empty inbox and parked; what is measured starts after it. */
function parked() {
  return new Promise((resolve) => setTimeout(resolve, 2));
}
