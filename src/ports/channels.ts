// Channels to people, and the pushes that wait to be sent through them.
import type { ChannelKind, PersonPrefs } from '../contract/signal/channel.js';
import type { PublicKeys } from '../contract/signal/signal.js';
import type { SignalRecord } from './signal.js';

export interface ChannelRecord {
  sessionId: string;
  id: string;
  personId: string;
  /** Of a Web Push subscription. */
  deviceId: string | null;
  kind: ChannelKind;
  /** What a person sees of it, without secrets. */
  label: string;
  /** A box: only the hub's secret opens it. */
  settings: string;
  createdAt: number;
  lastOkAt: number | null;
  /** Why the last push failed; null after one that worked. */
  fault: string | null;
  faultAt: number | null;
}

export interface PushedSignal extends SignalRecord {
  senderName: string;
  /** Of the programs that seal for the sender; none where the hub sealed it. */
  agentKeys: PublicKeys[];
}

/** A push that this hub alone may send until its lease ends. */
export interface TakenPush {
  sessionId: string;
  id: string;
  token: string;
  attempts: number;
  expiresAt: number;
  channel: ChannelRecord;
  /** Key id of the channel's device. */
  kid: string | null;
  signal: PushedSignal;
  prefs: PersonPrefs;
}

export type PushOutcome =
  | { kind: 'sent'; at: number }
  /** Tried again after that time. `fault` null: it was not tried. */
  | { kind: 'later'; delayMs: number; at: number; fault: string | null }
  /** The channel is gone for good: it is removed, with all of its pushes. */
  | { kind: 'gone' };

export const pushResults = ['sent', 'retried', 'failed', 'dropped'] as const;
/** sent; tried again soon; faulty until someone changes something; its channel was removed. */
export type PushResult = (typeof pushResults)[number];

export interface ChannelStore {
  /** Replaces the device's subscription, or the channel `replaces`. Throws LIMIT_REACHED. */
  saveChannel(
    plan: Omit<ChannelRecord, 'lastOkAt' | 'fault' | 'faultAt'> & { replaces: string | null },
  ): Promise<ChannelRecord>;
  /** Of one person, or of the session; oldest first. */
  listChannels(query: { sessionId: string; personId: string | null }): Promise<ChannelRecord[]>;
  /** False if there is none. */
  removeChannel(plan: { sessionId: string; id: string }): Promise<boolean>;
  noteChannel(plan: { sessionId: string; id: string; at: number; fault: string | null }): Promise<void>;

  /** Leases pushes that are due, and removes those that are no longer needed. */
  takePushes(request: { now: number; leaseMs: number; token: string; limit: number }): Promise<TakenPush[]>;
  /** Nothing happens if the lease has ended. */
  settlePush(plan: { sessionId: string; id: string; token: string; outcome: PushOutcome }): Promise<void>;
  /** How many wait, and since when the first is due. */
  countPushes(): Promise<{ waiting: number; oldestDueAt: number | null }>;

  readPersonPrefs(query: { sessionId: string; personId: string }): Promise<PersonPrefs>;
  setPersonPrefs(plan: { sessionId: string; personId: string; prefs: PersonPrefs }): Promise<void>;
}
