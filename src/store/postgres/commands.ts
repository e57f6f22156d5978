// Every store method as it runs on the database, and its durability.
import type { Store } from '../../ports/store.js';
import * as rules from '../rules/commands.js';
import type { Tx } from './connection/transaction.js';
import { queryHistory } from './history/query-history.js';
import { readActivity } from './history/activity.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { undoLostLease, leaseAtOnce } from './inbox/lease-at-once.js';
import { findRead, hasLease, releaseLease, reopenLease } from './inbox/leases.js';
import { countUnread } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { recentCopies } from './inbox/recent-copies.js';
import { readAttachments } from './send/attachments.js';
import { noteSeen, recentlySeen } from './session/agents.js';
import { activeThreads, listThreads } from './thread/thread-rows.js';

/**
 * ordered: durable, and holds the session's order lock from the start. durable: answered after fsync; if the connection is
 * lost at the commit, the outcome is resolved. flushed: answered after fsync, because leases and reopened copies must
 * survive a crash. relaxed: may be lost when the server crashes, which costs at most a marked redelivery. read: one
 * snapshot. look: one statement, or several that need no common snapshot.
 */
type Durability = 'ordered' | 'durable' | 'flushed' | 'relaxed' | 'read' | 'look';

export type Method = Exclude<keyof Store, 'close' | 'appendMessage' | 'endWait'>;
type Argument<Name extends Method> = Parameters<Store[Name]>[0];
type Result<Name extends Method> = Awaited<ReturnType<Store[Name]>>;

const ordered = rules.rulesAwaited(rules.changes);
const durable = rules.rulesAwaited(rules.discards);
const flushed = { ...rules.rulesAwaited(rules.leases), reopenCopies: reopenLease };
const relaxed = { ...rules.rulesAwaited(rules.confirmations), releaseLease, noteSeen, reap };
const read = {
  ...rules.rulesAwaited(rules.reads),
  recentCopies,
  findRead,
  listThreads,
  activeThreads,
  readThreadMessages,
  queryHistory,
  readAttachments,
  readActivity,
};
const look = {
  ...rules.rulesAwaited(rules.looks),
  countUnread,
  readFeed,
  lastSeq,
  seqOf,
  recentlySeen,
  tallies,
};
const groups = { ordered, durable, flushed, relaxed, read, look };

const runs: { [Name in Method]: (tx: Tx, argument: Argument<Name>) => Promise<Result<Name>> } = {
  ...ordered,
  ...durable,
  ...flushed,
  ...relaxed,
  ...read,
  ...look,
};

// Safe: Object.keys does not keep the type of the names.
export const methods = Object.keys(runs) as Method[];

/**
 * `atOnce` handles the common case in one statement, or changes nothing and returns undefined; `undo` reverts it if its
 * answer was lost. `isDone` checks whether a flushed command was committed when its answer was lost.
 */
interface Extras<Name extends Method> {
  atOnce?: (tx: Tx, argument: Argument<Name>) => Promise<Result<Name> | undefined>;
  undo?: (tx: Tx, argument: Argument<Name>) => Promise<void>;
  isDone?: (tx: Tx, argument: Argument<Name>) => Promise<boolean>;
}

const extras: { [Name in Method]?: Extras<Name> } = {
  leaseCopies: { atOnce: leaseAtOnce, undo: undoLostLease, isDone: hasLease },
  takeResponses: { isDone: (tx, { reader, ...lease }) => hasLease(tx, { ...lease, agentId: reader }) },
};

export interface Command {
  durability: Durability;
  run: (tx: Tx, argument: unknown) => Promise<unknown>;
  atOnce?: (tx: Tx, argument: unknown) => Promise<unknown>;
  undo?: (tx: Tx, argument: unknown) => Promise<void>;
  isDone?: (tx: Tx, argument: unknown) => Promise<boolean>;
}

export function commandOf(method: Method): Command {
  const [durability] = Object.entries(groups).find(([, group]) => method in group) ?? [];
  // Safe: the typed store object made the pair of method and argument.
  return { durability, run: runs[method], ...extras[method] } as Command;
}
