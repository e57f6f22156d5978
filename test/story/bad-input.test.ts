// What is wrong is refused with a code, a hint and the caller's own words; it leaves nothing behind and the hub goes on.
import { request, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../dist/contract/index.js';
import { call, post } from '../support/http-call.js';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { metric } from '../support/metrics.js';
import { malformedBlocks } from './bad-block-rows.js';
import { notAllowed, unknownThings, wrongContent, wrongFields, wrongQuestions, type Fields } from './bad-input-rows.js';
import { useHubProcess } from '../support/use-hub.js';

/** Status and retry by code, written out: a change of the hub's table is a change for its callers. */
const kinds: Partial<Record<ErrorCode, [status: number, retry: string]>> = {
  INVALID_INPUT: [400, 'after_fixing_input'],
  UNKNOWN_FIELD: [400, 'after_fixing_input'],
  CONTENT_EMPTY: [400, 'after_fixing_input'],
  TOO_LARGE: [413, 'after_fixing_input'],
  JSON_INVALID: [400, 'after_fixing_input'],
  JSON_TOO_DEEP: [400, 'after_fixing_input'],
  BODY_TOO_LARGE: [413, 'after_fixing_input'],
  OPERATION_UNKNOWN: [404, 'after_fixing_input'],
  ROUTE_UNKNOWN: [404, 'after_fixing_input'],
  METHOD_NOT_ALLOWED: [405, 'after_fixing_input'],
  IDENTITY_REQUIRED: [401, 'after_fixing_input'],
  IDENTITY_MISMATCH: [403, 'never'],
  FORBIDDEN: [403, 'after_fixing_input'],
  HOST_REFUSED: [403, 'never'],
  ORIGIN_REFUSED: [403, 'never'],
  ROLE_FORBIDDEN: [403, 'after_fixing_input'],
  ID_RESERVED: [409, 'after_fixing_input'],
  ID_TAKEN: [409, 'after_fixing_input'],
  AGENT_UNKNOWN: [404, 'after_fixing_input'],
  PARTICIPANTS_UNKNOWN: [404, 'after_fixing_input'],
  THREAD_UNKNOWN: [404, 'after_fixing_input'],
  THREAD_CLOSED: [409, 'after_fixing_input'],
  TARGET_UNKNOWN: [404, 'after_fixing_input'],
  GROUP_UNKNOWN: [404, 'after_fixing_input'],
  GROUP_EMPTY: [409, 'after_fixing_input'],
  MESSAGE_UNKNOWN: [404, 'after_fixing_input'],
  ATTACHMENT_UNKNOWN: [404, 'after_fixing_input'],
  DEAD_LETTER_UNKNOWN: [404, 'after_fixing_input'],
  IDEMPOTENCY_CONFLICT: [409, 'after_fixing_input'],
};

const hub = useHubProcess();
const ids: Record<string, string> = {};
const clients = new Map<string | null, McpClient>();
const foreign = { agent: 'zed', session: 'other' };

beforeAll(async () => {
  for (const agentId of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', { agentId });
  const create = (title: string) => call(hub.url, 'create_thread', { title, participants: ['ben'] }, { agent: 'ann' });
  ids['OPEN'] = (await create('open')).threadId;
  ids['OPEN-NUL'] = `${ids['OPEN']}\0more`;
  ids['CLOSED'] = (await create('closed')).threadId;
  await call(hub.url, 'close_thread', { threadId: ids['CLOSED'] }, { agent: 'ann' });
  const question = { title: 'asked', participants: ['ben'], initial_message: 'well?', wait_for_responses: 0 };
  ids['ASKED'] = (await call(hub.url, 'create_critical_thread', question, { agent: 'ann' })).threadId;
  ids['FOREIGN'] = (await call(hub.url, 'create_thread', { title: 'foreign' }, foreign)).threadId;
  const posted = await call(hub.url, 'send_message', { threadId: ids['FOREIGN'], content: 'x' }, foreign);
  ids['FOREIGN MESSAGE'] = posted.messageId;
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
});

function filled(input: Fields): Fields {
  const id = (value: unknown): unknown => (Array.isArray(value) ? value.map(id) : (ids[String(value)] ?? value));
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [field, id(value)]));
}

async function clientOf(caller: string | null): Promise<McpClient> {
  const query = caller === null ? '' : `?agent=${encodeURIComponent(caller)}`;
  const client = clients.get(caller) ?? (await connectMcp('v2 2026', `${hub.url}/mcp${query}`));
  clients.set(caller, client);
  return client;
}

/** All that a refused call might have changed. Asking also shows that the hub goes on. */
async function everything(): Promise<unknown> {
  const { agents } = await call(hub.url, 'list_agents', {});
  const { threads } = await call(hub.url, 'list_threads', {});
  const { groups } = await call(hub.url, 'list_groups', {});
  const counted = ['coterie_messages', 'coterie_agents', 'coterie_threads', 'coterie_deliveries'];
  const counts = await Promise.all(counted.map((name) => metric(hub.url, name)));
  return { agents: agents.map(({ id, name, unread }: Fields) => [id, name, unread]), threads, groups, counts };
}

function expectRefusal(answer: { status: number; body: { error: Fields } }, code: ErrorCode, says: RegExp): void {
  const { error } = answer.body;
  expect(error).toMatchObject({ code, retry: kinds[code]?.[1], details: expect.any(Object) });
  expect(answer.status).toBe(kinds[code]?.[0]);
  expect(error['hint']).not.toBe('');
  expect(`${String(error['message'])}\n${String(error['hint'])}`).toMatch(says);
}

describe.each([
  ['what is not there', unknownThings],
  ['what is not allowed', notAllowed],
  ['content', wrongContent],
  ['a block', malformedBlocks],
  ['a question', wrongQuestions],
  ['a wrong field', wrongFields],
])('%s', (_, rows) => {
  it.each(rows)('%s is refused alike through HTTP and MCP', async (...row) => {
    const [, operation, input, code, says, caller = 'ann'] = row;
    const before = await everything();
    const answer = await post(hub.url, operation, filled(input), caller === null ? {} : { agent: caller });
    expectRefusal(answer, code, says);
    const tool = await (await clientOf(caller)).call(operation, filled(input));
    const { error } = answer.body;
    expect(tool).toMatchObject({ isError: true, structured: undefined });
    expect(tool.meta['coterie/error']).toEqual(error);
    expect(tool.text).toBe(`${code}: ${error.message}\n${error.hint}`);
    expect(await everything()).toEqual(before);
  });
});

describe('an id of another session', () => {
  it.each([
    ['get_thread', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['join_thread', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['close_thread', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['wait_for_responses', { threadId: 'FOREIGN' }, { threadId: 't-unknown0' }],
    ['send_message', { threadId: 'FOREIGN', content: 'x' }, { threadId: 't-unknown0', content: 'x' }],
    [
      'send_message',
      { target: 'ben', message: 'x', reply_to: 'FOREIGN MESSAGE' },
      { target: 'ben', message: 'x', reply_to: 'mb99zzz' },
    ],
    ['get_receipts', { messageId: 'FOREIGN MESSAGE' }, { messageId: 'mb99zzz' }],
    ['get_attachment', { messageId: 'FOREIGN MESSAGE' }, { messageId: 'mb99zzz' }],
    ['ack_messages', { ids: ['FOREIGN MESSAGE'] }, { ids: ['mb99zzz'] }],
    ['get_thread', { threadId: 'OPEN', after: 'FOREIGN MESSAGE' }, { threadId: 'OPEN', after: 'mb99zzz' }],
  ])('given to %s is like one that never was: %o', async (operation, theirs, none) => {
    const before = await everything();
    const foreignAnswer = await post(hub.url, operation, filled(theirs), { agent: 'ann' });
    const noneAnswer = await post(hub.url, operation, filled(none), { agent: 'ann' });
    expect(foreignAnswer.status).toBeGreaterThanOrEqual(400);
    const anonymous = (text: unknown) => JSON.stringify(text).replaceAll(/t\d{12}|t-unknown0|m[a-z]\d+\w{3}/g, 'ID');
    expect(anonymous(foreignAnswer)).toBe(anonymous(noneAnswer));
    expect(await everything()).toEqual(before);
  });
});

it('an unknown target is refused with the nearest name, kept as a dead letter, and says so', async () => {
  const answer = await post(hub.url, 'send_message', { target: 'bem', message: 'x' }, { agent: 'ann' });
  expectRefusal(answer, 'TARGET_UNKNOWN', /'bem'.*dead letter[^]*ben/);
  const { messageId } = answer.body.error.details;
  const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann' });
  expect(deliveries).toMatchObject([{ recipient: 'bem', state: 'dead_lettered', reason: 'TARGET_UNKNOWN' }]);
});

it('one key for two messages is refused, and the first stays as it was', async () => {
  const send = (message: string) =>
    post(hub.url, 'send_message', { target: 'ben', message, idempotency_key: 'k' }, { agent: 'ann' });
  const { body } = await send('first');
  const before = await everything();
  expectRefusal(await send('second'), 'IDEMPOTENCY_CONFLICT', /'k'/);
  expect(await everything()).toEqual(before);
  expect((await send('first')).body).toMatchObject({ messageId: body.messageId, duplicate: true });
});

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
  ['JSON nested 65 deep', nested(65), 'JSON_TOO_DEEP', /64/],
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
});

it('after all of this the hub has met no bug and sends as before', async () => {
  const { seq } = await call(hub.url, 'send_message', { target: 'ben', message: 'still here' }, { agent: 'ann' });
  const { messages } = await call(hub.url, 'get_messages', { limit: 500 }, { agent: 'ben' });
  expect(messages.at(-1)).toMatchObject({ seq, content: [{ text: 'still here' }] });
  expect(hub.stderr()).not.toContain('"event":"bug"');
});
