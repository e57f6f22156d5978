// Looking back with 10 thousand and 1 million messages stored over 4 sessions: outbox, history and search, one call at a
// time. A question whose cost grows with the store shows in the ratio.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from './support/fill-store.mjs';
import { call, withHub } from './support/processes.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const sizes = (process.env['SIZES'] ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 200);
const [sessions, agents, threads, rareWords] = [4, 10, 200, 997];

/** Every message has the common words, one in a thousand the same rare one. */
const textOf = (n) =>
  `a message of usual length about the release of part${n % 50}, ticket rare${n % rareWords}, and what is to be done next`;

/** The times of the messages are their numbers. */
const iso = (n) => new Date(n).toISOString();

/** What is asked, by the number of the round and of the messages stored. */
const questions = {
  'outbox, 20': (round) => ['get_sent_messages', { source: `a${round % agents}` }],
  'outbox, none pending': (round) => ['get_sent_messages', { source: `a${round % agents}`, status: 'pending' }],
  'history of a thread, 50': (round) => ['query_message_history', { threadId: `t${(round * 4) % threads}` }],
  'history by sender, 50': (round) => ['query_message_history', { source: `a${round % agents}` }],
  'history by recipient, 50': (round) => ['query_message_history', { target: `a${round % agents}` }],
  'history by sender and recipient, 50': (round) => [
    'query_message_history',
    { source: `a${round % agents}`, target: `a${(round + 1) % agents}` },
  ],
  'history of long ago, 50': (round, size) => [
    'query_message_history',
    { source: `a${round % agents}`, since: iso(size / 3), until: iso(size / 2) },
  ],
  'history, no such state': (round) => [
    'query_message_history',
    { source: `a${round % agents}`, status: 'dead_lettered' },
  ],
  'search, a rare word': (round) => ['search_messages', { query: `rare${round % rareWords}` }],
  'search, a common word': () => ['search_messages', { query: 'release' }],
  'search, common and rare': (round) => ['search_messages', { query: `message release rare${round % rareWords}` }],
  'search, a phrase': () => ['search_messages', { query: '"to be done"' }],
  'search, a beginning': () => ['search_messages', { query: 'releas*' }],
  'search, common in one thread': (round) => [
    'search_messages',
    { query: 'release', threadId: `t${(round * 4) % threads}` },
  ],
  'search, nothing': () => ['search_messages', { query: 'nowhere' }],
};

const columns = [];
for (const size of sizes) {
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fillStore(data, { size, sessions, agents, threads, textOf });
  columns.push(await withHub((url) => measure(url, size), [], { data }));
}
const last = sizes.length - 1;
printTable(
  ['question', ...sizes.map((size) => `${size.toLocaleString('en')}: p50 / p99 ms`), 'p99 : smallest'],
  Object.keys(questions).map((question, row) => [
    question,
    ...columns.map((figures) => `${figures[row].p50.toFixed(2)} / ${figures[row].p99.toFixed(2)}`),
    (columns[last][row].p99 / columns[0][row].p99).toFixed(2),
  ]),
);

async function measure(url, size) {
  const figures = [];
  for (const ask of Object.values(questions)) {
    const times = [];
    for (let round = 0; round < rounds + 20; round++) {
      const [operation, input] = ask(round, size);
      const begin = performance.now();
      await call(url, operation, input, { 'coterie-session': `s${round % sessions}` });
      if (round >= 20) times.push(performance.now() - begin);
    }
    figures.push({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });
  }
  return figures;
}
