// Signs browsers in with the rights of a key: by the key itself, or by an observer's link, once. A sign-in is a key that ends
// with the one it was made by.
import { noKeysYet, signInsMax } from '../../access/decide-sign-in.js';
import type { KeyRecord, NewSignIn, Store } from '../../ports/store.js';
import { pairingTries } from '../../signal/pair/decide-pairing.js';
import { appendAudit } from '../sql/audit.js';
import { deleteOldSignIns, findKey, insertKey, keyState, useKey } from '../sql/keys.js';
import { deletePairingsBefore, insertLink, markUsed, pairingById, takeTry } from '../sql/pairings.js';
import { createKey } from './keys.js';
import { isObserverLink, keptMs } from './signal/pairings.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

type Plan<Name extends keyof Store> = Parameters<Store[Name]>[0];

export function* signInWithKey(
  tx: Statements,
  { keyId, signIn, at, audit }: Plan<'signInWithKey'>,
): Steps<KeyRecord | null> {
  const key = yield* addSignIn(tx, keyId, { signIn: () => signIn, at });
  if (key !== null) yield* appendAudit(tx, audit);
  return key;
}

export function* createObserverLink(tx: Statements, plan: Plan<'createObserverLink'>): Steps<KeyRecord> {
  const { sessionId, id: keyId, at, link } = plan;
  // The first key ends open mode: not by the way.
  if (!(yield* keyState(tx)).hasKeys) throw noKeysYet();
  const key = yield* createKey(tx, plan);
  yield* deletePairingsBefore(tx, at - keptMs);
  yield* insertLink(tx, link, { sessionId, keyId, at, tries: pairingTries });
  return key;
}

export function* redeemObserverLink(
  tx: Statements,
  { id, claimHash, signIn, at, address }: Plan<'redeemObserverLink'>,
): Steps<{ key: KeyRecord; expiresAt: number } | null> {
  const link = yield* pairingById(tx, id);
  if (link === undefined || !isObserverLink(link) || link.device_id === null) return null;
  // A wrong claim costs a try, and is committed.
  if (!(yield* takeTry(tx, id, at)) || link.claim_hash !== claimHash) return null;
  // There is no second one: it lasts as long as its key.
  const lasting = (key: KeyRecord) => ({ ...signIn, expiresAt: key.expiresAt ?? at });
  const key = yield* addSignIn(tx, link.device_id, { signIn: lasting, at });
  if (key === null) return null;
  yield* markUsed(tx, id, { deviceId: key.id, at });
  const entry = { sessionId: key.sessionId, at, actor: '', keyId: key.id, address, act: 'sign_in', target: key.id };
  yield* appendAudit(tx, { ...entry, details: { how: 'link' } });
  return { key, expiresAt: lasting(key).expiresAt };
}

function* addSignIn(
  tx: Statements,
  keyId: string,
  { signIn, at }: { signIn: (key: KeyRecord) => NewSignIn; at: number },
): Steps<KeyRecord | null> {
  // First: whoever ends the key waits for this row, and then ends this sign-in too.
  if (!(yield* useKey(tx, keyId, at))) return null;
  const found = yield* findKey(tx, { id: keyId });
  if (found === null || found.signInOf !== null) return null;
  const { hash: _hash, kind: _kind, device: _device, signInOf: _signInOf, ...key } = found;
  yield* deleteOldSignIns(tx, keyId, { at, kept: signInsMax - 1 });
  const { sessionId, agentId, capabilities } = key;
  yield* insertKey(tx, {
    ...signIn(key),
    sessionId,
    agentId,
    capabilities,
    label: '',
    at,
    createdBy: keyId,
    signInOf: keyId,
  });
  return key;
}
