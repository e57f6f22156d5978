// The hub's secret, which is not in the database, and what is derived from it.
import type { KeyObject } from 'node:crypto';
import type { PublicKeys } from '../contract/signal/signal.js';

/** What the database keeps of it. */
export interface HubIdentity extends PublicKeys {
  /** Public key of Web Push, base64url of the raw point. */
  vapid: string;
}

export interface HubSecret {
  readonly identity: HubIdentity;
  /** Signs the requests to push services. */
  readonly vapidKey: KeyObject;
  /**
   * Throws HUB_SECRET_MISMATCH if the database was used with another secret; its first use makes it this hub's.
   * Dispatch calls it before every operation of Signal; whatever else uses the secret calls it first.
   */
  requireOurs(): Promise<void>;
  /** Encrypts a text that only hubs with this secret read. `use` must be the same when it is opened. */
  box(use: BoxUse, text: string): string;
  /** Throws if it was not boxed for this use with this secret. */
  unbox(use: BoxUse, box: string): string;
  /** Recognizes a text, or proves that this hub made it; base64url. */
  mac(use: MacUse, text: string): string;
}

export type BoxUse = 'signal' | 'channel' | 'wake-route';
export type MacUse = 'idempotency' | 'challenge' | 'claim' | 'code' | 'answer-token' | 'wake-route';
