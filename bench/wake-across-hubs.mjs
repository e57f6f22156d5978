// From a send at one hub to the woken wait's answer at another, beside LISTEN and NOTIFY alone, beside a NOTIFY in the commit
// that stores what it announces (the floor of anything durable), and beside a plain program that does with them what must be
// done: store, notify, and let the listener take what was stored. In turns.
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { call, hubCli, startProgram } from './support/processes.mjs';
import { quantile, RawClient } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 1_000);
const script = fileURLToPath(new URL('../scripts/postgres.mjs', import.meta.url));

const server = await startProgram(process.execPath, [script], { stdin: 'pipe', showErrors: true });
const hubs = await Promise.all([1, 2].map(startHub));
const [speaker, listener] = await Promise.all([1, 2].map(connect));
try {
  for (const agentId of ['ann', 'ben']) await call(hubs[0].address, 'register_agent', { agentId });
  await speaker.query(
    'create table plain (n integer primary key, text text not null, taken boolean not null default false)',
  );
  await speaker.query('create table durable (n serial primary key, text text not null)');
  await listener.query('listen plain');
  const sender = new RawClient(`${hubs[0].address}/mcp?agent=ann`);
  const reader = new RawClient(`${hubs[1].address}/mcp?agent=ben`);
  const figures = { notify: [], durable: [], plain: [], accepted: [], woken: [], after: [] };
  for (let round = -100; round < rounds; round++) {
    const notify = await notified();
    const durable = await storedAndNotified();
    const plain = await storedAndTaken(round);
    const { accepted, woken } = await wake(sender, reader);
    if (round < 0) continue;
    figures.notify.push(notify);
    figures.durable.push(durable);
    figures.plain.push(plain);
    figures.accepted.push(accepted);
    figures.woken.push(woken);
    figures.after.push(woken - accepted);
  }
  for (const client of [sender, reader]) client.close();
  const ratio = (name, base) =>
    [0.5, 0.99].map((q) => (quantile(figures[name], q) / quantile(figures[base], q)).toFixed(2));
  printTable(
    ['', 'p50 ms', 'p99 ms'],
    [
      row('NOTIFY, to the listener', figures.notify),
      row('one commit that stores a row and notifies, to the listener', figures.durable),
      row('plain program: store, NOTIFY, take', figures.plain),
      row('durable send at one hub, to its answer', figures.accepted),
      row('durable send at one hub, to the woken wait’s answer at another', figures.woken),
      row('from the send’s answer to the woken wait’s', figures.after),
      ['wake from the send’s answer : NOTIFY alone', ...ratio('after', 'notify')],
      ['wake with the send : NOTIFY alone', ...ratio('woken', 'notify')],
      ['send’s answer : one commit that stores and notifies', ...ratio('accepted', 'durable')],
      ['wake with the send : one commit that stores and notifies', ...ratio('woken', 'durable')],
      ['wake with the send : plain program', ...ratio('woken', 'plain')],
    ],
  );
} finally {
  for (const client of [speaker, listener]) await client.end();
  for (const hub of hubs) await hub.stop();
  await server.stop();
}

function startHub() {
  return startProgram(process.execPath, [hubCli, 'serve', '--port', '0', '--database', server.address]);
}

async function connect() {
  const client = new Client(server.address);
  await client.connect();
  return client;
}

function heard() {
  return new Promise((resolve) => listener.once('notification', () => resolve(performance.now())));
}

async function notified() {
  const at = performance.now();
  const [, arrived] = await Promise.all([speaker.query("select pg_notify('plain', 'x')"), heard()]);
  return arrived - at;
}

async function storedAndNotified() {
  const at = performance.now();
  const stored = `with stored as (insert into durable (text) values ('hello') returning n)
    select pg_notify('plain', n::text) from stored`;
  const [, arrived] = await Promise.all([speaker.query(stored), heard()]);
  return arrived - at;
}

async function storedAndTaken(round) {
  const taken = heard().then(async () => {
    const { rows } = await listener.query(
      `update plain set taken = true where n in
         (select n from plain where not taken order by n limit 50 for update skip locked) returning text`,
    );
    if (rows.length !== 1) throw new Error('the listener did not find what was stored');
    return performance.now();
  });
  const at = performance.now();
  await speaker.query('insert into plain (n, text) values ($1, $2)', [round, 'hello']);
  await speaker.query("select pg_notify('plain', 'x')");
  return (await taken) - at;
}

async function wake(sender, reader) {
  const waiting = reader.call('wait_for_mentions', { timeoutMs: 20_000 });
  // Long enough for the wait to have read an empty inbox and parked; what is measured starts after it.
  await new Promise((resolve) => setTimeout(resolve, 10));
  const sentAt = performance.now();
  const [accepted, woken] = await Promise.all([
    sender.call('send_message', { target: 'ben', message: 'hello' }),
    waiting,
  ]);
  if (!woken.text.includes('hello')) throw new Error(`the wait was not woken by the message: ${woken.text}`);
  return { accepted: accepted.at - sentAt, woken: woken.at - sentAt };
}

function row(name, times) {
  return [name, quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)];
}
