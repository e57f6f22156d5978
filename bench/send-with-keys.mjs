// What a key costs: durable send_message per second over MCP with and without keys, in turns, on two hubs that run side by
// side, and the processor time that a hub spends on one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, hubCli, runLoad, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const connections = 64;
const rounds = Number(process.env['ROUNDS'] ?? 7);
const times = { warmMs: 0, runMs: Number(process.env['RUN_MS'] ?? 2_000) };
const message = 'Auth fix complete. PR #42 open. Tests passing. @n';

const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
const makeKey = (agent) =>
  execFileSync(process.execPath, [hubCli, 'keys', 'create', '--agent', agent, '--data', data], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

const bodies = ['ben', 'cyn', 'dan'].map((target) =>
  toolCallBody('send_message', { target, message, message_type: 'STATUS' }),
);
const sends = (url, headers) =>
  runLoad({
    url,
    headers: { ...toolCallHeaders('send_message'), ...headers },
    bodies,
    mustContain: '"success":true',
    connections,
    ...times,
  });

const agents = ['ann', 'ben', 'cyn', 'dan'];
const keys = agents.map(makeKey);
const measuredRounds = await withHub((open, openChild) =>
  withHub((keyed, keyedChild) => inTurns({ url: open, pid: openChild.pid }, { url: keyed, pid: keyedChild.pid }), [], {
    data,
  }),
);
for (const [title, of, digits] of [
  ['sends per second', ({ perSecond }) => perSecond, 0],
  ['processor µs per send', ({ cpuMicros }) => cpuMicros, 1],
]) {
  const figures = measuredRounds.map(({ open, keyed }) => [of(open), of(keyed)]);
  const ratios = figures.map(([open, keyed]) => keyed / open);
  const [opens, keyeds] = [0, 1].map((side) => median(figures.map((pair) => pair[side])).toFixed(digits));
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  printTable(
    [title, 'open', 'with keys', 'with keys : open', 'range'],
    [['median', opens, keyeds, median(ratios).toFixed(3), range]],
  );
}

async function inTurns(open, keyed) {
  for (const [index, agentId] of agents.entries()) {
    await call(open.url, 'register_agent', { agentId });
    await call(keyed.url, 'register_agent', {}, { authorization: `Bearer ${keys[index]}` });
  }
  const runs = {
    open: () => measured(open, `${open.url}/mcp?agent=ann`, {}),
    keyed: () => measured(keyed, `${keyed.url}/mcp`, { authorization: `Bearer ${keys[0]}` }),
  };
  const found = [];
  // The first round warms up. Whoever goes first changes with every round.
  for (let round = 0; round <= rounds; round++) {
    const figures = {};
    for (const name of round % 2 === 0 ? ['open', 'keyed'] : ['keyed', 'open']) figures[name] = await runs[name]();
    if (round > 0) found.push(figures);
  }
  return found;
}

async function measured({ pid }, url, headers) {
  const before = cpuMillis(pid);
  const { perSecond } = await sends(url, headers);
  const calls = (perSecond * times.runMs) / 1_000;
  return { perSecond, cpuMicros: ((cpuMillis(pid) - before) * 1_000) / calls };
}

/** User and system time of all threads, in steps of 10 ms. */
function cpuMillis(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
