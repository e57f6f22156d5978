// Devices of people and their pairings, as the store holds them.
import type { PublicKeys } from '../contract/signal/signal.js';
import type { AuditEntry } from './audit.js';
import type { DeviceRecord } from './signal.js';

/** A device that shows its keys for the first time. */
export interface NewDevice extends PublicKeys {
  id: string;
  name: string;
  /** Over its keys, by the pairing's secret. */
  mac: string | null;
}

/** The key in a device's cookie. */
export interface NewSignIn {
  id: string;
  hash: string;
  expiresAt: number;
}

/** A device, and the key for its cookie. */
export interface SignedIn {
  device: DeviceRecord;
  key: string;
  /** How long the cookie lasts. */
  seconds: number;
}

export interface NewPairing {
  id: string;
  sessionId: string;
  personId: string;
  /** Null: by the code only. */
  claimHash: string | null;
  /** Null: by the link only. */
  codeHash: string | null;
  at: number;
  createdBy: string;
  expiresAt: number;
}

export interface PairingRecord {
  id: string;
  sessionId: string;
  personId: string;
  triesLeft: number;
  expiresAt: number;
  usedAt: number | null;
  device: DeviceRecord | null;
}

/** The hash of what the device shows; a code begins with the part of the pairing's id that finds it. */
export type PairingProof = { id: string; claimHash: string } | { idPrefix: string; codeHash: string };

interface PairPlan {
  device: NewDevice;
  signIn: NewSignIn;
  at: number;
  address: string;
}

export type DeviceChange =
  { kind: 'rename'; name: string } | { kind: 'verify'; isOpenMode?: boolean } | { kind: 'revoke' };

export interface DeviceStore {
  /** Refused with PERSON_UNKNOWN for who is no person, and with LIMIT_REACHED while too many are open. */
  startPairing(plan: NewPairing): Promise<void>;
  findPairing(query: { id: string }): Promise<PairingRecord | null>;
  /** Null if the pairing does not exist, is over, or the proof is wrong: then it has lost one of its tries. */
  redeemPairing(plan: PairPlan & { proof: PairingProof }): Promise<DeviceRecord | null>;
  /** Without a pairing, for the page on the hub's machine in open mode. */
  pairLocally(plan: PairPlan & { sessionId: string; personId: string }): Promise<DeviceRecord>;
  /** Null for one that is revoked, too. */
  findDevice(query: { id: string }): Promise<DeviceRecord | null>;
  /** By age, without those that are revoked; `people` null: of everyone. */
  listDevices(query: { sessionId: string; people: readonly string[] | null }): Promise<DeviceRecord[]>;
  /** `personId` null: a device of anyone in the session. Revoking ends its sign-ins and removes its channels. */
  changeDevice(plan: {
    sessionId: string;
    id: string;
    personId: string | null;
    change: DeviceChange;
    at: number;
    audit: AuditEntry | null;
  }): Promise<DeviceRecord>;
  /** Null if the device is unknown or revoked, or a key with this id exists: the challenge was used. */
  signInDevice(plan: { deviceId: string; signIn: NewSignIn; at: number }): Promise<DeviceRecord | null>;
  signOutDevice(plan: { keyId: string }): Promise<void>;
}
