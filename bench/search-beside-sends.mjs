// What searches cost those who send: 64 senders alone, and beside 10 searchers who search without a pause, in turns against
// the same hub with a million messages stored. The promise is the ratio of the sends' p99: at most 2.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from './support/fill-store.mjs';
import { runLoad, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const size = Number(process.env['SIZE'] ?? 1_000_000);
const rounds = Number(process.env['ROUNDS'] ?? 7);
const runMs = Number(process.env['RUN_MS'] ?? 3_000);
const senders = Number(process.env['SENDERS'] ?? 64);
const searchers = Number(process.env['SEARCHERS'] ?? 10);
const [sessions, agents, threads, rareWords] = [4, 10, 200, 997];
const warmMs = 500;

/** Every message has the common words, one in a thousand the same rare one; one in 500 is long. */
const textOf = (n) =>
  `a message of usual length about the release of part${n % 50}, ticket rare${n % rareWords}, and what is to be done next` +
  (n % 500 === 0 ? ` ${'a long report about the release and what follows from it. '.repeat(400)}` : '');

const queries = [
  'release',
  'rare@n',
  'message release rare7',
  '"to be done"',
  'releas*',
  'nowhere',
  'part7 part8',
  'report',
];

const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
fillStore(data, { size, sessions, agents, threads, textOf });
const figures = await withHub(
  (url) =>
    inTurns(
      {
        alone: async () => ({ sends: await send(url) }),
        beside: async () => {
          const [sends, searches] = await Promise.all([send(url), search(url)]);
          return { sends, searches };
        },
      },
      rounds,
    ),
  [],
  { data },
);

const of = (which, kind, figure) => figures[which].map((round) => round[kind][figure]);
const row = (name, which, kind) => [
  name,
  spread(of(which, kind, 'perSecond')),
  spread(of(which, kind, 'p50'), 1),
  spread(of(which, kind, 'p99'), 1),
];
printTable(
  ['', 'per second', 'p50 ms', 'p99 ms'],
  [
    row(`${senders} senders`, 'alone', 'sends'),
    row(`${senders} senders beside ${searchers} searchers`, 'beside', 'sends'),
    row('the searches', 'beside', 'searches'),
  ],
);
for (const figure of ['p99', 'p50', 'perSecond']) {
  const ratio = ratios(of('beside', 'sends', figure), of('alone', 'sends', figure));
  console.log(`${figure} of sends, beside : alone, median of ${rounds} rounds: ${spread(ratio, 2)}`);
}

function send(url) {
  const bodies = Array.from({ length: 9 }, (_, a) =>
    toolCallBody('send_message', { target: `a${a}`, message: 'a small message, number @n' }),
  );
  const headers = { ...toolCallHeaders('send_message'), 'coterie-session': 's0' };
  return runLoad({ url: `${url}/mcp?agent=a9`, headers, bodies, connections: senders, warmMs, runMs });
}

function search(url) {
  const bodies = queries.map((query) => JSON.stringify({ query }));
  const headers = { 'coterie-session': 's1' };
  const mustContain = '"messages"';
  return runLoad({
    url: `${url}/v1/search_messages`,
    headers,
    bodies,
    connections: searchers,
    warmMs,
    runMs,
    mustContain,
  });
}
