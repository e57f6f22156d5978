// Every store method as the writer thread runs it, and what its commit must be worth.
import type { Store } from '../../ports/store.js';
import { listAgents, registerAgent, removeAgent } from '../rules/agents.js';
import { readAttachment } from '../rules/attachments.js';
import { discardDeadLetter, replayDeadLetter } from '../rules/dead-letters.js';
import { listGroups, removeGroup, setGroups } from '../rules/groups.js';
import { confirmLease, leaseCopies } from '../rules/leases.js';
import { readNotifyPrefs, readNotifyTemplates, setNotifyPrefs, setNotifyTemplate } from '../rules/notify-settings.js';
import { takeResponses } from '../rules/responses.js';
import type { Statements } from '../rules/statements.js';
import { runNow, type Steps } from '../rules/steps.js';
import { changeThread, createThread } from '../rules/threads.js';
import { findAgent, noteSeen, recentlySeen } from './session/agents.js';
import { appendMessage } from './send/append-message.js';
import { readAttachments } from './send/attachments.js';
import { deadLetters } from './inbox/dead-letters.js';
import { findLease, findLeased, findRead, releaseLease, reopenLease } from './inbox/leases.js';
import { queryHistory } from './history/query-history.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { countUnread, peekCopies } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { openingReceipts, receipts } from './inbox/receipts.js';
import { recentCopies } from './inbox/recent-copies.js';
import { packResult, unpackSend, type PackedResult, type PackedSend } from './send/packed-send.js';
import { searchMessages } from './search/search-messages.js';
import { findThread, listThreads } from './thread/thread-rows.js';
import type { Tx } from './writer/transaction.js';

/**
 * durable: answered after fsync. relaxed: survives the process, may be lost with the machine's power (a lost
 * confirmation costs a marked redelivery, a lost lease an unmarked one). reads: runs after the batch's commit, outside its transaction.
 */
type Worth = 'durable' | 'relaxed' | 'reads';

type Method = Exclude<keyof Store, 'close'>;
type Argument<Name extends Method> = Parameters<Store[Name]>[0];
type Result<Name extends Method> = Awaited<ReturnType<Store[Name]>>;

type Command<Name extends Method> = { worth: Worth; run(tx: Tx, argument: Argument<Name>): Result<Name> };

export type CommandName = Exclude<Method, 'appendMessage'> | 'appendPacked';

/** appendMessage as it crosses to the writer thread. */
type AppendPacked = {
  worth: Worth;
  run(tx: Tx, packed: PackedSend): PackedResult;
};

const appendPacked: AppendPacked = {
  worth: 'durable',
  run: (tx, packed) => packResult(appendMessage(tx, unpackSend(packed))),
};

/** A rule that both stores share. */
function rule<Argument, Result>(run: (tx: Statements, argument: Argument) => Steps<Result>) {
  return (tx: Tx, argument: Argument): Result => runNow(run(tx.statements, argument));
}

const durable = <Name extends Method>(run: Command<Name>['run']): Command<Name> => ({ worth: 'durable', run });
const relaxed = <Name extends Method>(run: Command<Name>['run']): Command<Name> => ({ worth: 'relaxed', run });
const reads = <Name extends Method>(run: Command<Name>['run']): Command<Name> => ({ worth: 'reads', run });

export const commands: { [Name in Exclude<Method, 'appendMessage'>]: Command<Name> } & { appendPacked: AppendPacked } =
  {
    appendPacked,
    createThread: durable(rule(createThread)),
    changeThread: durable(rule(changeThread)),
    registerAgent: durable(rule(registerAgent)),
    removeAgent: durable(rule(removeAgent)),
    setGroups: durable(rule(setGroups)),
    removeGroup: durable(rule(removeGroup)),
    replayDeadLetter: durable(rule(replayDeadLetter)),
    discardDeadLetter: durable(rule(discardDeadLetter)),
    noteSeen: relaxed(noteSeen),
    leaseCopies: relaxed(rule(leaseCopies)),
    takeResponses: relaxed(rule(takeResponses)),
    confirmLease: relaxed(rule(confirmLease)),
    releaseLease: relaxed(releaseLease),
    reopenCopies: relaxed(reopenLease),
    reap: relaxed(reap),
    findAgent: reads((tx, { sessionId, id }) => findAgent(tx, sessionId, id) ?? null),
    listAgents: reads(rule(listAgents)),
    listGroups: reads(rule(listGroups)),
    deadLetters: reads(deadLetters),
    recentlySeen: reads(recentlySeen),
    peekCopies: reads(peekCopies),
    recentCopies: reads(recentCopies),
    findLease: reads(findLease),
    findLeased: reads(findLeased),
    findRead: reads(findRead),
    countUnread: reads(countUnread),
    receipts: reads(receipts),
    setNotifyPrefs: durable(rule(setNotifyPrefs)),
    readNotifyPrefs: reads(rule(readNotifyPrefs)),
    setNotifyTemplate: durable(rule(setNotifyTemplate)),
    readNotifyTemplates: reads(rule(readNotifyTemplates)),
    openingReceipts: reads(openingReceipts),
    readThread: reads((tx, { sessionId, threadId }) => findThread(tx, sessionId, threadId) ?? null),
    listThreads: reads(listThreads),
    readThreadMessages: reads(readThreadMessages),
    queryHistory: reads(queryHistory),
    searchMessages: reads(searchMessages),
    readAttachment: reads(rule(readAttachment)),
    readAttachments: reads(readAttachments),
    readFeed: reads(readFeed),
    lastSeq: reads(lastSeq),
    seqOf: reads(seqOf),
    tallies: reads(tallies),
  };
