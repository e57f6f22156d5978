// What the clients of a fault run say happened: one JSON line per event, appended before the client acts on the bytes
// (load/history-writer.mjs). This file knows the form of a line and reads a whole run back.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `fail` is a refusal with a code. A time-out, a cut connection or a death is `unknown`: it may have happened. */
type EventType = 'invoke' | 'ok' | 'fail' | 'unknown';

export interface SeenCopy {
  id: string;
  seq: number;
  /** The sender's own name for the message; the hub's notices have none. */
  uid?: string;
  threadId?: string;
  /** Place before `seq` in the inbox order, as in the hub: 0 interrupt, 1 high, 2 normal (when left out), 3 low. */
  rank?: number;
  redelivered?: boolean;
  attempt?: number;
}

export interface CallArguments {
  /** Who calls. */
  agent?: string;
  uid?: string;
  key?: string;
  threadId?: string;
  /** Everyone who must get a copy. */
  to?: string[];
  ttlMs?: number;
  ack?: 'auto' | 'manual';
  for?: 'mentions' | 'all';
  timeoutMs?: number;
  limit?: number;
  /** A feed's place: the seq it goes on after. */
  after?: number;
}

export interface HistoryEvent {
  process: string;
  /** Ties an outcome to its invoke, within the process. */
  call: number;
  connection?: number;
  hub: string;
  operation: string;
  type: EventType;
  /** Of the clock that all processes of a machine share. */
  atUs: number;
  args?: CallArguments;
  result?: { id?: string; seq?: number; duplicate?: boolean; timedOut?: boolean; waitedMs?: number };
  copies?: SeenCopy[];
  /** Of a refusal. */
  code?: string;
  /** Of an unknown outcome. */
  reason?: string;
}

/** One list per process, in the order it was written. */
export function loadHistories(folder: string): HistoryEvent[][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.toSorted().map((name) => parseHistory(readFileSync(join(folder, name), 'utf8')));
}

/** A process that died while it wrote leaves half a line at the end: then it had not acted on those bytes either. */
export function parseHistory(text: string): HistoryEvent[] {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as HistoryEvent);
}
