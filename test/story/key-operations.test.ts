// create_key, list_keys, revoke_key and rotate_key: an administrator makes no more than they hold, in their session alone.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { eventually } from '../support/eventually.js';
import { hubsAt } from '../support/hub-team.js';
import { callWith, keyCommands, keyIn, type KeyCommand } from '../support/key-commands.js';
import { useHub } from '../support/use-hub.js';

let store: Store;
const hub = useHub({ wrapStore: (wrapped) => (store = wrapped) });
const openHub = useHub();
let coterie: KeyCommand;
let admin: string;

const as = (key: string, operation: string, input: unknown = {}) => callWith(key, hub.url, operation, input);

async function keyOf(...args: string[]): Promise<string> {
  const { text } = keyIn(await coterie('keys', 'create', ...args));
  await eventually('every hub knows the key', async () => {
    const answers = await Promise.all(hubsAt(hub.url).map((url) => callWith(text, url, 'list_threads')));
    return answers.every(({ status }) => status !== 401);
  });
  return text;
}

beforeAll(async () => {
  coterie = await keyCommands(hub.data);
  admin = await keyOf('--agent', 'ann', '--admin');
  await eventually('open mode is over', async () => {
    const answers = await Promise.all(hubsAt(hub.url).map((url) => callWith(undefined, url, 'list_threads')));
    return answers.every(({ status }) => status === 401);
  });
});

it('makes a key that works at once, and shows it once', async () => {
  const { status, body } = await as(admin, 'create_key', { agentId: 'ben', label: 'laptop' });
  expect(status).toBe(200);
  expect(body.key).toMatchObject({ agentId: 'ben', sessionId: 'default', label: 'laptop', expiresAt: null });
  expect(body.key.capabilities).toEqual(['send', 'read', 'signal']);
  expect((await as(body.secret, 'get_notify_prefs')).body.agentId).toBe('ben');
  expect((await as(body.secret, 'create_key', { agentId: 'x' })).body.error.code).toBe('FORBIDDEN');
  const { keys } = (await as(admin, 'list_keys')).body;
  expect(keys[0]).toMatchObject({ id: body.key.id, state: 'active' });
  expect(JSON.stringify(keys)).not.toContain(body.secret.slice(21));
});

it('pages through the list', async () => {
  const first = (await as(admin, 'list_keys', { limit: 1 })).body;
  expect(first).toMatchObject({ hasMore: true });
  const second = (await as(admin, 'list_keys', { limit: 1, cursor: first.cursor })).body;
  expect(second.keys[0].id).not.toBe(first.keys[0].id);
  for (const cursor of ['x', 'WyJwIiwxLCJcdTAwMDAiXQ']) {
    expect((await as(admin, 'list_keys', { cursor })).body.error).toMatchObject({ code: 'INVALID_INPUT' });
  }
});

it('revokes a key at once, and one’s own too', async () => {
  const { secret, key } = (await as(admin, 'create_key', { agentId: 'cas', admin: true })).body;
  const own = await as(secret, 'revoke_key', { keyId: secret });
  expect(own).toMatchObject({ status: 200, body: { success: true, key: { id: key.id, state: 'revoked' } } });
  await eventually('it no longer works', async () => (await as(secret, 'list_threads')).status === 401);
});

it('rotates a key; the old one ends after the overlap', async () => {
  const { secret: old, key } = (await as(admin, 'create_key', { agentId: 'dan', ttl: 3_600 })).body;
  const { secret, key: young, replaced } = (await as(admin, 'rotate_key', { keyId: key.id, overlap: 0 })).body;
  expect(young).toMatchObject({ agentId: 'dan', capabilities: key.capabilities });
  expect(Date.parse(young.expiresAt) - Date.parse(young.createdAt)).toBe(3_600_000);
  expect(replaced).toMatchObject({ id: key.id, state: 'expired' });
  expect((await as(secret, 'list_threads')).status).toBe(200);
  await eventually('the old one is over', async () => (await as(old, 'list_threads')).status === 401);
});

describe('no one makes more than they hold', () => {
  it('in time', async () => {
    const brief = await keyOf('--agent', 'eva', '--admin', '--expires', '1h');
    const longer = await as(brief, 'create_key', { agentId: 'f', ttl: 7_200 });
    expect(longer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    const { key } = (await as(brief, 'create_key', { agentId: 'f' })).body;
    const { keys } = (await as(admin, 'list_keys')).body;
    const own = keys.find(({ agentId }: { agentId: string }) => agentId === 'eva');
    expect(key.expiresAt).toBe(own.expiresAt);
    const eternal = (await as(admin, 'create_key', { agentId: 'g' })).body.key;
    const rotated = (await as(brief, 'rotate_key', { keyId: eternal.id })).body;
    expect(rotated.key.expiresAt).toBe(own.expiresAt);
  });

  it('in another session', async () => {
    const theirs = keyIn(await coterie('keys', 'create', '--agent', 'hal', '--session', 'team-b'));
    const never = 'aaaaaaaaaaaa';
    for (const operation of ['revoke_key', 'rotate_key']) {
      const [foreign, unknown] = await Promise.all(
        [theirs.id, never].map(async (keyId) => (await as(admin, operation, { keyId })).body.error),
      );
      expect(foreign.code).toBe('KEY_UNKNOWN');
      expect(JSON.stringify(foreign).replaceAll(theirs.id, never)).toBe(JSON.stringify(unknown));
    }
    for (const [operation, input] of [
      ['create_key', { agentId: 'x' }],
      ['list_keys', {}],
    ] as const) {
      const [foreign, unknown] = await Promise.all(
        ['team-b', 'team-z'].map(async (sessionId) => (await as(admin, operation, { ...input, sessionId })).body.error),
      );
      expect(foreign.code).toBe('SESSION_UNKNOWN');
      expect(JSON.stringify(foreign).replaceAll('team-b', 'team-z')).toBe(JSON.stringify(unknown));
    }
    const { keys } = (await as(admin, 'list_keys', { limit: 100 })).body;
    expect(keys.map(({ id }: { id: string }) => id)).not.toContain(theirs.id);
  });

  it('for a person', async () => {
    const person = keyIn(await coterie('people', 'add', 'ida', '--key', '--admin'));
    await eventually('the key works', async () => (await as(person.text, 'list_threads')).status === 200);
    for (const [operation, input] of [
      ['create_key', { agentId: 'ida' }],
      ['rotate_key', { keyId: person.id }],
    ] as const) {
      expect((await as(admin, operation, input)).body.error).toMatchObject({ code: 'FORBIDDEN' });
    }
    // Their own, they may.
    const { secret } = (await as(person.text, 'rotate_key', { keyId: person.id })).body;
    expect((await as(secret, 'get_notify_prefs')).body.agentId).toBe('ida');
  });

  it('for the hub itself', async () => {
    expect((await as(admin, 'create_key', { agentId: 'system' })).body.error.code).toBe('ID_RESERVED');
  });
});

it('is refused in open mode, with the command that makes the first key', async () => {
  const { status, body } = await callWith(undefined, openHub.url, 'create_key', { agentId: 'ann' });
  expect(status).toBe(403);
  expect(body.error).toMatchObject({ code: 'FORBIDDEN', hint: expect.stringContaining('coterie keys create --agent') });
});

it.each([
  [{}, 'agentId'],
  [{ observer: true, agentId: 'x' }, 'agentId'],
  [{ observer: true, admin: true }, 'observer'],
  [{ agentId: 'x', capabilities: [] }, 'capabilities'],
  [{ agentId: 'x', admin: true, capabilities: ['read'] }, 'admin'],
  [{ agentId: 'x', capabilities: ['root'] }, 'capabilities[0]'],
  [{ agentId: 'x', ttl: 0 }, 'ttl'],
  [{ agentId: 'x', ttl: 60, expiresAt: '2099-01-01' }, 'ttl'],
  [{ agentId: 'x', expiresAt: '2020-01-01' }, 'expiresAt'],
  [{ agentId: 'x', expiresAt: 'soon' }, 'expiresAt'],
])('refuses %j and makes no key', async (input, field) => {
  const before = (await as(admin, 'list_keys', { limit: 1 })).body.keys[0].id;
  const { status, body } = await as(admin, 'create_key', input);
  expect(status).toBe(400);
  expect(body.error.details.field).toBe(field);
  expect((await as(admin, 'list_keys', { limit: 1 })).body.keys[0].id).toBe(before);
});

it('every change has its entry in the audit log', async () => {
  const { key } = (await as(admin, 'create_key', { agentId: 'kim' })).body;
  await as(admin, 'revoke_key', { keyId: key.id });
  const [revoked, created] = (
    await store.listAudit({
      sessionId: 'default',
      actor: null,
      act: null,
      since: null,
      until: null,
      limit: 2,
      before: null,
    })
  ).entries;
  expect(revoked).toMatchObject({ act: 'revoke_key', target: key.id, actor: 'ann', address: '127.0.0.1' });
  expect(created).toMatchObject({ act: 'create_key', target: key.id, details: { agentId: 'kim' } });
  expect(admin).toContain(`_${created?.keyId}_`);
});
