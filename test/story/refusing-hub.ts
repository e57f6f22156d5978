// A hub with threads and messages to be refused about, and how a refusal must look through HTTP and MCP.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorCode } from '../../dist/contract/index.js';
import { call, post } from '../support/http-call.js';
import { unexplainedTools } from '../support/named-tools.js';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { metric } from '../support/metrics.js';
import type { Fields, Row } from './bad-input-row.js';
import { useHub } from '../support/use-hub.js';

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
  SESSION_UNKNOWN: [404, 'after_fixing_input'],
  ATTACHMENT_UNKNOWN: [404, 'after_fixing_input'],
  DEAD_LETTER_UNKNOWN: [404, 'after_fixing_input'],
  IDEMPOTENCY_CONFLICT: [409, 'after_fixing_input'],
  QUESTION_UNKNOWN: [404, 'after_fixing_input'],
  PERSON_UNKNOWN: [404, 'after_fixing_input'],
  NOT_A_PERSON: [409, 'after_fixing_input'],
  ENVELOPE_INVALID: [400, 'after_fixing_input'],
};

export const hub = useHub();
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

export function filled(input: Fields): Fields {
  const id = (value: unknown): unknown => (Array.isArray(value) ? value.map(id) : (ids[String(value)] ?? value));
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [field, id(value)]));
}

export async function clientOf(caller: string | null): Promise<McpClient> {
  const query = caller === null ? '' : `?agent=${encodeURIComponent(caller)}`;
  const client = clients.get(caller) ?? (await connectMcp('v2 2026', `${hub.url}/mcp${query}`));
  clients.set(caller, client);
  return client;
}

/** All that a refused call might have changed. Asking also shows that the hub goes on. */
export async function everything(): Promise<unknown> {
  const { agents } = await call(hub.url, 'list_agents', {});
  const { threads } = await call(hub.url, 'list_threads', {});
  const { groups } = await call(hub.url, 'list_groups', {});
  const counted = ['coterie_messages', 'coterie_agents', 'coterie_threads', 'coterie_deliveries'];
  const counts = await Promise.all(counted.map((name) => metric(hub.url, name)));
  return { agents: agents.map(({ id, name, unread }: Fields) => [id, name, unread]), threads, groups, counts };
}

export function expectRefusal(
  answer: { status: number; body: { error: Fields } },
  code: ErrorCode,
  says: RegExp,
): void {
  const { error } = answer.body;
  expect(error).toMatchObject({ code, retry: kinds[code]?.[1], details: expect.any(Object) });
  expect(answer.status).toBe(kinds[code]?.[0]);
  expect(error['hint']).not.toBe('');
  expect(`${String(error['message'])}\n${String(error['hint'])}`).toMatch(says);
}

/** Registers a test for each row. */
export function refusedAlike(rows: Row[]): void {
  it.each(rows)('%s is refused alike through HTTP and MCP', async (...row) => {
    const [, operation, input, code, says, caller = 'ann'] = row;
    const before = await everything();
    const answer = await post(hub.url, operation, filled(input), caller === null ? {} : { agent: caller });
    expectRefusal(answer, code, says);
    const tool = await (await clientOf(caller)).call(operation, filled(input));
    const { error } = answer.body;
    const { hint } = tool.meta['coterie/error'];
    expect(tool).toMatchObject({ isError: true, structured: undefined });
    expect(tool.meta['coterie/error']).toEqual({ ...error, hint });
    expect(tool.text).toBe(`${code}: ${error.message}\n${hint}`);
    // Each door says in its own way where all names are.
    if (code !== 'OPERATION_UNKNOWN') expect(hint.startsWith(error.hint)).toBe(true);
    expect(unexplainedTools(tool.text, operation)).toEqual([]);
    expect(await everything()).toEqual(before);
  });
}

/** Registers the last test of a file. */
export function unharmed(): void {
  it('after all of this the hub has met no bug and sends as before', async () => {
    const { seq } = await call(hub.url, 'send_message', { target: 'ben', message: 'still here' }, { agent: 'ann' });
    const { messages } = await call(hub.url, 'get_messages', { limit: 500 }, { agent: 'ben' });
    expect(messages.at(-1)).toMatchObject({ seq, content: [{ text: 'still here' }] });
    expect(hub.logged).not.toContain('bug');
  });
}
