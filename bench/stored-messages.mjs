// 1 thousand, 100 thousand, 2 million messages stored over 50 sessions: reading an inbox and sending.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from './support/fill-store.mjs';
import { call, runLoad, withHub } from './support/processes.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const sizes = (process.env['SIZES'] ?? '1000,100000,2000000').split(',').map(Number);
const [sessions, agents, threads] = [50, 10, 2_000];
const text =
  'a message of usual length, about one hundred and twenty bytes long, more or less, so that pages fill as they do';

const rows = [];
for (const size of sizes) {
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fillStore(data, { size, sessions, agents, threads, textOf: () => text });
  rows.push([size.toLocaleString('en'), ...(await withHub(measure, [], { data }))]);
  rmSync(data, { recursive: true, force: true });
}
printTable(['stored', 'inbox read p50 ms', 'inbox read p99 ms', 'sends/s'], rows);

async function measure(url) {
  const times = [];
  for (let round = 0; round < 600; round++) {
    const [session, agent] = [`s${round % sessions}`, `a${round % agents}`];
    const headers = { 'coterie-session': session, 'coterie-agent': agent };
    if (round % 6 === 0)
      await call(url, 'send_message', { target: agent, message: text }, { ...headers, 'coterie-agent': 'a9' });
    const begin = performance.now();
    await call(url, 'get_messages', { limit: 50 }, headers);
    if (round >= 100) times.push(performance.now() - begin);
  }
  const figures = [];
  // Each load process takes one session; several sessions at once, as teams do.
  for (let part = 0; part < 5; part++) {
    const bodies = Array.from({ length: 9 }, (_, a) =>
      toolCallBody('send_message', { target: `a${a}`, message: `${text} @n` }),
    );
    const headers = { ...toolCallHeaders('send_message'), 'coterie-session': `s${part * 7}` };
    figures.push(
      (await runLoad({ url: `${url}/mcp?agent=a9`, headers, bodies, connections: 64, warmMs: 300, runMs: 1_500 }))
        .perSecond,
    );
  }
  return [quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2), Math.round(quantile(figures, 0.5))];
}
