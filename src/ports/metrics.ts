// What is counted. The names of the metrics are part of the operator's interface (docs/operations.md).
import type { ChannelKind } from '../contract/signal/channel.js';
import type { AttemptState, WakeKind } from '../contract/wake.js';
import type { PushResult } from './channels.js';

export interface Metrics {
  countOperation(operation: string, outcome: string, durationMs: number): void;
  countSend(copies: number): void;
  waitParked(change: 1 | -1): void;
  wakeTook(ms: number): void;
  batchCommitted(commands: number, ms: number): void;
  /** A long read on SQLite, in its own thread; `queued` others are left. */
  readTook(ms: number, queued: number): void;
  copiesEnded(state: 'read' | 'expired' | 'dead_lettered', count: number): void;
  redelivered(count: number): void;
  copyReplayed(): void;
  /** A request without a valid key. Counted only: rows would let anyone fill the disk. */
  keyRefused(reason: string): void;
  auditStored(act: string): void;
  storeRefuses(isRefusing: boolean): void;
  /** Signal does not work with this secret. */
  secretMismatch(isMismatch: boolean): void;
  pushEnded(kind: ChannelKind, result: PushResult): void;
  /** An attempt to wake an agent began or changed its state. */
  wakeAttempt(kind: WakeKind, state: AttemptState, confirmedMs: number | null): void;
}
