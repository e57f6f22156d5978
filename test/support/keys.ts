// Keys of every kind and state, made by the rules of the store in the store of a running hub.
import { makeKeyText } from '../../dist/access/key-text.js';
import type { KeyCapability } from '../../dist/contract/operation.js';
import type { Store } from '../../dist/ports/store.js';
import { eventually } from './eventually.js';
import { hubsAt } from './hub-team.js';

export interface KeyWish {
  session?: string;
  /** Left out for an observer. */
  agent?: string;
  capabilities?: KeyCapability[];
  expiresAt?: number;
}

export interface TestKey {
  id: string;
  /** What the caller sends. */
  text: string;
}

const agentCapabilities: KeyCapability[] = ['send', 'read', 'signal'];

export async function makeKey(store: Store, wish: KeyWish): Promise<TestKey> {
  const { session: sessionId = 'default', agent, expiresAt = null } = wish;
  const { id, text, hash } = makeKeyText();
  const at = Date.now();
  await store.createKey({
    id,
    hash,
    sessionId,
    agentId: agent ?? null,
    capabilities: wish.capabilities ?? (agent === undefined ? ['observer'] : agentCapabilities),
    label: '',
    at,
    createdBy: 'cli',
    expiresAt,
    isOperator: true,
    isPerson: false,
    audit: auditEntry(sessionId, 'create_key', id),
  });
  return { id, text };
}

export async function revokeKey(store: Store, { id }: TestKey, session = 'default'): Promise<void> {
  const at = Date.now();
  await store.revokeKey({ sessionId: null, id, at, audit: auditEntry(session, 'revoke_key', id) });
}

function auditEntry(sessionId: string, act: string, target: string) {
  return { sessionId, at: Date.now(), actor: 'cli', keyId: null, address: '', act, target, details: {} };
}

/** The first key ends open mode: every hub has seen the keys when it asks for one. */
export async function keysSeen(url: string): Promise<void> {
  for (const hub of hubsAt(url)) {
    await eventually('the hub asks for a key', async () => (await fetch(`${hub}/v1/openapi.json`)).status === 401);
  }
}
