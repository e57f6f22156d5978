// Sends with an idempotency key beside sends without one, over MCP at 64 connections, in turns on one hub.
import { call, runLoad, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const times = { connections: 64, warmMs: 500, runMs: Number(process.env['RUN_MS'] ?? 3_000) };
const message = 'Auth fix complete. PR #42 open. Tests passing. @n';

const [plain, keyed] = await withHub(async (url) => {
  for (const agentId of ['ann', 'ben', 'cyn', 'dan']) await call(url, 'register_agent', { agentId });
  const run = (more) =>
    runLoad({
      ...times,
      url: `${url}/mcp?agent=ann`,
      headers: toolCallHeaders('send_message'),
      bodies: ['ben', 'cyn', 'dan'].map((target) => toolCallBody('send_message', { target, message, ...more })),
      mustContain: '"duplicate":false',
    });
  const figures = [[], []];
  for (let round = 0; round < rounds; round++) {
    figures[0].push((await run({})).perSecond);
    // As long as the UUID that callers use.
    figures[1].push((await run({ idempotency_key: `5d0f7c52-7a1e-4c1b-${round}-@n` })).perSecond);
  }
  return figures.map(median);
});

printTable(
  ['plain sends/s', 'with a key, sends/s', 'keyed : plain'],
  [[Math.round(plain), Math.round(keyed), `${Math.round((keyed / plain) * 100)} %`]],
);

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
