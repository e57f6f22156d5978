// One busy session on several hubs: its senders at one hub alone, spread over three hubs, and all at one of the three, as
// with session affinity in the proxy. In turns, on one PostgreSQL.
import { call, runLoad } from './support/processes.mjs';
import { hubsOnPostgres } from './support/peers/hubs.mjs';
import { printTable } from './support/table.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const senders = (process.env['SENDERS'] ?? '16,64').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const times = { warmMs: 300, runMs: Number(process.env['RUN_MS'] ?? 1_500) };
const readers = ['ben', 'cyn', 'dan'];

const [lone, three] = [await hubsOnPostgres(1), await hubsOnPostgres(3)];
try {
  const threads = { lone: await openThread(lone.urls[0]), three: await openThread(three.urls[0]) };
  const rows = [];
  for (const connections of senders) {
    const load = (urls, threadId) => async () => {
      const before = await batches(urls);
      const { perSecond } = await runLoad({
        urls: urls.map((url) => `${url}/v1/send_message`),
        headers: { 'coterie-agent': 'ann' },
        bodies: [JSON.stringify({ threadId, content: 'Auth fix complete. PR #42 open. Tests passing. @n' })],
        mustContain: '"success":true',
        connections,
        ...times,
      });
      const after = await batches(urls);
      return { perSecond, perBatch: (after.sum - before.sum) / (after.count - before.count) };
    };
    const figures = await inTurns(
      {
        'one hub': load(lone.urls, threads.lone),
        'three hubs, spread': load(three.urls, threads.three),
        'three hubs, one of them': load(three.urls.slice(0, 1), threads.three),
      },
      rounds,
    );
    for (const [name, measured] of Object.entries(figures)) {
      const rates = measured.map(({ perSecond }) => perSecond);
      const base = figures['one hub'].map(({ perSecond }) => perSecond);
      const sizes = measured.map(({ perBatch }) => perBatch);
      rows.push([connections, name, spread(rates), spread(sizes, 1), spread(ratios(rates, base), 2)]);
    }
  }
  printTable(['senders', 'hubs', 'sends/s', 'messages per batch', ': one hub'], rows);
} finally {
  for (const hubs of [lone, three]) await hubs.stop();
}

async function openThread(url) {
  for (const agentId of ['ann', ...readers]) await call(url, 'register_agent', { agentId });
  const thread = { title: 'Bench', participants: readers };
  return (await call(url, 'create_thread', thread, { 'coterie-agent': 'ann' })).threadId;
}

/** How many messages the hubs have stored, in how many batches. */
async function batches(urls) {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const total = (name) =>
    texts.reduce(
      (sum, text) => sum + Number(new RegExp(`^coterie_commit_batch_commands_${name} (\\d+)`, 'm').exec(text)?.[1]),
      0,
    );
  return { sum: total('sum'), count: total('count') };
}
