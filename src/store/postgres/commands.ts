// Every store method as it runs on the database, and what it needs: a look, one consistent view, or a transaction.
import type { Store } from '../../ports/store.js';
import * as rules from '../rules/commands.js';
import type { Tx } from './connection/transaction.js';
import { queryHistory } from './history/query-history.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { giveBackLost, leaseAtOnce } from './inbox/lease-at-once.js';
import { findRead, hasLease, releaseLease, reopenLease } from './inbox/leases.js';
import { countUnread, peekCopies } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { recentCopies } from './inbox/recent-copies.js';
import { readAttachments } from './send/attachments.js';
import { noteSeen, recentlySeen } from './session/agents.js';
import { listThreads } from './thread/thread-rows.js';

/**
 * ordered: a durable transaction that holds its session's order from the start. durable: answered after fsync, and its
 * outcome is found out if the connection breaks. flushed: answered after fsync: a lease, and what is to come again, must
 * be known after a crash. relaxed: may be lost when the server dies, which costs a marked redelivery at most. read: one
 * consistent view. look: one statement, or several that need not agree.
 */
type Durability = 'ordered' | 'durable' | 'flushed' | 'relaxed' | 'read' | 'look';

export type Method = Exclude<keyof Store, 'close' | 'appendMessage'>;
type Argument<Name extends Method> = Parameters<Store[Name]>[0];
type Result<Name extends Method> = Awaited<ReturnType<Store[Name]>>;

const ordered = rules.rulesAwaited(rules.changes);
const durable = rules.rulesAwaited(rules.discards);
const flushed = { ...rules.rulesAwaited(rules.leases), reopenCopies: reopenLease };
const relaxed = { ...rules.rulesAwaited(rules.confirmations), releaseLease, noteSeen, reap };
const read = {
  ...rules.rulesAwaited(rules.reads),
  peekCopies,
  recentCopies,
  findRead,
  listThreads,
  readThreadMessages,
  queryHistory,
  readAttachments,
};
const look = { ...rules.rulesAwaited(rules.looks), countUnread, readFeed, lastSeq, seqOf, recentlySeen, tallies };
const groups = { ordered, durable, flushed, relaxed, read, look };

const runs: { [Name in Method]: (tx: Tx, argument: Argument<Name>) => Promise<Result<Name>> } = {
  ...ordered,
  ...durable,
  ...flushed,
  ...relaxed,
  ...read,
  ...look,
};

// Object.keys forgets that these are the methods' names.
export const methods = Object.keys(runs) as Method[];

/**
 * `atOnce` does the everyday case in one statement, or does nothing and returns undefined; `undo` takes back one whose
 * answer was lost. `isDone` tells whether a flushed command whose answer was lost was committed.
 */
interface Extras<Name extends Method> {
  atOnce?: (tx: Tx, argument: Argument<Name>) => Promise<Result<Name> | undefined>;
  undo?: (tx: Tx, argument: Argument<Name>) => Promise<void>;
  isDone?: (tx: Tx, argument: Argument<Name>) => Promise<boolean>;
}

const extras: { [Name in Method]?: Extras<Name> } = {
  leaseCopies: { atOnce: leaseAtOnce, undo: giveBackLost, isDone: hasLease },
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
  // The pair of method and argument was made by the typed store object.
  return { durability, run: runs[method], ...extras[method] } as Command;
}
