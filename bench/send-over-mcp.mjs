// Durable send_message per second over MCP, beside the SDK's no-op and raw node:http, in turns.
import { fileURLToPath } from 'node:url';
import { call, runLoad, withHub, withServer } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const connections = (process.env['CONNECTIONS'] ?? '1,16,64').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const times = { warmMs: 300, runMs: Number(process.env['RUN_MS'] ?? 1_500) };
const message = 'Auth fix complete. PR #42 open. Tests passing. @n';
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const noop = {
  headers: toolCallHeaders('noop'),
  bodies: [toolCallBody('noop', { target: 'ben', message })],
};
const send = {
  headers: toolCallHeaders('send_message'),
  bodies: ['ben', 'cyn', 'dan'].map((target) =>
    toolCallBody('send_message', { target, message, message_type: 'STATUS' }),
  ),
  mustContain: '"success":true',
};

await withServer(here('./support/sdk-noop-server.mjs'), [], (sdk) =>
  withServer(here('./support/raw-http-server.mjs'), [], (raw) =>
    withHub(async (hub) => {
      for (const agentId of ['ann', 'ben', 'cyn', 'dan']) await call(hub, 'register_agent', { agentId });
      const rows = [];
      for (const count of connections) rows.push(await measure({ hub, sdk, raw }, count));
      printTable(
        [
          'connections',
          'durable send_message/s',
          'p99 ms',
          'SDK no-op/s',
          'raw node:http/s',
          'send : no-op',
          'send : raw',
        ],
        rows,
      );
    }),
  ),
);

async function measure({ hub, sdk, raw }, count) {
  const load = (address, what) => () => runLoad({ url: address, ...what, ...times, connections: count });
  const figures = await inTurns(
    {
      hub: load(`${hub}/mcp?agent=ann`, send),
      sdk: load(`${sdk}/mcp`, { ...noop, mustContain: '"ok"' }),
      raw: load(`${raw}/mcp`, noop),
    },
    rounds,
  );
  const rates = (name) => figures[name].map(({ perSecond }) => perSecond);
  return [
    count,
    spread(rates('hub')),
    spread(
      figures.hub.map(({ p99 }) => p99),
      2,
    ),
    spread(rates('sdk')),
    spread(rates('raw')),
    spread(ratios(rates('hub'), rates('sdk')), 2),
    spread(ratios(rates('hub'), rates('raw')), 2),
  ];
}
