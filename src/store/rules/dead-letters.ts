// Replays or discards a dead letter, which removes it from the list.
import { deadLetterIdOf } from '../../contract/ids.js';
import { deadLetterUnknown, decideRecipients, decideReplay } from '../../message/receipts/decide-replay.js';
import { lanes } from '../../message/send/route.js';
import type { DeadLetterRecord, Store } from '../../ports/store.js';
import { toLetter, type LetterRow } from '../rows/letter-row.js';
import { membersOf } from './groups.js';
import { isRegistered as isAgent } from './sessions.js';
import type { Statements } from './statements.js';
import { deleteDeadLetter, findDeadLetter } from '../sql/dead-letters.js';
import type { Steps } from './steps.js';

function* requireLetter(tx: Statements, sessionId: string, number: number): Steps<LetterRow> {
  const row = yield* findDeadLetter(tx, sessionId, number);
  if (row === undefined) throw deadLetterUnknown(deadLetterIdOf(number));
  return row;
}

/**
 * Reopens the ended copy at its old position. No second copy is made, so the number of copies stays what was sent; only a
 * letter to a group that was empty becomes one copy for each of its members. A copy keeps its attempts, so it is marked as
 * redelivered if it was handed out before. Expired leases are counted from zero again.
 */
export function* replayDeadLetter(
  tx: Statements,
  { sessionId, number, now }: Parameters<Store['replayDeadLetter']>[0],
): Steps<Awaited<ReturnType<Store['replayDeadLetter']>>> {
  const row = yield* requireLetter(tx, sessionId, number);
  const { recipient, rank, seq, reason, thread_id: threadId } = row;
  const inbox = { sessionId, agentId: recipient };
  const ended = yield* tx.findEndedCopy(inbox, seq);
  if (ended === undefined) throw new Error(`dead letter ${number} has no ended copy`);
  const { lane, wantsReceipt } = ended;
  const isWaking = lane === lanes.waking;
  const isRegistered = yield* isAgent(tx, sessionId, recipient);
  const members = yield* membersBut(tx, { sessionId, name: recipient, now }, row.sender);
  const recipients = decideRecipients({ number, recipient, reason, isRegistered, members });
  const { expiresAt } = decideReplay({
    number,
    recipients,
    full: isWaking ? yield* tx.fullInboxes(sessionId, recipients) : [],
    thread: threadId === null ? null : ((yield* tx.findThread(sessionId, threadId)) ?? null),
    expiresAt: row.expires_at,
    now,
  });
  yield* removeLetter(tx, sessionId, number);
  yield* tx.forgetRoom(sessionId);
  const copy = { key: { lane, rank, seq }, expiresAt, wantsReceipt };
  if (isRegistered) yield* tx.reopenCopies(inbox, [copy]);
  else yield* tx.divideCopy(inbox, copy, recipients);
  return { letter: toLetter(row), recipients, isWaking };
}

/** The registered members but the sender; null if there is no such group. */
function* membersBut(
  tx: Statements,
  group: { sessionId: string; name: string; now: number },
  sender: string,
): Steps<string[] | null> {
  const members = yield* membersOf(tx, group);
  if (members === undefined) return null;
  const registered = yield* tx.agentFacts(group.sessionId, members);
  return members.filter((id) => id !== sender && registered.has(id));
}

export function* discardDeadLetter(
  tx: Statements,
  { sessionId, number }: Parameters<Store['discardDeadLetter']>[0],
): Steps<DeadLetterRecord> {
  const row = yield* requireLetter(tx, sessionId, number);
  yield* removeLetter(tx, sessionId, number);
  return toLetter(row);
}

/** Fails if another caller removed it first. */
function* removeLetter(tx: Statements, sessionId: string, number: number): Steps<void> {
  if (!(yield* deleteDeadLetter(tx, sessionId, number))) throw deadLetterUnknown(deadLetterIdOf(number));
}
