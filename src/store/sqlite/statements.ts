// The statements that rules use, on SQLite.
import type { PageQuery, Statements } from '../rules/statements.js';
import { bindStatements } from '../rules/steps.js';
import { deleteMessages, prunableMessages } from './history/delete-messages.js';
import { eraseMessage } from './history/erase-message.js';
import { findMessage, messagesOf, messagesWithin } from './history/message-rows.js';
import { readThreadMessages } from './history/read-history.js';
import { openingReadByAll } from './inbox/all-read.js';
import * as digest from './inbox/digest.js';
import { divideCopy } from './inbox/divide-copy.js';
import { endCopies } from './inbox/end-copies.js';
import { findEndedCopy } from './inbox/ended-copy.js';
import { fileCopies } from './inbox/file-copies.js';
import { keysOfLease, leasedById, leasedUpTo, leaseKeys } from './inbox/leases.js';
import { reopenCopies } from './inbox/open-again.js';
import { countUnread, freeCopies } from './inbox/read-inbox.js';
import { receiptsOf } from './inbox/receipts.js';
import { readWindow } from './search/search-messages.js';
import * as attachments from './send/attachments.js';
import * as idempotency from './send/idempotency.js';
import { forgetRoom, fullInboxes, haveRoomFor } from './send/inbox-room.js';
import { insertMessages } from './send/insert-message.js';
import * as turns from './send/turns.js';
import { auditStored, wakeAfterCommit } from './send/wake-after-commit.js';
import * as agents from './session/agents.js';
import { factsChange } from './session/facts-change.js';
import { groupMembers } from './session/groups.js';
import { notifySettings } from './session/notify-settings.js';
import * as sessions from './session/sessions.js';
import * as transfer from './session/transfer.js';
import * as critical from './thread/critical-rows.js';
import * as threads from './thread/thread-rows.js';
import type { SqlValue } from './writer/driver.js';
import type { Tx } from './writer/transaction.js';

const plain = {
  get: (tx: Tx, sql: string, values: readonly SqlValue[]) => tx.get(sql, values),
  all: (tx: Tx, sql: string, values: readonly SqlValue[]) => tx.all(sql, values),
  page: (tx: Tx, sql: string, { values }: PageQuery) => tx.page(sql, values),
  run: (tx: Tx, sql: string, values: readonly SqlValue[]) => tx.run(sql, values),
  sharedTime: (_tx: Tx, hubMs: number) => hubMs,
};
const session = { ...sessions, ...transfer, ...agents, factsChange, groupMembers, notifySettings };
const send = { ...turns, ...idempotency, ...attachments, fullInboxes, haveRoomFor, forgetRoom, insertMessages };
const inbox = { ...digest, countUnread, fileCopies, freeCopies, receiptsOf };
const thread = { ...threads, ...critical, openingReadByAll, wakeAfterCommit, auditStored };
const leases = { keysOfLease, leasedById, leasedUpTo, leaseKeys, endCopies, findEndedCopy, reopenCopies, divideCopy };
const history = {
  deleteMessages,
  prunableMessages,
  eraseMessage,
  findMessage,
  messagesOf,
  messagesWithin,
  readThreadMessages,
  readWindow,
};
const all = { ...plain, ...session, ...send, ...inbox, ...leases, ...thread, ...history };

export function statementsOf(tx: Tx): Statements {
  const bound: Omit<Statements, 'get' | 'all' | 'page'> = bindStatements(tx, all);
  // Safe: `get`, `all` and `page` are there; the caller gives the row type of the columns it selects.
  return bound as Statements;
}
