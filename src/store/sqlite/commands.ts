// Every store method as the writer's or the reader's thread runs it, and its durability.
import type { Store } from '../../ports/store.js';
import * as rules from '../rules/commands.js';
import { queryHistory } from './history/query-history.js';
import { readActivity } from './history/activity.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { findRead, releaseLease, reopenLease } from './inbox/leases.js';
import { endWait, leaseCopies } from './inbox/hand-over.js';
import { countUnread } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { recentCopies } from './inbox/recent-copies.js';
import { appendMessage } from './send/append-message.js';
import { readAttachments } from './send/attachments.js';
import { packResult, unpackSend, type PackedSend } from './send/packed-send.js';
import { noteSeen, recentlySeen } from './session/agents.js';
import { activeThreads, listThreads } from './thread/thread-rows.js';
import type { Tx } from './writer/transaction.js';

/**
 * durable: answered after fsync. relaxed: survives a crash of the process, may be lost at power loss (which
 * costs a marked redelivery: see run-marker.ts). read: short, or part of a delivery; the writer runs it after the
 * batch's commit, outside its transaction. long: may read much; runs in the reader's thread, and no send waits for it.
 */
type Durability = 'durable' | 'relaxed' | 'read' | 'long';

type Method = Exclude<keyof Store, 'close' | 'appendMessage'>;

/** Every method of the store but sends, which cross to the writer thread packed. */
type Commands = {
  [Name in Method]: (tx: Tx, argument: Parameters<Store[Name]>[0]) => Awaited<ReturnType<Store[Name]>>;
};

const { changes, discards, leases, confirmations, looks, reads } = rules;
const appendPacked = (tx: Tx, packed: PackedSend) => packResult(appendMessage(tx, unpackSend(packed)));
const inbox = { countUnread, recentCopies, findRead };
const history = {
  listThreads,
  activeThreads,
  readThreadMessages,
  queryHistory,
  readAttachments,
  readActivity,
  readFeed,
  lastSeq,
  seqOf,
  tallies,
};

const durable = { appendPacked, ...rules.rulesNow({ ...changes, ...discards }) };
const relaxed = {
  ...rules.rulesNow({ ...leases, ...confirmations }),
  leaseCopies,
  endWait,
  releaseLease,
  reopenCopies: reopenLease,
  noteSeen,
  reap,
};
const reading = { ...rules.rulesNow({ ...looks, ...reads }), ...inbox, ...history, recentlySeen };

const commandsByName: Commands & { appendPacked: typeof appendPacked } = { ...durable, ...relaxed, ...reading };

export type CommandName = keyof typeof commandsByName;

/** The reads that grow with what is stored, with the length of a page or with the size of its messages. */
const longReads: ReadonlySet<string> = new Set([
  'searchMessages',
  'queryHistory',
  'readThreadMessages',
  'listThreads',
  'activeThreads',
  'recentCopies',
  'readActivity',
  'readFeed',
  'readAttachment',
  'readAttachments',
  'receipts',
  'openingReceipts',
  'deadLetters',
  'listAgents',
  'listGroups',
  'listSessions',
  'listKeys',
  'listAudit',
  'listSignals',
  'listWakes',
  'wakesAnnouncing',
  'exportHead',
  'exportMessages',
  'exportState',
  'importPart',
  'tallies',
  'inboxesToFile',
] satisfies (keyof typeof reading)[]);

/** They go after the others, except for one now and then. */
const slowReads: ReadonlySet<CommandName> = new Set(['searchMessages', 'exportMessages', 'exportState']);

export function isSlow(name: CommandName): boolean {
  return slowReads.has(name);
}

// Safe: Object.keys does not keep the type of the names.
export const commandNames = Object.keys(commandsByName) as CommandName[];

/** Looked up several times for every send. */
const durabilities = new Map(
  commandNames.map((name): [CommandName, Durability] => {
    return [name, name in durable ? 'durable' : name in relaxed ? 'relaxed' : longReads.has(name) ? 'long' : 'read'];
  }),
);

export function durabilityOf(name: CommandName): Durability | undefined {
  return durabilities.get(name);
}

/** A batch runs its writes in one transaction, and its reads after the commit. */
export type CallKind = 'writes' | 'reads';

export function kindOf(name: CommandName): CallKind {
  const durability = durabilityOf(name);
  return durability === 'read' || durability === 'long' ? 'reads' : 'writes';
}

/** Safe without types: the typed store object made the pair of name and argument. */
export function runCommand(tx: Tx, name: CommandName, argument: unknown): unknown {
  const run = commandsByName[name] as (tx: Tx, argument: unknown) => unknown;
  return run(tx, argument);
}
