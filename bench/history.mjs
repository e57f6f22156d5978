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

/** The hubs of all sizes run side by side and are asked in turns. */
async function withHubs(left, urls, use) {
  const [size, ...others] = left;
  if (size === undefined) return use(urls);
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fillStore(data, { size, sessions, agents, threads, textOf });
  return withHub((url) => withHubs(others, [...urls, url], use), [], { data });
}

const rows = await withHubs(sizes, [], async (urls) => {
  const measured = [];
  for (const [question, ask] of Object.entries(questions)) measured.push([question, ...(await measure(urls, ask))]);
  return measured;
});
printTable(
  [
    'question',
    ...sizes.map((size) => `${size.toLocaleString('en')}: p50 / p99 ms`),
    'p50 : smallest',
    'p99 : smallest',
  ],
  rows,
);

async function measure(urls, ask) {
  const times = sizes.map(() => []);
  for (let round = 0; round < rounds + 20; round++) {
    for (const [index, size] of sizes.entries()) {
      const [operation, input] = ask(round, size);
      const begin = performance.now();
      await call(urls[index], operation, input, { 'coterie-session': `s${round % sessions}` });
      if (round >= 20) times[index].push(performance.now() - begin);
    }
  }
  const at = (share) => times.map((each) => quantile(each, share));
  const [p50, p99] = [at(0.5), at(0.99)];
  const shown = sizes.map((_, index) => `${p50[index].toFixed(2)} / ${p99[index].toFixed(2)}`);
  return [...shown, ...[p50, p99].map((figures) => (figures.at(-1) / figures[0]).toFixed(2))];
}
