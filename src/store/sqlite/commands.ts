// Every store method as the writer thread runs it, and what its commit must be worth.
import type { Store } from '../../ports/store.js';
import { findAgent, listAgents, noteSeen, recentlySeen, registerAgent, removeAgent } from './session/agents.js';
import { appendMessage } from './send/append-message.js';
import { readAttachment, readAttachments } from './send/attachments.js';
import { changeThread, createThread } from './thread/change-threads.js';
import { deadLetters, discardDeadLetter, replayDeadLetter } from './inbox/dead-letters.js';
import { listGroups, removeGroup, setGroups } from './session/groups.js';
import {
  confirmLease,
  findLease,
  findLeased,
  findRead,
  leaseCopies,
  releaseLease,
  reopenCopies,
} from './inbox/leases.js';
import { queryHistory } from './history/query-history.js';
import { readNotifyPrefs, readNotifyTemplates, setNotifyPrefs, setNotifyTemplate } from './session/notify-settings.js';
import { lastSeq, readFeed, readThreadMessages, seqOf, tallies } from './history/read-history.js';
import { countUnread, peekCopies } from './inbox/read-inbox.js';
import { reap } from './inbox/reap.js';
import { openingReceipts, receipts } from './inbox/receipts.js';
import { recentCopies } from './inbox/recent-copies.js';
import { packResult, unpackSend, type PackedResult, type PackedSend } from './send/send-wire.js';
import { searchMessages } from './search/search-messages.js';
import { takeResponses } from './thread/take-responses.js';
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

const durable = <Name extends Method>(run: Command<Name>['run']): Command<Name> => ({ worth: 'durable', run });
const relaxed = <Name extends Method>(run: Command<Name>['run']): Command<Name> => ({ worth: 'relaxed', run });
const reads = <Name extends Method>(run: Command<Name>['run']): Command<Name> => ({ worth: 'reads', run });

export const commands: { [Name in Exclude<Method, 'appendMessage'>]: Command<Name> } & { appendPacked: AppendPacked } =
  {
    appendPacked,
    createThread: durable(createThread),
    changeThread: durable(changeThread),
    registerAgent: durable(registerAgent),
    removeAgent: durable(removeAgent),
    setGroups: durable(setGroups),
    removeGroup: durable(removeGroup),
    replayDeadLetter: durable(replayDeadLetter),
    discardDeadLetter: durable(discardDeadLetter),
    noteSeen: relaxed(noteSeen),
    leaseCopies: relaxed(leaseCopies),
    takeResponses: relaxed(takeResponses),
    confirmLease: relaxed(confirmLease),
    releaseLease: relaxed(releaseLease),
    reopenCopies: relaxed(reopenCopies),
    reap: relaxed(reap),
    findAgent: reads((tx, { sessionId, id }) => findAgent(tx, sessionId, id) ?? null),
    listAgents: reads(listAgents),
    listGroups: reads(listGroups),
    deadLetters: reads(deadLetters),
    recentlySeen: reads(recentlySeen),
    peekCopies: reads(peekCopies),
    recentCopies: reads(recentCopies),
    findLease: reads(findLease),
    findLeased: reads(findLeased),
    findRead: reads(findRead),
    countUnread: reads(countUnread),
    receipts: reads(receipts),
    setNotifyPrefs: durable(setNotifyPrefs),
    readNotifyPrefs: reads(readNotifyPrefs),
    setNotifyTemplate: durable(setNotifyTemplate),
    readNotifyTemplates: reads(readNotifyTemplates),
    openingReceipts: reads(openingReceipts),
    readThread: reads((tx, { sessionId, threadId }) => findThread(tx, sessionId, threadId) ?? null),
    listThreads: reads(listThreads),
    readThreadMessages: reads(readThreadMessages),
    queryHistory: reads(queryHistory),
    searchMessages: reads(searchMessages),
    readAttachment: reads(readAttachment),
    readAttachments: reads(readAttachments),
    readFeed: reads(readFeed),
    lastSeq: reads(lastSeq),
    seqOf: reads(seqOf),
    tallies: reads(tallies),
  };
