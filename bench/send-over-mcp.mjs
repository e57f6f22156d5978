// Durable send_message per second over MCP, beside the SDK's no-op and raw node:http, in one run.
import { fileURLToPath } from 'node:url';
import { call, runLoad, withHub, withServer } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const connections = [1, 16, 64];
const times = { warmMs: 1_000, runMs: Number(process.env['RUN_MS'] ?? 4_000) };
const message = 'Auth fix complete. PR #42 open. Tests passing. @n';
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const noop = await withServer(here('./support/sdk-noop-server.mjs'), [], (url) =>
  measure({
    url: `${url}/mcp`,
    headers: toolCallHeaders('noop'),
    bodies: [toolCallBody('noop', { target: 'ben', message })],
    mustContain: '"ok"',
  }),
);
const raw = await withServer(here('./support/raw-http-server.mjs'), [], (url) =>
  measure({
    url: `${url}/mcp`,
    headers: toolCallHeaders('noop'),
    bodies: [toolCallBody('noop', { target: 'ben', message })],
  }),
);
const hub = await withHub(async (url) => {
  for (const agentId of ['ann', 'ben', 'cyn', 'dan']) await call(url, 'register_agent', { agentId });
  return measure({
    url: `${url}/mcp?agent=ann`,
    headers: toolCallHeaders('send_message'),
    bodies: ['ben', 'cyn', 'dan'].map((target) =>
      toolCallBody('send_message', { target, message, message_type: 'STATUS' }),
    ),
    mustContain: '"success":true',
  });
});

printTable(
  ['connections', 'durable send_message/s', 'p99 ms', 'SDK no-op/s', 'raw node:http/s', 'send : no-op', 'send : raw'],
  connections.map((count, index) => [
    count,
    Math.round(hub[index].perSecond),
    hub[index].p99.toFixed(2),
    Math.round(noop[index].perSecond),
    Math.round(raw[index].perSecond),
    (hub[index].perSecond / noop[index].perSecond).toFixed(2),
    (hub[index].perSecond / raw[index].perSecond).toFixed(2),
  ]),
);

async function measure(load) {
  const figures = [];
  for (const count of connections) figures.push(await runLoad({ ...load, ...times, connections: count }));
  return figures;
}
