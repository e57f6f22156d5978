// The keys that the hub lists, and which of them are trusted. A hub could list false ones: what was seen first counts.
import { HubError } from '../../contract/errors.js';
import type { PublicKeys } from '../../contract/signal/signal.js';
import { fieldsOf, requireKid } from '../../signal/envelope/index.js';
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
  const { session, devices } = output;
  const hub = keysOf(output['hub']);
  const listed = Array.isArray(devices) ? devices.map(deviceOf) : [undefined];
  const whole = listed.flatMap((device) => device ?? []);
  if (typeof session !== 'string' || hub === undefined || whole.length < listed.length) throw notUnderstood();
  return { session, hub, devices: whole };
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

function deviceOf(value: unknown): Device | undefined {
  const { id, person, name } = fieldsOf(value);
  const keys = keysOf(value);
  if (typeof id !== 'string' || typeof person !== 'string' || typeof name !== 'string') return undefined;
  return keys === undefined ? undefined : { ...keys, id, person, name };
}

function keysOf(value: unknown): PublicKeys | undefined {
  const { kid, encryption, signing } = fieldsOf(value);
  const isWhole = typeof kid === 'string' && typeof encryption === 'string' && typeof signing === 'string';
  return isWhole ? { kid, encryption, signing } : undefined;
}

/** Not sent in plain text then: the hub may be another program. */
function notUnderstood(): HubError {
  return e2eRequired(
    'The hub’s list of keys is not understood. Nothing was sent.',
    'Run the same release of coterie here and at the hub.',
  );
}

function keysIn({ kid, encryption, signing }: PublicKeys): PublicKeys {
  return { kid, encryption, signing };
}

function changedKeys({ id, name }: Device): HubError {
  return e2eRequired(
    `The device '${name}' (${id}) has other keys than before: the hub or someone else has exchanged them. Nothing was sent.`,
    'If the person confirms that the device is new: coterie devices revoke ID, then pair it again with coterie pair.',
  );
}
