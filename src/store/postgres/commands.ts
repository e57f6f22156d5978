// Every store method as it runs on the database, and what it needs: a look, one consistent view, or a transaction.
import type { Store } from '../../ports/store.js';
import { listAgents, registerAgent, removeAgent } from '../rules/agents.js';
import { readAttachment } from '../rules/attachments.js';
import { discardDeadLetter, replayDeadLetter } from '../rules/dead-letters.js';
import { listGroups, removeGroup, setGroups } from '../rules/groups.js';
import { confirmLease, leaseCopies } from '../rules/leases.js';
import { readNotifyPrefs, readNotifyTemplates, setNotifyPrefs, setNotifyTemplate } from '../rules/notify-settings.js';
import { takeResponses } from '../rules/responses.js';
import type { Statements } from '../rules/statements.js';
import { runAwaited, type Steps } from '../rules/steps.js';
import { changeThread, createThread } from '../rules/threads.js';
import { deadLetters } from './inbox/dead-letters.js';
import { findLease, findLeased, findRead, hasLease, releaseLease, reopenLease } from './inbox/leases.js';
import { readAttachments } from './send/attachments.js';
import { findAgent, noteSeen, recentlySeen } from './session/agents.js';
import { giveBackLost, leaseAtOnce } from './inbox/lease-at-once.js';
import { queryHistory } from './history/query-history.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { countUnread, peekCopies } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { openingReceipts, receipts } from './inbox/receipts.js';
import { recentCopies } from './inbox/recent-copies.js';
import { searchMessages } from './search/search-messages.js';
import { findThread, listThreads } from './thread/thread-rows.js';
import type { Tx } from './connection/transaction.js';

/**
 * ordered: a durable transaction that holds its session's order from the start. durable: answered after fsync, whatever
 * becomes of the connection. flushed: answered after fsync: what was handed out must be known to have been, and what is to
 * come again must come. relaxed: may be lost when the server dies, which costs a marked redelivery at most. reads: one
 * consistent view. looks: one statement, or several that need not agree.
 */
export type Worth = 'ordered' | 'durable' | 'flushed' | 'relaxed' | 'reads' | 'looks';

export type Method = Exclude<keyof Store, 'close' | 'appendMessage'>;
type Argument<Name extends Method> = Parameters<Store[Name]>[0];
type Result<Name extends Method> = Awaited<ReturnType<Store[Name]>>;

type Run<Name extends Method> = (tx: Tx, argument: Argument<Name>) => Promise<Result<Name>>;
/**
 * `atOnce` does the everyday case in one statement, or nothing and answers undefined; `undo` takes back what one of these
 * did whose answer was lost. `isDone` tells of one that is flushed whether an attempt whose answer was lost was committed.
 */
type Command<Name extends Method> = {
  worth: Worth;
  run: Run<Name>;
  atOnce?: (tx: Tx, argument: Argument<Name>) => Promise<Result<Name> | undefined>;
  undo?: (tx: Tx, argument: Argument<Name>) => Promise<void>;
  isDone?: (tx: Tx, argument: Argument<Name>) => Promise<boolean>;
};

/** A rule that both stores share. */
function rule<Argument, Result>(run: (tx: Statements, argument: Argument) => Steps<Result>) {
  return (tx: Tx, argument: Argument): Promise<Result> => runAwaited(run(tx.statements, argument));
}

const ordered = <Name extends Method>(run: Run<Name>): Command<Name> => ({ worth: 'ordered', run });
const durable = <Name extends Method>(run: Run<Name>): Command<Name> => ({ worth: 'durable', run });
const flushed = <Name extends Method>(run: Run<Name>): Command<Name> => ({ worth: 'flushed', run });
const relaxed = <Name extends Method>(run: Run<Name>): Command<Name> => ({ worth: 'relaxed', run });
const reads = <Name extends Method>(run: Run<Name>): Command<Name> => ({ worth: 'reads', run });
const looks = <Name extends Method>(run: Run<Name>): Command<Name> => ({ worth: 'looks', run });

export const commands: { [Name in Method]: Command<Name> } = {
  createThread: ordered(rule(createThread)),
  changeThread: ordered(rule(changeThread)),
  registerAgent: ordered(rule(registerAgent)),
  removeAgent: ordered(rule(removeAgent)),
  setGroups: ordered(rule(setGroups)),
  removeGroup: ordered(rule(removeGroup)),
  replayDeadLetter: ordered(rule(replayDeadLetter)),
  setNotifyPrefs: ordered(rule(setNotifyPrefs)),
  setNotifyTemplate: ordered(rule(setNotifyTemplate)),
  discardDeadLetter: durable(rule(discardDeadLetter)),
  noteSeen: relaxed(noteSeen),
  leaseCopies: { ...flushed(rule(leaseCopies)), atOnce: leaseAtOnce, undo: giveBackLost, isDone: hasLease },
  takeResponses: {
    ...flushed(rule(takeResponses)),
    isDone: (tx, { reader, ...lease }) => hasLease(tx, { ...lease, agentId: reader }),
  },
  confirmLease: relaxed(rule(confirmLease)),
  releaseLease: relaxed(releaseLease),
  reopenCopies: flushed(reopenLease),
  reap: relaxed(reap),
  findAgent: looks(async (tx, { sessionId, id }) => (await findAgent(tx, sessionId, id)) ?? null),
  countUnread: looks(countUnread),
  readFeed: looks(readFeed),
  lastSeq: looks(lastSeq),
  seqOf: looks(seqOf),
  recentlySeen: looks(recentlySeen),
  tallies: looks(tallies),
  listAgents: reads(rule(listAgents)),
  listGroups: reads(rule(listGroups)),
  deadLetters: reads(deadLetters),
  peekCopies: reads(peekCopies),
  recentCopies: reads(recentCopies),
  findLease: reads(findLease),
  findLeased: reads(findLeased),
  findRead: reads(findRead),
  receipts: reads(receipts),
  readNotifyPrefs: reads(rule(readNotifyPrefs)),
  readNotifyTemplates: reads(rule(readNotifyTemplates)),
  openingReceipts: reads(openingReceipts),
  readThread: reads(async (tx, { sessionId, threadId }) => (await findThread(tx, sessionId, threadId)) ?? null),
  listThreads: reads(listThreads),
  readThreadMessages: reads(readThreadMessages),
  queryHistory: reads(queryHistory),
  searchMessages: reads(searchMessages),
  readAttachment: reads(rule(readAttachment)),
  readAttachments: reads(readAttachments),
};
