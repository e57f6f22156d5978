// The last call of a large import: how long it takes, the slowest send of others meanwhile, and the longest turns of the hub's
// threads.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { call, hubCli, withHub } from './support/processes.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const messages = Number(process.env['MESSAGES'] ?? 100_000);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const cli = process.env['CLI'] ?? hubCli;
const probe = new URL('./support/loop-delay.mjs', import.meta.url).pathname;
const linesPerPart = 20_000;
const ann = { 'coterie-agent': 'ann', 'coterie-session': 'small' };

const figures = [];
for (let round = 0; round < rounds; round++) {
  figures.push(await withHub(measure, [], { cli, ipc: true, nodeArgs: ['--import', probe] }));
}
const columns = {
  'last call, ms': 'ms',
  'sends meanwhile': 'sends',
  'slowest of them, ms': 'slowest',
  'longest turn of the writer, ms': 'writerTurn',
  'longest stretch of the main thread, ms': 'main',
};
printTable(
  ['messages', ...Object.keys(columns)],
  [[messages.toLocaleString('en'), ...Object.values(columns).map((name) => spread(figures.map((each) => each[name])))]],
);

async function measure(url, child) {
  const stretches = (asked) => {
    const answer = once(child, 'message');
    child.send(asked);
    return answer.then(([figure]) => figure);
  };
  for (const agentId of ['ann', 'ben']) await call(url, 'register_agent', {}, { ...ann, 'coterie-agent': agentId });
  await call(url, 'send_message', { target: 'ben', content: 'One of many messages' }, ann);
  const last = await stage(url, await exportOfMany(url));
  await stretches('reset');
  const state = { isOver: false, slowest: 0, sends: 0 };
  const sending = sendUntil(url, state);
  const begin = performance.now();
  await call(url, 'import_session', { ...last, lines: '', done: true });
  const ms = performance.now() - begin;
  state.isOver = true;
  await sending;
  return { ms, ...state, ...(await stretches('look')) };
}

/** The export of a session with one message, as if it had many. */
async function exportOfMany(url) {
  const { lines } = await call(url, 'export_session', {}, ann);
  const [header, session, ...others] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [message, copy] = ['message', 'copy'].map((kind) => others.find((line) => line.kind === kind));
  const body = [session];
  for (let seq = 1; seq <= messages; seq++) body.push({ ...message, seq }, { ...copy, seq });
  body.push(...others.slice(0, -1).filter(({ kind }) => kind !== 'message' && kind !== 'copy'));
  const counts = {};
  for (const { kind } of body) counts[kind] = (counts[kind] ?? 0) + 1;
  const written = [{ ...header, lastSeq: messages }, ...body].map((line) => JSON.stringify(line));
  const sha256 = written.reduce((before, line) => hash('sha256', before + line, 'hex'), '');
  return [...written, JSON.stringify({ kind: 'end', lines: written.length, counts, sha256 })];
}

async function stage(url, lines) {
  const begun = { sessionId: 'moved' };
  let part = 1;
  for (let from = 0; from < lines.length; from += linesPerPart, part++) {
    const given = lines.slice(from, from + linesPerPart).join('\n');
    ({ importId: begun.importId } = await call(url, 'import_session', { ...begun, part, lines: given }));
  }
  return { ...begun, part };
}

async function sendUntil(url, state) {
  while (!state.isOver) {
    const begin = performance.now();
    await call(url, 'send_message', { target: 'ben', content: 'hello' }, ann);
    state.slowest = Math.max(state.slowest, performance.now() - begin);
    state.sends += 1;
  }
}

function spread(values) {
  const [median, least, most] = [0.5, 0, 1].map((share) => quantile(values, share).toFixed(0));
  return `${median} (${least}–${most})`;
}
