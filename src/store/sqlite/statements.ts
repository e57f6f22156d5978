// All statements that rules ask for, as SQLite runs them.
import type { Statements } from '../rules/statements.js';
import { bindStatements } from '../rules/steps.js';
import { findMessage } from './history/message-rows.js';
import { readThreadMessages } from './history/read-history.js';
import * as allRead from './inbox/all-read.js';
import * as deadLetters from './inbox/dead-letters.js';
import * as digest from './inbox/digest.js';
import { endCopies } from './inbox/end-copies.js';
import { leaseKeys } from './inbox/leases.js';
import { reopenCopies } from './inbox/open-again.js';
import { countUnread, freeCopies, lookAgain } from './inbox/read-inbox.js';
import { wakeAfterCommit } from './send/append-message.js';
import * as attachments from './send/attachments.js';
import * as idempotency from './send/idempotency.js';
import { forgetRoom, fullInboxes, haveRoomFor } from './send/inbox-room.js';
import { insertMessages } from './send/insert-message.js';
import { targetNames } from './send/target-names.js';
import * as turns from './send/turns.js';
import * as agents from './session/agents.js';
import * as groups from './session/groups.js';
import * as notifySettings from './session/notify-settings.js';
import * as sessions from './session/sessions.js';
import * as critical from './thread/critical-rows.js';
import * as threads from './thread/thread-rows.js';
import type { Tx } from './writer/transaction.js';

const all = {
  ...sessions,
  ...agents,
  ...groups,
  ...notifySettings,
  ...idempotency,
  ...turns,
  ...attachments,
  ...threads,
  ...critical,
  ...digest,
  ...deadLetters,
  ...allRead,
  findMessage,
  readThreadMessages,
  targetNames,
  fullInboxes,
  haveRoomFor,
  forgetRoom,
  insertMessages,
  wakeAfterCommit,
  countUnread,
  freeCopies,
  lookAgain,
  leaseKeys,
  endCopies,
  reopenCopies,
};

export function statementsOf(tx: Tx): Statements {
  return bindStatements(tx, all);
}
