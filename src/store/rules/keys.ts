// Makes, replaces and revokes keys, and registers the people that some are made for. Every change is audited with it.
import { idIsGroupName, requireMayBeAgent, requireMayBeNew } from '../../agent/decide-registration.js';
import { keyIsForPerson, keyUnknown, nameIsNoPerson, renewedUntil, sessionUnknown } from '../../access/decide-key.js';
import type { AgentRecord, KeyLookup, KeyRecord, Store } from '../../ports/store.js';
import { findAgent, twinOf } from '../sql/agents.js';
import { appendAudit } from '../sql/audit.js';
import { unverifyDevices } from '../sql/devices.js';
import { endKey, endSignInsBy, findKey, hasKey, insertKey, keyState, revokeSignInsOf } from '../sql/keys.js';
import { deleteWebhooks } from '../sql/wake-routes.js';
import { requireNoCopiesLeft } from './agents.js';
import { isGroup } from './groups.js';
import { ensureSession } from './sessions.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* createKey(tx: Statements, plan: Parameters<Store['createKey']>[0]): Steps<KeyRecord> {
  const { sessionId, agentId, isOperator, at } = plan;
  if (!isOperator && (yield* tx.findSession(sessionId)) === undefined) throw sessionUnknown(sessionId);
  if (agentId !== null) yield* requireKeyName(tx, { ...plan, agentId });
  yield* ensureSession(tx, sessionId, at);
  const { hasKeys } = yield* keyState(tx);
  yield* insertKey(tx, plan);
  // In open mode any program of the machine could have verified a device of its own.
  if (!hasKeys) yield* unverifyDevices(tx);
  yield* appendAudit(tx, plan.audit);
  const { id, capabilities, label, createdBy, expiresAt } = plan;
  return {
    id,
    sessionId,
    agentId,
    capabilities,
    label,
    createdAt: at,
    createdBy,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  };
}

/** An agent cannot get the key of a person, nor a person that of an agent. */
function* requireKeyName(
  tx: Statements,
  { sessionId, agentId, isPerson }: { sessionId: string; agentId: string; isPerson: boolean },
): Steps<void> {
  requireMayBeAgent(agentId);
  const agent = yield* findAgent(tx, sessionId, agentId);
  if (isPerson !== (agent?.kind === 'human')) throw isPerson ? nameIsNoPerson(agentId) : keyIsForPerson(agentId);
  if (agent === undefined && (yield* isGroup(tx, sessionId, agentId))) throw idIsGroupName(agentId);
}

/** The new key has the rights of the old one, which works until `oldUntil`. */
export function* rotateKey(
  tx: Statements,
  plan: Parameters<Store['rotateKey']>[0],
): Steps<{ key: KeyRecord; replaced: KeyRecord }> {
  const { id, hash, at, createdBy, oldUntil } = plan;
  const { kind, ...found } = yield* requireKey(tx, plan.sessionId, plan.replaces);
  const isEnded = found.revokedAt !== null || (found.expiresAt !== null && found.expiresAt <= at);
  if (isEnded) throw keyUnknown(plan.replaces, found.revokedAt === null ? 'expired' : 'revoked');
  const { sessionId, agentId, capabilities, label } = found;
  const isAnothers = !plan.isOperator && found.id !== createdBy;
  if (kind === 'human' && agentId !== null && isAnothers) throw keyIsForPerson(agentId);
  const expiresAt = renewedUntil(found, at, plan.expiresAtMax);
  const replaced = { ...found, expiresAt: Math.min(found.expiresAt ?? oldUntil, oldUntil) };
  // First, as a revocation does: hubs that change the same key wait for each other in one order.
  if (!(yield* endKey(tx, found.id, replaced))) throw keyUnknown(plan.replaces, 'revoked');
  yield* endSignInsBy(tx, found.id, replaced.expiresAt);
  yield* insertKey(tx, { id, hash, sessionId, agentId, capabilities, label, at, createdBy, expiresAt });
  yield* appendAudit(tx, { ...plan.audit, sessionId });
  return {
    key: { ...found, id, createdAt: at, createdBy, expiresAt, lastUsedAt: null },
    replaced,
  };
}

export function* revokeKey(tx: Statements, plan: Parameters<Store['revokeKey']>[0]): Steps<KeyRecord> {
  const { kind: _kind, ...found } = yield* requireKey(tx, plan.sessionId, plan.id);
  if (found.revokedAt !== null) return found;
  const revoked = { ...found, revokedAt: plan.at };
  if (!(yield* endKey(tx, found.id, revoked))) return revoked;
  yield* revokeSignInsOf(tx, found.id, plan.at);
  yield* endWebhooks(tx, found, plan.at);
  yield* appendAudit(tx, { ...plan.audit, sessionId: found.sessionId });
  return revoked;
}

/** With the last key of an agent its webhooks end: a later key for the name is no reason to call them again. */
function* endWebhooks(tx: Statements, { sessionId, agentId }: KeyRecord, at: number): Steps<void> {
  if (agentId === null || (yield* hasKey(tx, { sessionId, agentId }, at))) return;
  yield* deleteWebhooks(tx, { sessionId, agentId });
}

/** A sign-in ends with its device or its key, not as one. */
function* requireKey(tx: Statements, sessionId: string | null, id: string): Steps<KeyRecord & Pick<KeyLookup, 'kind'>> {
  const found = yield* findKey(tx, { id });
  if (found === null || found.signInOf !== null || (sessionId !== null && found.sessionId !== sessionId))
    throw keyUnknown(id);
  const { hash: _hash, device: _device, signInOf: _signInOf, ...key } = found;
  return key;
}

export function* addPerson(
  tx: Statements,
  { sessionId, id, name, at, isUnseen = false, audit }: Parameters<Store['addPerson']>[0],
): Steps<{ agent: AgentRecord; isNew: boolean }> {
  requireMayBeAgent(id);
  // First: hubs that start at once wait for each other here, and the others find the person.
  yield* ensureSession(tx, sessionId, at);
  const before = yield* findAgent(tx, sessionId, id);
  if (before !== undefined) {
    if (before.kind !== 'human') throw nameIsNoPerson(id);
    return { agent: before, isNew: false };
  }
  if (yield* isGroup(tx, sessionId, id)) throw idIsGroupName(id);
  yield* requireNoCopiesLeft(tx, { sessionId, agentId: id });
  // Its key, made for an agent that has not come yet, would become the person's.
  if (yield* hasKey(tx, { sessionId, agentId: id }, at)) throw nameIsNoPerson(id);
  const profile = { name: name ?? id, description: '', capabilities: [] };
  requireMayBeNew({ id, name: profile.name }, yield* twinOf(tx, sessionId, id));
  const agent = yield* tx.insertAgent(sessionId, {
    id,
    owner: 'key',
    at: isUnseen ? 0 : at,
    kind: 'human',
    ...profile,
  });
  if (audit !== null) yield* appendAudit(tx, audit);
  return { agent, isNew: true };
}
