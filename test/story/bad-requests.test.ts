// Bodies and HTTP requests that are wrong are refused at both interfaces, and the hub goes on.
import { request, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../dist/contract/index.js';
import { hub, clientOf, everything, expectRefusal, unharmed } from './refusing-hub.js';

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** node:http rather than fetch: it sends any Host, any method and any bytes. */
function raw(method: string, path: string, headers: Record<string, string>, body = ''): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${hub.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type'] === 'application/json';
        const answer = isJson ? JSON.parse(text) : { error: { text } };
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer });
      });
    });
    sent.setTimeout(10_000, () => sent.destroy(new Error(`${method} ${path} was not answered`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

type RawRow = [what: string, method: string, path: string, headers: Record<string, string>, body: string];
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const bodies: [what: string, body: string, code: ErrorCode, says: RegExp][] = [
  ['broken JSON', '{"limit":', 'JSON_INVALID', /JSON/],
  ['JSON and more', '{} {}', 'JSON_INVALID', /JSON/],
  ['JSON nested 100,000 deep', nested(100_000), 'JSON_TOO_DEEP', /64/],
  ['a body over 12 MiB', `"${'x'.repeat(12 * 1024 * 1024)}"`, 'BODY_TOO_LARGE', /12582912/],
];

describe('a body', () => {
  it.each(bodies)('of %s is refused at both doors', async (_, body, code, says) => {
    const before = await everything();
    expectRefusal(await raw('POST', '/v1/list_agents', json, body), code, says);
    const { status, body: answer } = await raw('POST', '/mcp', json, body);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700, data: { code } } });
    expectRefusal({ status, body: { error: answer.error.data } }, code, says);
    expect(await everything()).toEqual(before);
  });

  it.each(['[]', '"x"', '5', 'true'])('%s is no object of arguments', async (body) => {
    expectRefusal(await raw('POST', '/v1/list_agents', json, body), 'INVALID_INPUT', /object/);
  });

  it.each(['[1]', '"x"', '5'])('with %s for a tool’s arguments is refused, and the next call works', async (given) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_agents","arguments":${given}}}`;
    const response = await fetch(`${hub.url}/mcp`, { method: 'POST', headers: json, body });
    expect(await response.text()).toMatch(/-32602|INVALID_INPUT/);
    expect((await (await clientOf('ann')).call('list_agents', {})).isError).toBe(false);
  });
});

describe('a request', () => {
  const rows: [...RawRow, code: ErrorCode, says: RegExp][] = [
    ['with GET for an operation', 'GET', '/v1/list_agents', {}, '', 'METHOD_NOT_ALLOWED', /POST/],
    ['with PUT for an operation', 'PUT', '/v1/list_agents', {}, '{}', 'METHOD_NOT_ALLOWED', /POST/],
    ['with POST for what is read', 'POST', '/v1/openapi.json', json, '{}', 'METHOD_NOT_ALLOWED', /GET/],
    ['with DELETE for what is read', 'DELETE', '/metrics', {}, '', 'METHOD_NOT_ALLOWED', /GET/],
    ['with TRACE for MCP', 'TRACE', '/mcp', {}, '', 'METHOD_NOT_ALLOWED', /POST/],
    ['for nothing', 'GET', '/nothing', {}, '', 'ROUTE_UNKNOWN', /'?\/nothing'?[^]*\/mcp/],
    ['for another host’s page', 'GET', '//elsewhere', {}, '', 'ROUTE_UNKNOWN', /elsewhere/],
    ['for an operation below another', 'POST', '/v1/list_agents/x', json, '{}', 'ROUTE_UNKNOWN', /list_agents/],
    ['for no operation', 'GET', '/v1/', {}, '', 'ROUTE_UNKNOWN', /\/v1\//],
    [
      'to a foreign Host',
      'POST',
      '/v1/list_agents',
      { ...json, host: 'hub.example' },
      '{}',
      'HOST_REFUSED',
      /'hub.example'/,
    ],
    [
      'to a Host that looks local',
      'GET',
      '/readyz',
      { host: '127.0.0.1.example' },
      '',
      'HOST_REFUSED',
      /127.0.0.1.example/,
    ],
    [
      'to MCP at a foreign Host',
      'POST',
      '/mcp',
      { ...json, host: 'hub.example' },
      '{}',
      'HOST_REFUSED',
      /'hub.example'/,
    ],
    [
      'from a foreign page',
      'POST',
      '/v1/list_agents',
      { origin: 'http://page.example' },
      '{}',
      'ORIGIN_REFUSED',
      /page.example/,
    ],
    ['from a page without origin', 'POST', '/v1/list_agents', { origin: 'null' }, '{}', 'ORIGIN_REFUSED', /'null'/],
    [
      'from a foreign page to MCP',
      'POST',
      '/mcp',
      { ...json, origin: 'http://page.example' },
      '{}',
      'ORIGIN_REFUSED',
      /page/,
    ],
    [
      'with a wait that is no time',
      'POST',
      '/v1/list_agents',
      { ...json, 'coterie-wait-ms': 'soon' },
      '{}',
      'INVALID_INPUT',
      /^coterie-wait-ms: /,
    ],
    [
      'with a session that is no id',
      'POST',
      '/v1/list_agents?session=a%20b',
      json,
      '{}',
      'INVALID_INPUT',
      /session.*'a b'/,
    ],
  ];
  it.each(rows)('%s is refused', async (...row) => {
    const [, method, path, headers, body, code, says] = row;
    const before = await everything();
    const answer = await raw(method, path, headers, body);
    expectRefusal(answer, code, says);
    if (code === 'METHOD_NOT_ALLOWED') expect(answer.headers['allow']).toMatch(/^(GET|POST)\b/);
    expect(await everything()).toEqual(before);
  });

  it('that asks to close the connection has it closed, also by the SDK', async () => {
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const { headers } = await raw('POST', '/mcp', { ...json, connection: 'close' }, list);
    expect(headers.connection).toBe('close');
  });
});

unharmed();
