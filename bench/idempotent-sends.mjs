// Sends with an idempotency key beside sends without one, over MCP at 64 connections, in turns on one hub.
import { call, runLoad, withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const times = { connections: 64, warmMs: 500, runMs: Number(process.env['RUN_MS'] ?? 3_000) };
const message = 'Auth fix complete. PR #42 open. Tests passing. @n';

const { plain, keyed } = await withHub(async (url) => {
  for (const agentId of ['ann', 'ben', 'cyn', 'dan']) await call(url, 'register_agent', { agentId });
  const run = (more) =>
    runLoad({
      ...times,
      url: `${url}/mcp?agent=ann`,
      headers: toolCallHeaders('send_message'),
      bodies: ['ben', 'cyn', 'dan'].map((target) => toolCallBody('send_message', { target, message, ...more })),
      mustContain: '"duplicate":false',
    });
  const rate = async (more) => (await run(more)).perSecond;
  let turn = 0;
  return inTurns(
    {
      plain: () => rate({}),
      // As long as the UUID that callers use.
      keyed: () => rate({ idempotency_key: `5d0f7c52-7a1e-4c1b-${turn++}-@n` }),
    },
    rounds,
  );
});

printTable(
  ['plain sends/s', 'with a key, sends/s', 'keyed : plain'],
  [[spread(plain), spread(keyed), spread(ratios(keyed, plain), 2)]],
);
