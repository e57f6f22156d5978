// 1,000 and 5,000 parked waits: memory of each, what they do to a send, and how long it takes to wake them all.
import { call, runLoad, withHub } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const rows = [];
for (const count of [1_000, 5_000])
  rows.push(await withHub((url) => measure(url, count), [], { nodeArgs: ['--expose-gc'] }));
printTable(
  [
    'parked waits',
    'KB each (resident)',
    'sends/s before',
    'sends/s with them',
    'slowed by',
    'wake all p50 ms',
    'p99 ms',
    'max ms',
  ],
  rows,
);

async function measure(url, count) {
  const agents = Array.from({ length: count }, (_, index) => `w${index}`);
  for (const agentId of ['ann', 'ben', ...agents]) await call(url, 'register_agent', { agentId });
  const before = await sendRate(url);
  const idle = await resident(url);
  const clients = agents.map((agent) => new RawClient(`${url}/mcp?agent=${agent}`));
  // Under the wait this client would be granted, so that none times out while others are measured.
  const waits = clients.map((client) => client.call('wait_for_mentions', { timeoutMs: 600_000 }));
  while ((await metric(url, 'coterie_waits_parked')) < count) await pause(50);
  const each = ((await resident(url)) - idle) / count / 1024;
  const during = await sendRate(url);
  const begin = performance.now();
  await call(url, 'send_message', { target: 'all', message: 'wake up' }, { 'coterie-agent': 'ann' });
  const woken = (await Promise.all(waits)).map(({ at }) => at - begin);
  for (const client of clients) client.close();
  const slowed = `${Math.round((1 - during / before) * 100)} %`;
  const wake = [0.5, 0.99, 1].map((share) => Math.round(quantile(woken, share)));
  return [count, each.toFixed(1), Math.round(before), Math.round(during), slowed, ...wake];
}

async function sendRate(url) {
  const bodies = [toolCallBody('send_message', { target: 'ben', message: 'hello @n' })];
  const load = { url: `${url}/mcp?agent=ann`, headers: toolCallHeaders('send_message'), bodies, connections: 64 };
  return (await runLoad({ ...load, warmMs: 500, runMs: 3_000 })).perSecond;
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
