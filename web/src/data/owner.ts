// Whose something on this browser is: under which sign-in it was written, and whether it may be sent under the present one.
import type { HubInfo } from './types.js';

export interface Owner {
  session: string;
  person: string;
  /** This browser's device, a key that was pasted, or no sign-in: the local person of a hub without keys. */
  by: 'device' | 'local' | `key ${string}`;
  /** When a sign-in with a key ends at the latest. */
  until?: string;
}

const localSession = 'default';

/** Undefined for an observer, and for who is not signed in. */
export function ownerIn(info: HubInfo | undefined): Owner | undefined {
  const { signedIn, localPerson } = info ?? {};
  if (signedIn === undefined) return localPerson === undefined ? undefined : localOwner(localPerson);
  const { session, person, deviceId, keyId = '', expiresAt } = signedIn;
  if (person === undefined) return undefined;
  if (deviceId !== undefined) return { session, person, by: 'device' };
  return { session, person, by: `key ${keyId}`, ...(typeof expiresAt === 'string' ? { until: expiresAt } : {}) };
}

/** Names the sign-in, also that of an observer; undefined for nobody. */
export function signInName(info: HubInfo | undefined): string | undefined {
  const { by } = ownerIn(info) ?? {};
  const { session, person, keyId } = info?.signedIn ?? {};
  if (info?.signedIn === undefined) return by === undefined ? undefined : `${by} ${info?.localPerson}`;
  return `${session} ${person ?? ''} ${by ?? keyId}`;
}

/** Whether another sign-in has taken the place of the one for which this page has read and shown things. */
export function isOtherSignIn(before: HubInfo | undefined, after: HubInfo): boolean {
  const [was, is] = [signInName(before), signInName(after)];
  if (was === undefined || was === is) return false;
  const [owner, next] = [ownerIn(before), ownerIn(after)];
  // The local person's browser became their device, or is it no longer.
  if (isSamePerson(owner, next) && (owner?.by === 'local' || next?.by === 'local')) return false;
  // A device that is signed out shows nothing; it says so, and may sign in again.
  return is !== undefined || owner?.by !== 'device';
}

export function localOwner(person: string): Owner {
  return { session: localSession, person, by: 'local' };
}

export function isSamePerson(a: Owner | undefined, b: Owner | undefined): boolean {
  return a !== undefined && a.session === b?.session && a.person === b.person;
}

export function isSameSignIn(a: Owner | undefined, b: Owner | undefined): boolean {
  return isSamePerson(a, b) && a?.by === b?.by;
}

/** `over`: the sign-in under which it was written does not come back. */
export type Fate = 'send' | 'keep' | 'over';

export function decideFate(owner: Owner | undefined, present: Owner | undefined, at: number): Fate {
  if (owner === undefined) return 'keep';
  if (isSameSignIn(owner, present)) return 'send';
  if (owner.by === 'device') return 'keep';
  // At the machine of a hub without keys everyone is this person, with a device or without.
  if (owner.by === 'local') return isSamePerson(owner, present) ? 'send' : overIf(present !== undefined);
  const isReplaced = isSamePerson(owner, present) && isByKey(present);
  return overIf(isReplaced || (owner.until !== undefined && Date.parse(owner.until) <= at));
}

function overIf(isOver: boolean): Fate {
  return isOver ? 'over' : 'keep';
}

function isByKey(owner: Owner | undefined): boolean {
  return owner?.by.startsWith('key ') === true;
}

/** Names who speaks, so that the hub refuses the call if the cookie is another's by now. */
export function headersOf(owner: Owner | undefined, mode: HubInfo['mode'] | undefined): Record<string, string> {
  if (owner?.by === 'local') return { 'coterie-agent': owner.person };
  // Without keys a name alone would do: a device whose sign-in has ended must sign in again.
  if (owner === undefined || mode !== 'keys') return {};
  return { 'coterie-agent': owner.person, 'coterie-session': owner.session };
}
