// What a key costs: durable send_message per second over MCP with and without keys, in turns, on hubs that run side by side.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, hubCli, runLoad, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const connections = 64;
const rounds = Number(process.env['ROUNDS'] ?? 7);
const times = { warmMs: 500, runMs: Number(process.env['RUN_MS'] ?? 2_000) };
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
const found = await withHub((open) => withHub((keyed) => inTurns(open, keyed), [], { data }));
printTable(
  ['', 'open', 'with keys', 'with keys : open'],
  [
    ...found.map(({ open, keyed }, round) => row(String(round + 1), open, keyed)),
    row(
      'median',
      median(found.map(({ open }) => open)),
      median(found.map(({ keyed }) => keyed)),
      median(found.map(({ open, keyed }) => keyed / open)),
    ),
  ],
);

async function inTurns(open, keyed) {
  for (const [index, agentId] of agents.entries()) {
    await call(open, 'register_agent', { agentId });
    await call(keyed, 'register_agent', {}, { authorization: `Bearer ${keys[index]}` });
  }
  const figuresByRound = [];
  const runs = {
    open: () => sends(`${open}/mcp?agent=ann`, {}),
    keyed: () => sends(`${keyed}/mcp`, { authorization: `Bearer ${keys[0]}` }),
  };
  for (let round = 0; round < rounds; round++) {
    const figures = {};
    // Whoever goes first changes with every round.
    const order = round % 2 === 0 ? ['open', 'keyed'] : ['keyed', 'open'];
    for (const name of order) figures[name] = (await runs[name]()).perSecond;
    figuresByRound.push(figures);
  }
  return figuresByRound;
}

function row(name, open, keyed, ratio = keyed / open) {
  return [name, Math.round(open), Math.round(keyed), ratio.toFixed(3)];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
