// What one reader with a deep inbox costs: a filtered wait that matches one copy in a thousand, a cursor that is confirmed
// again, list_threads of an agent that is in none of many private threads, remove_agent; and the slowest of the small
// sends of others meanwhile.
import { mkdtempSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../dist/store/sqlite/writer/driver.js';
import { fillBacklog } from './support/fill-backlog.mjs';
import { call, withHub } from './support/processes.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const sizes = (process.env['SIZES'] ?? '1000,50000,200000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 40);
const reader = 'deep';
/** The reader of another inbox like it, who asks before the hub has filed it. */
const early = 'early';
const as = (agent) => ({ 'coterie-agent': agent });
const wait = { from: 'rare', timeoutMs: 0, limit: 1, ack: 'manual' };

const steps = {
  // The hub files once a second, so nothing is filed yet. Another agent's inbox, so that these do not file this one.
  'filtered wait, not filed': (url) => timed(() => call(url, 'wait_for_mentions', wait, as(early))),
  'filtered wait for nobody, not filed': (url) =>
    timed(() => call(url, 'wait_for_mentions', { ...wait, from: 'other' }, as(early))),
  'until the hub has filed it': (_, data) => timed(() => untilFiled(data)),
  'filtered wait, the first': (url) => timed(() => call(url, 'wait_for_mentions', wait, as(reader))),
  'filtered wait, later': (url) => repeated(() => call(url, 'wait_for_mentions', wait, as(reader))),
  'filtered wait for nobody': (url) =>
    repeated(() => call(url, 'wait_for_mentions', { ...wait, from: 'other' }, as(reader))),
  'cursor, confirmed again': confirmAgain,
  'list_threads of one in none': (url) => repeated(() => call(url, 'list_threads', {}, as('idle'))),
  '/metrics': (url) => repeated(async () => (await fetch(`${url}/metrics`)).text()),
  remove_agent: (url) => timed(() => call(url, 'remove_agent', { agentId: reader }, as(reader))),
};

const columns = [];
for (const size of sizes) {
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fillBacklog(data, { size, readers: [reader, early], threads: size / 10 });
  columns.push(await withHub((url) => measure(url, data), [], { data }));
}
printTable(
  ['call', ...sizes.map((size) => `${size.toLocaleString('en')}: p50 ms, slowest send ms`)],
  Object.keys(steps).map((step, row) => [
    step,
    ...columns.map((figures) => `${figures[row].p50.toFixed(1)}, ${figures[row].send.toFixed(0)}`),
  ]),
);

async function measure(url, data) {
  const figures = [];
  // The first calls of a hub take longer, whatever they are.
  for (let round = 0; round < 20; round++) await call(url, 'wait_for_mentions', wait, as('idle'));
  for (const step of Object.values(steps)) {
    const state = { isOver: false };
    const sends = sendUntil(url, state);
    const times = await step(url, data);
    state.isOver = true;
    figures.push({ p50: quantile(times, 0.5), send: await sends });
  }
  return figures;
}

/** The hub files deep inboxes once a second, in steps. An inbox of an earlier release is filed to its end. */
async function untilFiled(data) {
  const database = openDatabase(join(data, 'coterie.db'));
  const state = database.prepare(
    'select (select filed_seq from agent where id = ?) as filed, max(seq) as last from pending where agent_id = ?',
  );
  for (;;) {
    const { filed, last } = state.get(reader, reader);
    if (filed >= last) break;
    await setTimeout(50);
  }
  database.close();
}

/** The slowest of small sends, one after the other. */
async function sendUntil(url, state) {
  let slowest = 0;
  do {
    const [ms] = await timed(() => call(url, 'send_message', { target: 'idle', content: 'hello' }, as('busy')));
    slowest = Math.max(slowest, ms);
  } while (!state.isOver);
  return slowest;
}

async function timed(run) {
  const begin = performance.now();
  await run();
  return [performance.now() - begin];
}

async function repeated(run) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(...(await timed(run)));
  return times;
}

async function confirmAgain(url) {
  const taken = await call(url, 'get_messages', { limit: 5, ack: 'manual' }, as(reader));
  const confirm = { from: 'nobody-else', timeoutMs: 0, cursor: taken.cursor };
  await call(url, 'get_messages', { limit: 1, ack: 'manual', cursor: taken.cursor }, as(reader));
  return repeated(() => call(url, 'wait_for_mentions', { ...confirm, from: 'other' }, as(reader)));
}
