// Opening a thread with 10, 100 and 1,000 participants: one transaction and one batch of wake-ups, each told by a notice.
// All of them wait while it happens.
import { Agent, request } from 'node:http';
import { call, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';

const sizes = (process.env['SIZES'] ?? '10,100,1000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 5);

const rows = [];
for (const size of sizes) rows.push(await withHub((url) => measure(url, size)));
printTable(['participants', 'create_thread ms', 'µs per participant', 'all woken after ms'], rows);

async function measure(url, size) {
  const participants = Array.from({ length: size }, (_, index) => `r${index}`);
  for (const agentId of ['ann', ...participants]) await call(url, 'register_agent', { agentId });
  const agent = new Agent({ keepAlive: true, maxSockets: size + 1 });
  const figures = { opened: [], woken: [] };
  for (let round = 0; round < rounds; round++) {
    const waits = participants.map((id) => wait(url, agent, id));
    await parked(url, size);
    const begin = performance.now();
    await call(url, 'create_thread', { title: 'Crowd', participants }, { 'coterie-agent': 'ann' });
    figures.opened.push(performance.now() - begin);
    const answers = await Promise.all(waits);
    figures.woken.push(performance.now() - begin);
    if (!answers.every((text) => text.includes('You have been added'))) throw new Error('someone was not told');
  }
  agent.destroy();
  const opened = median(figures.opened);
  return [size, opened.toFixed(1), ((opened / size) * 1000).toFixed(0), median(figures.woken).toFixed(0)];
}

function wait(url, agent, id) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'coterie-agent': id };
    const asked = request(`${url}/v1/wait_for_mentions`, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve(text));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ timeoutMs: 60_000 }));
  });
}

async function parked(url, count) {
  while ((await metric(url, 'coterie_waits_parked')) < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function metric(url, name) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
