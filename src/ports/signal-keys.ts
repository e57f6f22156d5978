// Public keys of Signal as the store holds them: of the hub, of devices, and of programs that seal beside an agent.
import type { PublicKeys } from '../contract/signal/signal.js';
import type { HubIdentity } from './hub-secret.js';
import type { DeviceRecord, SignalRecord } from './signal.js';

export interface AgentKeyRecord extends PublicKeys {
  agentId: string;
  createdAt: number;
}

export interface SignalKeyStore {
  /** The identity that this database was first used with; null if it was not used yet. */
  findHubIdentity(): Promise<HubIdentity | null>;
  /** Stores this identity if there is none. */
  claimHubIdentity(plan: { identity: HubIdentity; at: number }): Promise<HubIdentity>;

  /** Also one that is revoked. */
  findDeviceByKid(query: { sessionId: string; kid: string }): Promise<DeviceRecord | null>;
  /** Keeps the newest few of an agent. */
  saveAgentKey(plan: { sessionId: string; agentId: string; keys: PublicKeys; at: number }): Promise<void>;
  findAgentKey(query: { sessionId: string; agentId: string; kid: string }): Promise<AgentKeyRecord | null>;

  /** People with devices, in every session: read at start and once in a while. */
  peopleWithDevices(query: {
    after: { sessionId: string; personId: string } | null;
    limit: number;
  }): Promise<{ sessionId: string; personId: string }[]>;
  /** Of a person: those that the hub alone can read. */
  hubLevelSignals(query: {
    sessionId: string;
    personId: string;
    since: number;
    limit: number;
  }): Promise<SignalRecord[]>;
  /** False if the signal changed in between. */
  replaceBodies(plan: {
    sessionId: string;
    id: string;
    /** As they were read. */
    from: SealedBodies;
    to: SealedBodies;
  }): Promise<boolean>;
}

export type SealedBodies = Pick<SignalRecord, 'level' | 'body' | 'defaultAnswer' | 'answer'>;
