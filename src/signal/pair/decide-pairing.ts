// How long pairings and sign-ins last, and how they are refused. Pure: the store calls it in its transaction.
import { HubError } from '../../contract/errors.js';
import type { Capability } from '../../contract/operation.js';

export const pairingMs = 5 * 60_000;
export const pairingTries = 5;
/** A device signs in again by itself. */
export const signInMs = 30 * 24 * 60 * 60_000;
/** By the hub's clock alone. */
export const challengeMs = 60_000;

/** A device never administers. */
export const deviceCapabilities: readonly Capability[] = ['send', 'read', 'signal'];

/** The same for one that never existed. */
export function pairingInvalid(): HubError {
  return new HubError('PAIRING_INVALID', 'This pairing does not work: wrong, used, expired, or tried too often.', {
    hint: 'Start another one where you began: coterie pair, or the devices page. It works once, for 5 minutes.',
  });
}

export function keysTaken(): HubError {
  return new HubError('INVALID_INPUT', 'device: these keys belong to another device, or to one that was revoked.', {
    hint: 'Make new keys on the device, and pair again.',
    details: { field: 'device' },
  });
}

export function personUnknown(id: string): HubError {
  return new HubError('PERSON_UNKNOWN', `There is no person '${id}'.`, {
    hint: `Only people have devices. Name one with --person, or use a person's key; a new person: coterie people add NAME`,
    details: { person: id },
  });
}

export function deviceUnknown(id: string): HubError {
  return new HubError('DEVICE_UNKNOWN', `There is no device '${id}'.`, {
    hint: 'list_devices shows the ids.',
    details: { deviceId: id },
  });
}

export function openModeEnded(): HubError {
  return new HubError('KEY_REQUIRED', 'This hub has keys now, and only a person verifies a device.', {
    hint: 'Use a key of the person, or, on the hub’s machine: coterie devices verify ID',
  });
}

export function tooManyDevices(person: string, limit: number): HubError {
  return new HubError('LIMIT_REACHED', `'${person}' has ${limit} devices already.`, {
    hint: 'Revoke one that is no longer used: coterie devices list, then coterie devices revoke ID',
    details: { limit },
  });
}

export function tooManyPairings(person: string, limit: number): HubError {
  return new HubError('LIMIT_REACHED', `${limit} pairings of '${person}' are open already.`, {
    hint: 'Use one of them, or wait: a pairing ends after 5 minutes.',
    details: { limit, retryAfterMs: pairingMs },
  });
}
