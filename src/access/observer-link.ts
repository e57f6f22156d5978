// create_observer_link: an observer's key that nobody is given, and a link that signs one browser in with its rights, once.
// The command line makes links on the hub's machine in the same way.
import { randomBytes } from 'node:crypto';
import type { createObserverLink as contract } from '../contract/operations/create-observer-link.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { observerFragment } from '../contract/signal/observer-link.js';
import type { AuditEntry } from '../ports/audit.js';
import type { Caller, Grant } from '../ports/caller.js';
import type { ObserverLinkPlan } from '../ports/keys.js';
import type { Store } from '../ports/store.js';
import { administered, viewKey, type KeyPorts } from './administer-keys.js';
import { auditEntry } from './audit-entry.js';
import { decideKey, requireKeyOf } from './decide-key.js';
import { linkOpensUntil } from './decide-sign-in.js';
import { makeKeyText } from './key-text.js';
import { hashOfSecret } from './sign-in.js';

export interface LinkPorts extends KeyPorts {
  store: KeyPorts['store'] & Pick<Store, 'createObserverLink'>;
  /** Null if the operator named none. */
  publicUrl: string | null;
}

export async function createObserverLink(
  { store, clock, keysChanged, publicUrl }: LinkPorts,
  caller: Caller,
  { label, ttl, sessionId: named }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const at = clock.now();
  const maker = requireKeyOf(caller);
  const sessionId = await administered(store, caller, named);
  const by = { maker, createdBy: maker.keyId, audit: auditEntry(caller, at, linkAct, '') };
  const { plan, fragment } = newObserverLink({ label, ttl, sessionId, at }, by);
  const key = await store.createObserverLink(plan);
  keysChanged();
  return { success: true, fragment, url: publicUrl, opensUntil: iso(plan.link.expiresAt), key: viewKey(key, at) };
}

export const linkAct = 'create_observer_link';

export interface NewLink {
  plan: ObserverLinkPlan;
  /** Has the secret: shown once, never stored. */
  fragment: string;
}

export function newObserverLink(
  { label, ttl, sessionId, at }: { label: string; ttl: number; sessionId: string; at: number },
  { maker, createdBy, audit }: { maker: Grant | 'cli'; createdBy: string; audit: Omit<AuditEntry, 'sessionId'> },
): NewLink {
  const decided = decideKey({ observer: true, admin: false, label, ttl }, at, maker);
  const expiresAt = decided.expiresAt ?? at + ttl * 1_000;
  // Nobody learns the secret of the key itself.
  const { id, hash } = makeKeyText();
  const [linkId, secret] = [randomBytes(12).toString('hex'), randomBytes(32).toString('base64url')];
  const details = { label, expiresAt: iso(expiresAt) };
  return {
    plan: {
      ...decided,
      expiresAt,
      id,
      hash,
      sessionId,
      at,
      createdBy,
      isOperator: false,
      isPerson: false,
      audit: { ...audit, sessionId, target: id, details },
      link: { id: `o-${linkId}`, claimHash: hashOfSecret(secret), expiresAt: linkOpensUntil(expiresAt, at) },
    },
    fragment: observerFragment({ linkId: `o-${linkId}`, secret }),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
