// What one send, one delivery and one wait cost on PostgreSQL: round trips, rows and bytes of log. Counted, not timed, so
// a busy machine does not matter.
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { setLimits } from '../dist/contract/limits.js';
import { operations } from '../dist/contract/operations/index.js';
import { planSend } from '../dist/message/send/send.js';
import { openPostgresStore } from '../dist/store/postgres/postgres-store.js';
import { startProgram } from './support/processes.mjs';
import { text } from './support/send-path-shape.mjs';
import { printTable } from './support/table.mjs';

const times = 1_000;
const sessionId = 's';
const counted = { trips: 0 };
const original = Reflect.get(Client.prototype, 'query');
Client.prototype.query = function count(...given) {
  counted.trips += 1;
  return Reflect.apply(original, this, given);
};

setLimits({ inbox: 1_000_000 });
const script = fileURLToPath(new URL('../scripts/postgres.mjs', import.meta.url));
const server = await startProgram(process.execPath, [script], { stdin: 'pipe', showErrors: true });
const watcher = new Client(server.address);
await watcher.connect();
const store = await openPostgresStore({ url: server.address, onBatch() {}, onNotices() {}, onBug: console.error });
try {
  await prepare();
  const rows = [
    await cost('send to one, alone', times, () => send({ target: 'reader-0' })),
    await cost('send to one, 64 at once', times * 8, () => send({ target: 'reader-1' }), 64),
    await cost('send to a thread of 4, alone', times, () => send({ threadId: 't' })),
    await cost('send to a thread of 4, 64 at once', times * 8, () => send({ threadId: 't' }), 64),
    await cost(
      'send with a key, 64 at once',
      times * 8,
      (n) => send({ target: 'reader-2', idempotencyKey: `k${n}` }),
      64,
    ),
    await words(),
    await cost('wait that finds nothing', times, () => lease('ann')),
    await cost('delivery: one message handed out and confirmed', times, deliver),
    await cost('delivery: 50 messages handed out and confirmed, each', 2_000, deliverMany, 1, 50),
  ];
  printTable(['', 'round trips', 'log, bytes'], rows);
} finally {
  await store.close();
  await watcher.end();
  await server.stop();
}

async function prepare() {
  const at = Date.now();
  const readers = ['reader-0', 'reader-1', 'reader-2'];
  for (const id of ['ann', ...readers]) {
    const nothing = { name: null, description: null, capabilities: null };
    await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at, onlyIfMissing: true });
  }
  const plain = { isAdmin: true, isPrivate: false, critical: null, opening: null, at, key: null };
  await store.createThread({ sessionId, threadId: 't', title: 'T', creator: 'ann', participants: readers, ...plain });
  // What comes after a checkpoint is logged as whole pages once; the figures are those of a steady state.
  for (let n = 0; n < 200; n++) await send({ threadId: 't' });
}

function send(place) {
  const caller = { sessionId, agentId: 'ann', capabilities: new Set(['send']), owner: 'open', connectAs: String };
  return store.appendMessage(
    planSend(caller, operations.sendMessage.input.parse({ content: text, ...place }), Date.now()),
  );
}

function lease(agentId, limit = 1) {
  const now = { now: Date.now(), monotonicNow: 0, leaseMs: 10_000 };
  const filter = { wakingOnly: true };
  return store.leaseCopies({ sessionId, agentId, filter, limit, token: 't', isManual: false, ...now, tokensMax: null });
}

async function deliver(_, limit = 1) {
  const { copies } = await lease('reader-1', limit);
  const keys = copies.map(({ key }) => key);
  await store.confirmLease({ sessionId, agentId: 'reader-1', token: 't', keys, at: Date.now() });
}

function deliverMany() {
  return deliver(0, 50);
}

async function cost(name, runs, run, atOnce = 1, perRun = 1) {
  const calls = Math.ceil(runs / perRun);
  counted.trips = 0;
  const before = await position();
  const own = counted.trips;
  for (let n = 0; n < calls; n += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, index) => run(n + index)));
  }
  const trips = counted.trips - own;
  const bytes = (await position()) - before;
  await filled();
  const all = calls * perRun;
  return [name, (trips / all).toFixed(trips / all < 1 ? 3 : 1), Math.round(bytes / all)];
}

/** The background's part of a send. */
async function words() {
  for (let n = 0; n < times; n++) await send({ target: 'reader-0' });
  counted.trips = 0;
  const before = await position();
  await filled();
  return [
    'the words of a message, later',
    (counted.trips / times).toFixed(3),
    Math.round(((await position()) - before) / times),
  ];
}

/** The words of messages are indexed when it is quiet: not while something else is measured. */
async function filled() {
  for (;;) {
    const { rows } = await watcher.query(
      'select (select max(seq) from message) = (select max(seq) from word_mark) as done',
    );
    if (rows[0].done === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function position() {
  const { rows } = await watcher.query("select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes");
  return rows[0].bytes;
}
