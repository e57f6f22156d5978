// With keys: who may export and import, and what the audit log says of it.
import { beforeAll, expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import { decodeCursor, encodeCursor } from '../../dist/contract/cursor.js';
import type { KeyCapability } from '../../dist/contract/operation.js';
import type { Store } from '../../dist/ports/store.js';
import { connectMcp } from '../support/mcp-clients.js';
import { eventually } from '../support/eventually.js';
import { hubsAt } from '../support/hub-team.js';
import { call, post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

let store: Store;
const hub = useHub({ wrapStore: (wrapped) => (store = wrapped) });

async function makeKey(sessionId: string, capabilities: KeyCapability[]) {
  const { id, text, hash } = makeKeyText();
  const at = Date.now();
  const audit = { sessionId, at, actor: 'cli', keyId: null, address: '', act: 'keys create', target: id, details: {} };
  const use = { isOperator: true, isPerson: false, label: '', createdBy: 'cli', agentId: 'ann', expiresAt: null };
  await store.createKey({ id, hash, sessionId, capabilities, at, audit, ...use });
  return { id, text };
}

async function request(key: { text: string }, operation: string, input: unknown) {
  const response = await fetch(`${hub.url}/v1/${operation}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.text}` },
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests read the fields they promise; a wrong one fails the assertion.
  return { status: response.status, body: (await response.json()) as any };
}

async function entries(sessionId: string, act: string) {
  const query = { sessionId, actor: null, act, since: null, until: null, limit: 20, before: null };
  return (await store.listAudit(query)).entries;
}

let admin: { id: string; text: string };
let other: { id: string; text: string };
let agent: { id: string; text: string };

beforeAll(async () => {
  for (const session of ['team', 'elsewhere']) {
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { session });
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    for (let index = 0; index < 12; index += 1) {
      await call(hub.url, 'send_message', { target: 'ben', content: 'x'.repeat(150_000) }, { agent: 'ann', session });
    }
  }
  admin = await makeKey('team', ['admin']);
  other = await makeKey('elsewhere', ['admin']);
  agent = await makeKey('team', ['send', 'read', 'signal']);
  await eventually('every hub has seen the keys', async () => {
    const answers = await Promise.all(hubsAt(hub.url).map((url) => post(url, 'list_agents', {})));
    return answers.every(({ status }) => status === 401);
  });
});

it('is for administrators', async () => {
  for (const operation of ['export_session', 'import_session']) {
    const { status, body } = await request(agent, operation, {});
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
  }
});

it('an export is recorded before its first page, and there is no page of one that was not', async () => {
  const { body: first } = await request(admin, 'export_session', {});
  const recorded = await entries('team', 'export_session');
  expect(recorded).toMatchObject([{ actor: 'ann', keyId: admin.id, target: 'team', details: { lastSeq: 12 } }]);
  expect(first.cursor).not.toBeNull();
  expect((await request(admin, 'export_session', { cursor: first.cursor })).status).toBe(200);
  const position = decodeCursor(first.cursor);
  if (position?.kind !== 'position') throw new Error('no cursor');
  const earlier = position.after.with(2, Number(position.after[2]) - 1);
  const forged = [encodeCursor({ kind: 'position', after: earlier }), 'x'];
  for (const cursor of forged) {
    const { status, body } = await request(admin, 'export_session', { cursor });
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'cursor: is not a cursor of export_session.',
    });
  }
  expect((await request(other, 'export_session', { cursor: first.cursor })).body.error.message).toBe(
    'cursor: is not a cursor of export_session.',
  );
  expect(await entries('team', 'export_session')).toHaveLength(1);
});

it('an import is recorded with it, a refused one is not, and the agents belong to keys', async () => {
  let text = '';
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { body } = await request(admin, 'export_session', cursor === undefined ? {} : { cursor });
    text += body.lines;
    cursor = body.cursor;
  }
  const input = { lines: text, done: true, sessionId: 'copy' };
  expect((await request(admin, 'import_session', { ...input, lines: text.slice(0, -200) })).status).toBe(400);
  expect(await entries('team', 'import_session')).toEqual([]);
  expect((await request(admin, 'import_session', input)).body).toMatchObject({ done: true, sessionId: 'copy' });
  expect(await entries('team', 'import_session')).toMatchObject([
    { actor: 'ann', keyId: admin.id, target: 'copy', details: { exported: 'team', messages: 12 } },
  ]);
  expect(await store.findAgent({ sessionId: 'copy', id: 'ben' })).toMatchObject({ owner: 'key' });
});

it('parts of an import belong to the session of the key that began it', async () => {
  const { body: page } = await request(other, 'export_session', {});
  const lines = page.lines.split('\n').slice(0, 3).join('\n');
  const { body } = await request(admin, 'import_session', { lines, sessionId: 'mine' });
  const next = { importId: body.importId, part: 2, lines: '', done: true };
  const foreign = await request(other, 'import_session', next);
  const never = await request(other, 'import_session', { ...next, importId: 'i0' });
  expect(foreign).toEqual(never);
  expect(foreign.body.error.code).toBe('IMPORT_INVALID');
});

it('over MCP a page is one text of whole lines', async () => {
  const client = await connectMcp('v2 2026', `${hub.url}/mcp`, { key: admin.text });
  const { text } = await client.call('export_session', {});
  expect(text).toMatch(/^\{"coterie":"export",/);
  expect(
    text
      .split('\n')
      .slice(0, 3)
      .every((line) => JSON.parse(line) !== null),
  ).toBe(true);
});
