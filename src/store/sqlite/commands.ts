// Every store method as the writer thread runs it, and its durability.
import type { Store } from '../../ports/store.js';
import * as rules from '../rules/commands.js';
import { queryHistory } from './history/query-history.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { findRead, releaseLease, reopenLease } from './inbox/leases.js';
import { countUnread, peekCopies } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { recentCopies } from './inbox/recent-copies.js';
import { appendMessage } from './send/append-message.js';
import { readAttachments } from './send/attachments.js';
import { packResult, unpackSend, type PackedSend } from './send/packed-send.js';
import { noteSeen, recentlySeen } from './session/agents.js';
import { listThreads } from './thread/thread-rows.js';
import type { Tx } from './writer/transaction.js';

/**
 * durable: answered after fsync. relaxed: survives a crash of the process, may be lost at power loss (a lost confirmation
 * costs a marked redelivery, a lost lease an unmarked one). read: runs after the batch's commit, outside its transaction.
 */
type Durability = 'durable' | 'relaxed' | 'read';

type Method = Exclude<keyof Store, 'close' | 'appendMessage'>;

/** Every method of the store but sends, which cross to the writer thread packed. */
type Commands = {
  [Name in Method]: (tx: Tx, argument: Parameters<Store[Name]>[0]) => Awaited<ReturnType<Store[Name]>>;
};

const { changes, discards, leases, confirmations, looks, reads } = rules;
const appendPacked = (tx: Tx, packed: PackedSend) => packResult(appendMessage(tx, unpackSend(packed)));
const inbox = { countUnread, peekCopies, recentCopies, findRead };
const history = { listThreads, readThreadMessages, queryHistory, readAttachments, readFeed, lastSeq, seqOf, tallies };

const durable = { appendPacked, ...rules.rulesNow({ ...changes, ...discards }) };
const relaxed = {
  ...rules.rulesNow({ ...leases, ...confirmations }),
  releaseLease,
  reopenCopies: reopenLease,
  noteSeen,
  reap,
};
const reading = { ...rules.rulesNow({ ...looks, ...reads }), ...inbox, ...history, recentlySeen };

const commandsByName: Commands & { appendPacked: typeof appendPacked } = { ...durable, ...relaxed, ...reading };

export type CommandName = keyof typeof commandsByName;

// Safe: Object.keys does not keep the type of the names.
export const commandNames = Object.keys(commandsByName) as CommandName[];

/** Looked up several times for every send. */
const durabilities = new Map(
  commandNames.map((name): [CommandName, Durability] => {
    return [name, name in durable ? 'durable' : name in relaxed ? 'relaxed' : 'read'];
  }),
);

export function durabilityOf(name: CommandName): Durability | undefined {
  return durabilities.get(name);
}

/** Safe without types: the typed store object made the pair of name and argument. */
export function runCommand(tx: Tx, name: CommandName, argument: unknown): unknown {
  const run = commandsByName[name] as (tx: Tx, argument: unknown) => unknown;
  return run(tx, argument);
}
