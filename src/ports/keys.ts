// Keys as the store holds them: never their secret, only its hash.
import type { KeyCapability } from '../contract/operation.js';
import type { AgentKind } from '../contract/agent.js';
import type { AuditEntry } from './audit.js';
import type { GrantDevice } from './caller.js';
import type { Store } from './store.js';

export interface KeyRecord {
  /** The public part of the key. */
  id: string;
  sessionId: string;
  /** Null for an observer. */
  agentId: string | null;
  capabilities: KeyCapability[];
  label: string;
  createdAt: number;
  /** The id of a key, or `cli`. */
  createdBy: string;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** As it is looked up for a request. */
export interface KeyLookup extends KeyRecord {
  hash: string;
  /** Of its agent; `agent` for one that is not registered yet. */
  kind: AgentKind;
  /** Set for a sign-in: the id of the device, or of the key, that it belongs to and ends with. */
  signInOf: string | null;
  /** The device whose sign-in it is. */
  device: GrantDevice | null;
}

export interface NewKey {
  id: string;
  hash: string;
  sessionId: string;
  agentId: string | null;
  capabilities: KeyCapability[];
  label: string;
  at: number;
  createdBy: string;
  expiresAt: number | null;
  /** Set for a sign-in: the id of a device or of a key. */
  signInOf?: string;
}

/** A change of the keys, with the audit entry that is stored with it. */
export interface CreateKeyPlan extends NewKey {
  /** The command line creates the session and may make keys of people. */
  isOperator: boolean;
  /** A key for this agent, which is registered as a person. */
  isPerson: boolean;
  audit: AuditEntry;
}

export interface RotateKeyPlan {
  /** The key that is replaced. Null for the command line: a key of any session. */
  sessionId: string | null;
  replaces: string;
  /** Until then the old key works too. */
  oldUntil: number;
  id: string;
  hash: string;
  at: number;
  createdBy: string;
  /** The end of the maker's own key. */
  expiresAtMax: number | null;
  /** The command line may make keys of people. */
  isOperator: boolean;
  audit: Omit<AuditEntry, 'sessionId'>;
}

/** An observer's key that nobody has, and the link that signs one browser in with its rights. */
export interface ObserverLinkPlan extends CreateKeyPlan {
  link: { id: string; claimHash: string; expiresAt: number };
}

export interface KeyState {
  /** Rises with every change of the keys. */
  version: number;
  /** False in open mode. True for good once a key was made; sign-ins of devices do not count. */
  hasKeys: boolean;
}

/** What the command line needs of a store to administer keys and devices on the hub's machine. */
export const keyCommands = [
  'createKey',
  'createObserverLink',
  'rotateKey',
  'revokeKey',
  'listKeys',
  'keyState',
  'findSession',
  'addPerson',
  'listAgents',
  'startPairing',
  'findPairing',
  'listDevices',
  'changeDevice',
  'findHubIdentity',
] as const satisfies (keyof Store)[];

export type KeyStore = Pick<Store, (typeof keyCommands)[number] | 'close'>;
