// 1 thousand, 100 thousand, 2 million messages stored over 50 sessions: reading an inbox and sending. The hubs of all sizes
// run side by side and take turns.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from './support/fill-store.mjs';
import { call, runLoad, withHub } from './support/processes.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const sizes = (process.env['SIZES'] ?? '1000,100000,2000000').split(',').map(Number);
const [sessions, agents, threads] = [50, 10, 2_000];
const text =
  'a message of usual length, about one hundred and twenty bytes long, more or less, so that pages fill as they do';

const rounds = Number(process.env['ROUNDS'] ?? 5);

const figures = await withHubs(sizes, {}, (contenders) => inTurns(contenders, rounds));
const of = (size, name) => figures[size].map((figure) => figure[name]);
printTable(
  ['stored', 'inbox read p50 ms', 'inbox read p99 ms', 'sends/s', 'read p50 : smallest', 'sends : smallest'],
  sizes.map((size) => [
    size.toLocaleString('en'),
    spread(of(size, 'p50'), 2),
    spread(of(size, 'p99'), 2),
    spread(of(size, 'sends')),
    ...['p50', 'sends'].map((name) => spread(ratios(of(size, name), of(sizes[0], name)), 2)),
  ]),
);

async function withHubs(left, contenders, use) {
  const [size, ...others] = left;
  if (size === undefined) return use(contenders);
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fillStore(data, { size, sessions, agents, threads, textOf: () => text });
  return withHub((url) => withHubs(others, { ...contenders, [size]: () => measure(url) }, use), [], { data });
}

async function measure(url) {
  const times = [];
  for (let round = 0; round < 200; round++) {
    const [session, agent] = [`s${round % sessions}`, `a${round % agents}`];
    const headers = { 'coterie-session': session, 'coterie-agent': agent };
    if (round % 6 === 0)
      await call(url, 'send_message', { target: agent, message: text }, { ...headers, 'coterie-agent': 'a9' });
    const begin = performance.now();
    await call(url, 'get_messages', { limit: 50 }, headers);
    times.push(performance.now() - begin);
  }
  const bodies = Array.from({ length: 9 }, (_, a) =>
    toolCallBody('send_message', { target: `a${a}`, message: `${text} @n` }),
  );
  const headers = { ...toolCallHeaders('send_message'), 'coterie-session': 's7' };
  const load = { url: `${url}/mcp?agent=a9`, headers, bodies, connections: 64, warmMs: 300, runMs: 1_500 };
  const { perSecond: sends } = await runLoad(load);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), sends };
}
