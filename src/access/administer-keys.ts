// create_key, list_keys, revoke_key and rotate_key. The command line makes keys on the hub's machine in the same way.
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import { keyRef, type KeyView } from '../contract/key.js';
import type { createKey as createContract } from '../contract/operations/create-key.js';
import type { listKeys as listContract } from '../contract/operations/list-keys.js';
import type { revokeKey as revokeContract } from '../contract/operations/revoke-key.js';
import type { rotateKey as rotateContract } from '../contract/operations/rotate-key.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { requireAdministered, sessionOfKey } from '../session/decide-administration.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { KeyRecord, Store } from '../ports/store.js';
import { auditEntry } from './audit-entry.js';
import { decideKey, requireKeyOf } from './decide-key.js';
import { makeKeyText } from './key-text.js';

export interface KeyPorts {
  store: Pick<Store, 'createKey' | 'rotateKey' | 'revokeKey' | 'listKeys' | 'findSession'>;
  clock: Clock;
  /** Called after a change: the hub must not believe what it knows of the keys. */
  keysChanged: () => void;
}

export async function createKey(
  { store, clock, keysChanged }: KeyPorts,
  caller: Caller,
  input: InputOf<typeof createContract>,
): Promise<OutputOf<typeof createContract>> {
  const at = clock.now();
  const grant = requireKeyOf(caller);
  const sessionId = await administered(store, caller, input.sessionId);
  const wanted = decideKey(input, at, grant);
  const { id, text, hash } = makeKeyText();
  const { agentId, capabilities, expiresAt } = wanted;
  const audit = auditEntry(caller, at, 'create_key', id, { agentId, capabilities, expiresAt });
  const key = await store.createKey({
    ...wanted,
    id,
    hash,
    sessionId,
    at,
    createdBy: grant.keyId,
    isOperator: false,
    isPerson: false,
    audit: { ...audit, sessionId },
  });
  keysChanged();
  return { success: true, secret: text, key: viewKey(key, at) };
}

export async function listKeys(
  { store, clock }: KeyPorts,
  caller: Caller,
  { sessionId, limit, cursor }: InputOf<typeof listContract>,
): Promise<OutputOf<typeof listContract>> {
  const page = await store.listKeys({
    sessionId: await administered(store, caller, sessionId),
    limit,
    before: cursor === undefined ? null : positionOf(cursor),
  });
  const now = clock.now();
  return {
    keys: page.keys.map((key) => viewKey(key, now)),
    hasMore: page.before !== null,
    cursor: page.before === null ? null : encodeCursor({ kind: 'position', after: [...page.before] }),
  };
}

export async function revokeKey(
  { store, clock, keysChanged }: KeyPorts,
  caller: Caller,
  { keyId, sessionId }: InputOf<typeof revokeContract>,
): Promise<OutputOf<typeof revokeContract>> {
  const at = clock.now();
  const key = await store.revokeKey({
    sessionId: await administered(store, caller, sessionId),
    id: keyId,
    at,
    audit: auditEntry(caller, at, 'revoke_key', keyId),
  });
  keysChanged();
  return { success: true, key: viewKey(key, at) };
}

export async function rotateKey(
  { store, clock, keysChanged }: KeyPorts,
  caller: Caller,
  { keyId, overlap, sessionId }: InputOf<typeof rotateContract>,
): Promise<OutputOf<typeof rotateContract>> {
  const at = clock.now();
  const grant = requireKeyOf(caller);
  const { id, text, hash } = makeKeyText();
  const { key, replaced } = await store.rotateKey({
    sessionId: await administered(store, caller, sessionId),
    replaces: keyId,
    oldUntil: at + overlap * 1_000,
    id,
    hash,
    at,
    createdBy: grant.keyId,
    expiresAtMax: grant.expiresAt,
    isOperator: false,
    audit: auditEntry(caller, at, 'rotate_key', keyId, { newKeyId: id }),
  });
  keysChanged();
  return { success: true, secret: text, key: viewKey(key, at), replaced: viewKey(replaced, at) };
}

export async function administered(
  store: Pick<Store, 'findSession'>,
  caller: Caller,
  sessionId = caller.sessionId,
): Promise<string> {
  if (sessionId === caller.sessionId) return sessionId;
  return requireAdministered(sessionOfKey(caller), sessionId, await store.findSession({ sessionId })).id;
}

export function viewKey(key: KeyRecord, now: number): KeyView {
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    ...key,
    state: revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active',
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: isoOrNull(expiresAt),
    revokedAt: isoOrNull(revokedAt),
    lastUsedAt: isoOrNull(lastUsedAt),
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function positionOf(text: string): [number, string] {
  const cursor = decodeCursor(text);
  const [at, id, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof at === 'number' && Number.isSafeInteger(at) && keyRef.safeParse(id).success && rest.length === 0)
    return [at, String(id)];
  throw new HubError('INVALID_INPUT', 'cursor: is not a cursor of list_keys.', {
    hint: 'Use the cursor of the last answer as it was, or leave it out to start over.',
    details: { field: 'cursor' },
  });
}
