// With keys: an administrator administers its own session and those that keys of its session created, and every act is
// in the audit log.
import { beforeAll, expect, it } from 'vitest';
import type { KeyCapability } from '../../dist/contract/operation.js';
import type { Store } from '../../dist/ports/store.js';
import { eventually } from '../support/eventually.js';
import { keyCommands } from '../support/key-commands.js';
import { keysSeen, makeKey } from '../support/keys.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

let store: Store;
const clock = movableClock();
const hub = useHub({ clock, wrapStore: (wrapped) => (store = wrapped) });

async function keyOf(session: string, agent: string, capabilities: KeyCapability[]): Promise<string> {
  return (await makeKey(store, { session, agent, capabilities })).text;
}

async function post(key: string, operation: string, input: object = {}) {
  const response = await fetch(`${hub.url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(input),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests read the fields they promise; a wrong one fails the assertion.
  return { status: response.status, body: (await response.json()) as any };
}

const audited = async (sessionId: string, act: string) => {
  const all = { sessionId, actor: null, act, since: null, until: null, limit: 100, before: null };
  return (await store.listAudit(all)).entries;
};

const everything: KeyCapability[] = ['send', 'read', 'signal', 'admin'];
let one: string;
let two: string;
let plain: string;
beforeAll(async () => {
  one = await keyOf('one', 'ann', everything);
  two = await keyOf('two', 'bob', everything);
  plain = await keyOf('one', 'ben', ['send', 'read']);
  await keysSeen(hub.url);
});

const idsOf = (sessions: { sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId);

it('lists its own session and those it created, and no other', async () => {
  expect((await post(one, 'create_session', { sessionId: 'one-b', application: 'notes' })).status).toBe(200);
  expect(idsOf((await post(one, 'list_sessions')).body.sessions)).toEqual(['one', 'one-b']);
  expect(idsOf((await post(two, 'list_sessions')).body.sessions)).toEqual(['two']);
  expect(await audited('one', 'create_session')).toMatchObject([
    { actor: 'ann', keyId: expect.any(String), target: 'one-b', details: { application: 'notes' } },
  ]);
});

it('is named when the command line makes a key for a session that it created', async () => {
  await post(one, 'create_session', { sessionId: 'one-e' });
  const coterie = await keyCommands(hub.data);
  const made = await coterie('keys', 'create', '--agent', 'dan', '--session', 'one-e');
  expect(made.stderr).toContain("created by session 'one', whose administrators can make keys for it too");
  const own = await coterie('keys', 'create', '--agent', 'dan', '--session', 'two');
  expect(own.stderr).not.toContain('created by session');
});

it('does not get the session of those who name none', async () => {
  const created = await post(one, 'create_session', { sessionId: 'default' });
  expect([created.status, created.body.error.code]).toEqual([409, 'SESSION_TAKEN']);
  const { lines } = (await post(one, 'export_session')).body;
  const imported = await post(one, 'import_session', { lines, sessionId: 'default', done: true });
  expect([imported.status, imported.body.error.code]).toEqual([409, 'SESSION_TAKEN']);
  const boss = await keyOf('default', 'boss', everything);
  expect(idsOf((await post(boss, 'list_sessions')).body.sessions)).toEqual(['default']);
  expect((await post(one, 'create_key', { sessionId: 'default', agentId: 'spy' })).body.error.code).toBe(
    'SESSION_UNKNOWN',
  );
});

it.each([
  ['create_session', {}],
  ['list_sessions', {}],
  ['close_session', {}],
  ['redact_message', { messageId: 'ma1xyz' }],
])('%s needs an administrator', async (operation, input) => {
  const { status, body } = await post(plain, operation, input);
  expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
});

it('refuses a foreign session like one that does not exist', async () => {
  const outcomes = [];
  for (const sessionId of ['two', 'never-was']) {
    for (const [operation, more] of [
      ['close_session', {}],
      ['create_key', { agentId: 'eve' }],
      ['list_keys', {}],
    ] as const) {
      const { status, body } = await post(one, operation, { sessionId, ...more });
      outcomes.push(JSON.stringify({ operation, status, body }).replaceAll(sessionId, 'ID'));
      expect(body.error.code).toBe('SESSION_UNKNOWN');
    }
  }
  expect(new Set(outcomes).size).toBe(3);
  expect((await post(two, 'send_message', { target: 'bob', message: 'still open' })).status).toBe(200);
});

it('makes keys for a session it created, and closes it; its keys can still read', async () => {
  await post(one, 'create_session', { sessionId: 'one-c' });
  const made = await post(one, 'create_key', { sessionId: 'one-c', agentId: 'eve' });
  const eve = made.body.secret;
  await eventually('the key works', async () => (await post(eve, 'list_agents')).status === 200);
  const parked = post(eve, 'wait_for_mentions', { timeoutMs: 60_000 });
  await eventually('it waits', async () => {
    const { agents } = (await post(eve, 'list_agents')).body;
    return agents[0]?.presence === 'waiting';
  });
  expect((await post(one, 'close_session', { sessionId: 'one-c', reason: 'Done.' })).status).toBe(200);
  expect((await parked).body.error.code).toBe('SESSION_CLOSED');
  expect((await post(eve, 'list_threads')).status).toBe(200);
  expect((await post(eve, 'send_message', { target: 'eve', message: 'x' })).body.error.code).toBe('SESSION_CLOSED');
  // Again changes nothing, and is no second act.
  await post(one, 'close_session', { sessionId: 'one-c' });
  expect(await audited('one', 'close_session')).toMatchObject([{ target: 'one-c', details: { reason: 'Done.' } }]);
});

it('redacts in its own session only, with an entry that does not repeat the secret', async () => {
  const sent = await post(one, 'send_message', { target: 'ann', message: 'sk-hunter2' });
  const { messageId } = sent.body;
  expect((await post(two, 'redact_message', { messageId })).body.error.code).toBe('MESSAGE_UNKNOWN');
  expect((await post(one, 'redact_message', { messageId, reason: 'a password' })).status).toBe(200);
  const entries = await audited('one', 'redact_message');
  expect(entries).toMatchObject([{ actor: 'ann', target: messageId, details: { reason: 'a password' } }]);
  expect(JSON.stringify(entries)).not.toContain('hunter2');
  expect(await audited('two', 'redact_message')).toEqual([]);
});

it('a session that closes itself is audited once, however many hubs there are', async () => {
  await post(one, 'create_session', { sessionId: 'one-d', ttl: 60 });
  clock.advance(120_000);
  await eventually('it is closed', async () => (await store.sessionClosure({ sessionId: 'one-d' })) !== null);
  clock.advance(5_000);
  await post(one, 'list_sessions');
  expect(await audited('one-d', 'close_session')).toMatchObject([{ actor: 'system', details: { reason: 'expired' } }]);
});
