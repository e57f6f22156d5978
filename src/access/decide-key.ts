// What may become a key, and how a key is refused. Pure: the store calls it in its transaction.
import { HubError } from '../contract/errors.js';
import { isCapable, type Capability, type KeyCapability } from '../contract/operation.js';
import type { Caller, Grant } from '../ports/caller.js';
import type { KeyRecord } from '../ports/keys.js';

/** A key as it is asked for. */
export interface WantedKey {
  agentId?: string | undefined;
  capabilities?: readonly Capability[] | undefined;
  admin: boolean;
  observer: boolean;
  label: string;
  expiresAt?: number | undefined;
  /** Seconds. */
  ttl?: number | undefined;
}

export type DecidedKey = Pick<KeyRecord, 'agentId' | 'capabilities' | 'label' | 'expiresAt'>;

const usualCapabilities: readonly Capability[] = ['send', 'read', 'signal'];

/** No one makes a key that can do more, or lasts longer, than their own. The command line has no such bound. */
export function decideKey(wanted: WantedKey, at: number, maker: Grant | 'cli'): DecidedKey {
  const key = { agentId: ownerOf(wanted), capabilities: capabilitiesOf(wanted), label: wanted.label };
  const asked = endOf(wanted, at);
  if (maker === 'cli') return { ...key, expiresAt: asked };
  const excess = key.capabilities.filter(
    (capability) => capability !== 'observer' && !isCapable(maker.capabilities, capability),
  );
  if (excess.length > 0) throw exceeds(`Your own key lacks ${excess.join(', ')}.`);
  if (maker.expiresAt !== null && asked !== null && asked > maker.expiresAt)
    throw exceeds(`Your own key expires ${new Date(maker.expiresAt).toISOString()}, before the new one would.`);
  return { ...key, expiresAt: asked ?? maker.expiresAt };
}

function ownerOf({ agentId, observer }: WantedKey): string | null {
  if (observer && agentId !== undefined)
    throw invalid('agentId', 'an observer has no name', 'Leave out agentId or observer.');
  if (observer) return null;
  if (agentId === undefined)
    throw invalid('agentId', 'is required', 'Name the agent, or ask for a key of an observer.');
  return agentId;
}

function capabilitiesOf({ capabilities, admin, observer }: WantedKey): KeyCapability[] {
  const isGiven = capabilities !== undefined;
  if (observer && (admin || isGiven))
    throw invalid('observer', 'an observer has no other capability', 'Leave out observer, or admin and capabilities.');
  if (observer) return ['observer'];
  if (admin && isGiven) throw invalid('admin', 'means all capabilities', 'Leave out admin or capabilities.');
  if (admin) return [...usualCapabilities, 'admin'];
  if (capabilities?.length === 0) throw invalid('capabilities', 'must not be empty', 'Give at least one capability.');
  return [...new Set(capabilities ?? usualCapabilities)];
}

function endOf({ expiresAt, ttl }: WantedKey, at: number): number | null {
  if (expiresAt !== undefined && ttl !== undefined)
    throw invalid('ttl', 'was given with expiresAt', 'Leave out ttl or expiresAt.');
  if (expiresAt !== undefined && expiresAt <= at)
    throw invalid('expiresAt', 'is in the past', 'Give a time in the future, or leave it out.');
  return ttl === undefined ? (expiresAt ?? null) : at + ttl * 1_000;
}

/** The new key of a rotation lasts as long as the old one was made for, but not longer than the maker's own. */
export function renewedUntil(
  { createdAt, expiresAt }: Pick<KeyRecord, 'createdAt' | 'expiresAt'>,
  at: number,
  expiresAtMax: number | null,
): number | null {
  const ends = [expiresAt === null ? null : at + expiresAt - createdAt, expiresAtMax].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

export function requireKeyOf({ grant }: Caller): Grant {
  if (grant !== null) return grant;
  throw new HubError('FORBIDDEN', 'This hub has no keys yet. The first one is made on its machine.', {
    hint: "On the hub's machine: coterie keys create --agent NAME --admin",
  });
}

function exceeds(message: string): HubError {
  return new HubError('FORBIDDEN', message, {
    hint: "Ask for less, or make the key on the hub's machine: coterie keys create",
  });
}

function invalid(field: string, problem: string, hint: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: ${problem}.`, { hint, details: { field, problem } });
}

export function keyUnknown(id: string, state?: 'revoked' | 'expired'): HubError {
  const message = state === undefined ? `There is no key '${id}'.` : `The key '${id}' is ${state}.`;
  return new HubError('KEY_UNKNOWN', message, {
    hint:
      state === undefined
        ? 'list_keys shows the ids. An id is the part of a key between its two underscores, never the whole key.'
        : 'Make another one with create_key.',
    details: { keyId: id },
  });
}

export function sessionUnknown(id: string): HubError {
  return new HubError('SESSION_UNKNOWN', `There is no session '${id}'.`, {
    hint: 'list_sessions shows the sessions that you administer; create_session makes one.',
    details: { sessionId: id },
  });
}

export function keyIsForPerson(id: string): HubError {
  return new HubError('FORBIDDEN', `'${id}' is a person; an agent's key cannot speak for one.`, {
    hint: `On the hub's machine: coterie people add ${id} --key`,
    details: { agentId: id },
  });
}

export function nameIsNoPerson(id: string): HubError {
  return new HubError('ID_TAKEN', `'${id}' is an agent, not a person.`, {
    hint: 'Choose another name for the person. For a key of the agent: coterie keys create --agent ' + id,
    details: { agentId: id },
  });
}
