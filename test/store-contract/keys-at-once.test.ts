// Two hubs change the same key at once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cliAudit } from '../support/cli-audit.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
const audit = cliAudit(sessionId);
let opened: OpenedStore;

beforeAll(async () => {
  opened = await openStore();
});
afterAll(() => opened.close());

it('a key that is revoked while it is rotated stays revoked, and neither waits long for the other', async () => {
  const { store } = opened;
  const by = { at: 2, createdBy: 'cli', isOperator: true, audit };
  const rights = { agentId: null, capabilities: ['observer' as const], label: '', expiresAt: null, isPerson: false };
  const begun = performance.now();
  for (let round = 0; round < 20; round += 1) {
    const id = `old${round}`;
    await store.createKey({ id, hash: 'h', sessionId, ...rights, ...by });
    const plan = { sessionId, replaces: id, oldUntil: 1e6, expiresAtMax: null, ...by };
    const [rotated] = await Promise.allSettled([
      store.rotateKey({ ...plan, id: `new${round}`, hash: 'h' }),
      store.revokeKey({ sessionId, id, at: 3, audit }),
    ]);
    expect(await store.findKey({ id })).toMatchObject({ revokedAt: 3 });
    // Refused, it has left no key.
    expect(await store.findKey({ id: `new${round}` })).toEqual(
      rotated.status === 'fulfilled' ? expect.anything() : null,
    );
  }
  // PostgreSQL ends a deadlock after one second.
  expect(performance.now() - begun).toBeLessThan(10_000);
});

it('two hubs note the use of the same keys, in any order, without a deadlock', async () => {
  const { store } = opened;
  const rights = { agentId: null, capabilities: ['observer' as const], label: '', expiresAt: null, isPerson: false };
  const ids = Array.from({ length: 20 }, (_, index) => `used${index}`);
  for (const id of ids) {
    await store.createKey({ id, hash: 'h', sessionId, ...rights, at: 2, createdBy: 'cli', isOperator: true, audit });
  }
  const begun = performance.now();
  for (let at = 3; at < 13; at += 1) {
    const used = ids.map((id) => ({ id, at }));
    await Promise.all([store.noteKeysUsed(used), store.noteKeysUsed(used.toReversed())]);
  }
  expect(await store.findKey({ id: 'used7' })).toMatchObject({ lastUsedAt: 12 });
  expect(performance.now() - begun).toBeLessThan(5_000);
});
