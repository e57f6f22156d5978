// 1,000 and 5,000 parked waits: memory of each, what they do to sends beside a hub without them, in turns, and how long it
// takes to wake them all.
import { call, runLoad, withHub } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 3);

const rows = [];
for (const count of [1_000, 5_000])
  rows.push(
    await withHub((idle) => withHub((url) => measure(url, { idle, count }), [], { nodeArgs: ['--expose-gc'] })),
  );
printTable(
  [
    'parked waits',
    'KB each (resident)',
    'sends/s without them',
    'sends/s with them',
    'with : without',
    'wake all p50 ms',
    'p99 ms',
    'max ms',
  ],
  rows,
);

async function measure(url, { idle, count }) {
  const agents = Array.from({ length: count }, (_, index) => `w${index}`);
  for (const agentId of ['ann', 'ben', ...agents]) await call(url, 'register_agent', { agentId });
  for (const agentId of ['ann', 'ben']) await call(idle, 'register_agent', { agentId });
  // What a busy hub has allocated is no memory of the waits.
  await sendRate(url);
  const before = await resident(url);
  const clients = agents.map((agent) => new RawClient(`${url}/mcp?agent=${agent}`));
  // Under the wait this client would be granted, so that none times out while others are measured.
  const waits = clients.map((client) => client.call('wait_for_mentions', { timeoutMs: 600_000 }));
  while ((await metric(url, 'coterie_waits_parked')) < count) await pause(50);
  const each = ((await resident(url)) - before) / count / 1024;
  const rates = await inTurns({ without: () => sendRate(idle), with: () => sendRate(url) }, rounds);
  const begin = performance.now();
  await call(url, 'send_message', { target: 'all', message: 'wake up' }, { 'coterie-agent': 'ann' });
  const woken = (await Promise.all(waits)).map(({ at }) => at - begin);
  for (const client of clients) client.close();
  const wake = [0.5, 0.99, 1].map((share) => Math.round(quantile(woken, share)));
  const compared = spread(ratios(rates.with, rates.without), 2);
  return [count, each.toFixed(1), spread(rates.without), spread(rates.with), compared, ...wake];
}

async function sendRate(url) {
  const bodies = [toolCallBody('send_message', { target: 'ben', message: 'hello @n' })];
  const load = { url: `${url}/mcp?agent=ann`, headers: toolCallHeaders('send_message'), bodies, connections: 64 };
  return (await runLoad({ ...load, warmMs: 500, runMs: 1_500 })).perSecond;
}

/** After a pause, so that garbage of what came before is not counted. */
async function resident(url) {
  await pause(2_000);
  return metric(url, 'coterie_resident_bytes');
}

async function metric(url, name) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
