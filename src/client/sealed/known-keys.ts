// The keys that the hub lists, and which of them are trusted. A hub could list false ones: what was seen first counts.
import { HubError } from '../../contract/errors.js';
import type { PublicKeys } from '../../contract/signal.js';
import { requireKid } from '../../signal/envelope/index.js';
import { e2eRequired, type Device, type KnownKeys, type SealingOptions, type SendPlain } from './sealing.js';

/** The plain call would be refused for the same reason, with an error about the caller's own fields; or the hub is older. */
const saidByPlainCall = new Set([
  'OPERATION_UNKNOWN',
  'FORBIDDEN',
  'INVALID_INPUT',
  'PERSON_UNKNOWN',
  'NOT_A_PERSON',
  'NO_PERSON',
]);

/** Undefined if the hub does not give them. */
export async function readKeys(send: SendPlain, people: unknown): Promise<KnownKeys | undefined> {
  let output: Record<string, unknown>;
  try {
    output = await send('get_signal_keys', people === undefined ? {} : { people });
  } catch (error) {
    if (error instanceof HubError && saidByPlainCall.has(error.code)) return undefined;
    throw error;
  }
  const { session, hub, devices } = output as unknown as KnownKeys;
  return { session, hub: keysIn(hub), devices };
}

/** The devices to seal for. Throws if one has other keys than when it was first seen. */
export async function trustedDevices(options: SealingOptions, { hub, devices }: KnownKeys): Promise<Device[]> {
  const seen = await options.memory.seen();
  const fresh: Record<string, PublicKeys> = {};
  for (const device of devices) {
    await requireKid(device);
    const before = seen[device.id];
    if (before === undefined) fresh[device.id] = keysIn(device);
    else if (before.kid !== device.kid) throw changedKeys(device);
  }
  if (Object.keys(fresh).length > 0) await options.memory.noteSeen(fresh);
  if (options.requireE2e !== true) return devices;
  return devices.filter(({ kid }) => options.isVerified?.(hub.kid, kid) === true);
}

export function keysIn({ kid, encryption, signing }: PublicKeys): PublicKeys {
  return { kid, encryption, signing };
}

function changedKeys({ id, name }: Device): HubError {
  return e2eRequired(
    `The device '${name}' (${id}) has other keys than before: the hub or someone else has exchanged them. Nothing was sent.`,
    'If the person confirms that the device is new: coterie devices revoke ID, then pair it again with coterie pair.',
  );
}
