// Replays or discards a dead letter, which removes it from the list.
import { deadLetterIdOf } from '../../contract/ids.js';
import { deadLetterUnknown, decideReplay } from '../../message/receipts/decide-replay.js';
import { lanes } from '../../message/send/route.js';
import type { DeadLetterRecord, Store } from '../../ports/store.js';
import { toLetter, type LetterRow } from '../rows/letter-row.js';
import { isGroup } from './groups.js';
import { isRegistered } from './sessions.js';
import type { Statements } from './statements.js';
import { deleteDeadLetter, findDeadLetter } from '../sql/dead-letters.js';
import type { Steps } from './steps.js';

function* requireLetter(tx: Statements, sessionId: string, number: number): Steps<LetterRow> {
  const row = yield* findDeadLetter(tx, sessionId, number);
  if (row === undefined) throw deadLetterUnknown(deadLetterIdOf(number));
  return row;
}

/**
 * Reopens the ended copy at its old position. No second copy is made, so the number of copies stays what was sent.
 * The copy keeps its attempts, so it is marked as redelivered if it was handed out before. Expired leases are counted from
 * zero again.
 */
export function* replayDeadLetter(
  tx: Statements,
  { sessionId, number, now }: Parameters<Store['replayDeadLetter']>[0],
): Steps<{ letter: DeadLetterRecord; isWaking: boolean }> {
  const row = yield* requireLetter(tx, sessionId, number);
  const { recipient, rank, seq, thread_id: threadId } = row;
  const inbox = { sessionId, agentId: recipient };
  const ended = yield* tx.findEndedCopy(inbox, seq);
  if (ended === undefined) throw new Error(`dead letter ${number} has no ended copy`);
  const { lane, wantsReceipt } = ended;
  const isWaking = lane === lanes.waking;
  const full = isWaking ? yield* tx.fullInboxes(sessionId, [recipient]) : [];
  const { expiresAt } = decideReplay({
    number,
    recipient,
    isRegistered: yield* isRegistered(tx, sessionId, recipient),
    isGroup: yield* isGroup(tx, sessionId, recipient),
    hasRoom: full.length === 0,
    thread: threadId === null ? null : ((yield* tx.findThread(sessionId, threadId)) ?? null),
    expiresAt: row.expires_at,
    now,
  });
  yield* removeLetter(tx, sessionId, number);
  yield* tx.forgetRoom(sessionId);
  yield* tx.reopenCopies(inbox, [{ key: { lane, rank, seq }, expiresAt, wantsReceipt }]);
  return { letter: toLetter(row), isWaking };
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
