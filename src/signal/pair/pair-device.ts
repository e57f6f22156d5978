// Makes a device of whoever redeems a pairing, or of the page on the hub's machine, and signs it in.
import { randomInt } from 'node:crypto';
import { makeKeyText } from '../../access/key-text.js';
import type { PairByCode, PairByLink, ShownDevice } from '../../contract/signal/app.js';
import { readPairingCode } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import type { DeviceRecord } from '../../ports/signal.js';
import type { NewDevice, NewSignIn, PairingProof, PairingRecord, SignedIn, Store } from '../../ports/store.js';
import { EnvelopeError, requireKid, verifyBytes } from '../envelope/index.js';
import { pairingInvalid, signInMs } from './decide-pairing.js';
import { pairingProofBytes } from './signed-bytes.js';
import { hashOfClaim, pairingIdPrefix } from './start-pairing.js';

export interface PairDevicePorts {
  store: Pick<Store, 'findPairing' | 'redeemPairing' | 'pairLocally'>;
  clock: Clock;
  hubSecret: Pick<HubSecret, 'identity' | 'mac' | 'requireOurs'>;
  /** Called after a change: the hub must not believe what it knows of the keys. */
  keysChanged: () => void;
  /** Seals again, for the new device too, what waits for the person. */
  resealFor: (sessionId: string, person: string) => Promise<void>;
}

/** Whom an open pairing is for. Its id cannot be guessed, and whoever has the link has it. */
export async function lookUpPairing(
  { store, clock }: Pick<PairDevicePorts, 'store' | 'clock'>,
  pairingId: string,
): Promise<{ sessionId: string; person: string }> {
  const pairing = await store.findPairing({ id: pairingId });
  if (pairing === null || !isOpen(pairing, clock.now())) throw pairingInvalid();
  return { sessionId: pairing.sessionId, person: pairing.personId };
}

function isOpen({ usedAt, triesLeft, expiresAt }: PairingRecord, now: number): boolean {
  return usedAt === null && triesLeft > 0 && expiresAt > now;
}

export async function pairDevice(
  ports: PairDevicePorts,
  input: PairByLink | PairByCode,
  address: string,
): Promise<SignedIn> {
  await ports.hubSecret.requireOurs();
  const { ref, proof } = proofOf(ports, input);
  await requirePossession(ports, input, ref);
  const mac = 'mac' in input ? input.mac : null;
  return signedIn(ports, async ({ signIn, at }) => {
    const device = await ports.store.redeemPairing({ proof, device: newDevice(input, mac), signIn, at, address });
    if (device === null) throw pairingInvalid();
    return device;
  });
}

export async function pairLocally(
  ports: PairDevicePorts,
  input: ShownDevice,
  { sessionId, person, address }: { sessionId: string; person: string; address: string },
): Promise<SignedIn> {
  await ports.hubSecret.requireOurs();
  await requirePossession(ports, input, 'page');
  return signedIn(ports, ({ signIn, at }) =>
    ports.store.pairLocally({ sessionId, personId: person, device: newDevice(input, null), signIn, at, address }),
  );
}

async function signedIn(
  ports: PairDevicePorts,
  pair: (made: { signIn: NewSignIn; at: number }) => Promise<DeviceRecord>,
): Promise<SignedIn> {
  const at = ports.clock.now();
  const { id, text, hash } = makeKeyText();
  const device = await pair({ signIn: { id, hash, expiresAt: at + signInMs }, at });
  ports.keysChanged();
  await ports.resealFor(device.sessionId, device.personId);
  return { device, key: text, seconds: signInMs / 1_000 };
}

function proofOf({ hubSecret }: PairDevicePorts, input: PairByLink | PairByCode): { ref: string; proof: PairingProof } {
  if ('claim' in input) {
    const { pairingId: id, claim } = input;
    return { ref: id, proof: { id, claimHash: hashOfClaim(claim) } };
  }
  const code = readPairingCode(input.code);
  if (code === undefined) throw pairingInvalid();
  return { ref: code, proof: { idPrefix: pairingIdPrefix(code), codeHash: hubSecret.mac('code', code) } };
}

/** Whoever shows the keys must have them: else one could pair the keys of another device under its own name. */
async function requirePossession({ hubSecret }: PairDevicePorts, input: ShownDevice, ref: string): Promise<void> {
  const { device: keys, proof } = input;
  const bytes = pairingProofBytes({ ref, kid: keys.kid, hubKid: hubSecret.identity.kid });
  if (!(await isSignedBy(keys, bytes, proof))) throw notItsKeys();
}

async function isSignedBy(keys: ShownDevice['device'], bytes: Uint8Array, proof: string): Promise<boolean> {
  try {
    await requireKid(keys);
    return await verifyBytes(keys, 'pair', { bytes, signature: proof });
  } catch (error) {
    if (error instanceof EnvelopeError) return false;
    throw error;
  }
}

function notItsKeys(): HubError {
  return new HubError('INVALID_INPUT', 'proof: is not a signature of this pairing by the device’s signing key.', {
    hint: 'Sign the pairing, the device’s key id and the hub’s key id; see docs/devices.md.',
    details: { field: 'proof' },
  });
}

function newDevice({ device: { name, kid, encryption, signing } }: ShownDevice, mac: string | null): NewDevice {
  return { id: newDeviceId(), name, kid, encryption, signing, mac };
}

const idChars = 'abcdefghijkmnpqrstuvwxyz23456789';

function newDeviceId(): string {
  return `d-${Array.from({ length: 12 }, () => idChars[randomInt(idChars.length)]).join('')}`;
}
