// Keys of every kind and state, made by the rules of the store in the store of a running hub.
import { makeKeyText } from '../../dist/access/key-text.js';
import type { KeyCapability } from '../../dist/contract/operation.js';
import type { Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { cliAudit } from './cli-audit.js';
import { eventually } from './eventually.js';
import { hubsAt } from './hub-team.js';
import { databaseOf } from './test-database.js';

export interface KeyWish {
  session?: string;
  /** Left out for an observer. */
  agent?: string;
  capabilities?: KeyCapability[];
  expiresAt?: number;
  /** For the person of this name, who is registered. */
  isPerson?: boolean;
}

export interface TestKey {
  id: string;
  /** What the caller sends. */
  text: string;
}

export const agentRights: KeyCapability[] = ['send', 'read', 'signal'];

export async function makeKey(store: Store, wish: KeyWish): Promise<TestKey> {
  const { session: sessionId = 'default', agent, expiresAt = null } = wish;
  const { id, text, hash } = makeKeyText();
  const at = Date.now();
  await store.createKey({
    id,
    hash,
    sessionId,
    agentId: agent ?? null,
    capabilities: wish.capabilities ?? (agent === undefined ? ['observer'] : agentRights),
    label: '',
    at,
    createdBy: 'cli',
    expiresAt,
    isOperator: true,
    isPerson: wish.isPerson ?? false,
    audit: cliAudit(sessionId, 'create_key', id),
  });
  return { id, text };
}

export async function revokeKey(store: Store, { id }: TestKey, session = 'default'): Promise<void> {
  const at = Date.now();
  await store.revokeKey({ sessionId: null, id, at, audit: cliAudit(session, 'revoke_key', id) });
}

/** The first key ends open mode: every hub has seen the keys when it asks for one. */
export async function keysSeen(url: string): Promise<void> {
  for (const hub of hubsAt(url)) {
    await eventually('the hub asks for a key', async () => (await fetch(`${hub}/v1/openapi.json`)).status === 401);
  }
}

/** For a hub that is started afterwards in the folder. */
export async function makeKeysIn<Name extends string>(
  folder: string,
  wishes: Record<Name, KeyWish>,
): Promise<Record<Name, TestKey>> {
  const store = await openStoreIn(folder);
  try {
    const made: [string, TestKey][] = [];
    for (const [name, wish] of Object.entries<KeyWish>(wishes)) made.push([name, await makeKey(store, wish)]);
    return Object.fromEntries(made) as Record<Name, TestKey>;
  } finally {
    await store.close();
  }
}

async function openStoreIn(folder: string): Promise<Store> {
  const url = await databaseOf(folder);
  const quiet = { onBatch() {}, onNotices() {}, onBug: console.error };
  if (url !== null) return openPostgresStore({ url, usesHubTime: false, ...quiet });
  const settings = { folder, storeMaxBytes: null, monotonicNow: 0, manualLeaseMs: 60_000 };
  return openSqliteStore({ ...settings, ...quiet, onBroken: console.error });
}
