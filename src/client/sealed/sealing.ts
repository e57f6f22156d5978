// Encryption beside the agent: turns questions and alerts into sealed ones, and opens the answers.
import { HubError } from '../../contract/errors.js';
import type { PublicKeys } from '../../contract/signal/signal.js';
import type { SignalKeys } from '../../signal/envelope/index.js';

/** Calls the hub, once. */
export type SendPlain = (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** What a program must keep, so that answers open after a restart. */
export interface ProgramMemory {
  /** Made at the first call. */
  keys(): Promise<SignalKeys>;
  /** Devices as they were first seen, by id. */
  seen(): Promise<Readonly<Record<string, PublicKeys>>>;
  noteSeen(devices: Readonly<Record<string, PublicKeys>>): Promise<void>;
}

export interface SealingOptions {
  memory: ProgramMemory;
  /** True for devices whose keys were verified on this machine. */
  isVerified?: (hubKid: string, kid: string) => boolean;
  /** Never falls back to a weaker level; only verified devices count. */
  requireE2e?: boolean;
}

export interface Device extends PublicKeys {
  id: string;
  person: string;
  name: string;
}

/** What the hub says of the keys. */
export interface KnownKeys {
  session: string;
  hub: PublicKeys;
  devices: Device[];
}

export function e2eRequired(message: string, hint: string): HubError {
  return new HubError('E2E_REQUIRED', message, { hint });
}
