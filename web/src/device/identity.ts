// This browser as a device: its key pairs, which no script can read out, and what it was told when it was paired.
import type { SignalKeys } from '../../../src/signal/envelope/index.js';
import type { PublicKeys } from '../../../src/contract/signal/signal.js';
import { read, remove, write } from './database.js';

export interface Device {
  id: string;
  person: string;
  session: string;
  name: string;
  keys: SignalKeys;
  /** The hub's keys as they were at pairing: who seals at level `device`. */
  hub: PublicKeys;
}

export async function readDevice(): Promise<Device | undefined> {
  return read<Device>('own', 'device');
}

export async function keepDevice(device: Device): Promise<void> {
  await write('own', 'device', device);
}

/** New keys that are taking over: see renew.ts. Until the old device is revoked, both are kept. */
export interface Renewal {
  old: Device;
  keys: SignalKeys;
  /** How the new device is being paired. */
  pairing?: { pairingId: string; secret: string };
}

export async function readRenewal(): Promise<Renewal | undefined> {
  return read<Renewal>('own', 'renewal');
}

export async function keepRenewal(renewal: Renewal): Promise<void> {
  await write('own', 'renewal', renewal);
}

export async function endRenewal(): Promise<void> {
  await remove('own', 'renewal');
}
