// The list of copies that could not be delivered. A letter leaves it by being replayed or discarded.
import { deadLetterIdOf } from '../../../contract/ids.js';
import type { DeadReason, Why } from '../../../contract/message.js';
import { deadLetterUnknown, decideReplay } from '../../../message/receipts/decide-replay.js';
import { lanes } from '../../../message/send/route.js';
import type { DeadLetterRecord, Store } from '../../../ports/store.js';
import { toRecord } from '../../rows/message-row.js';
import { isRegistered } from '../session/agents-known.js';
import { isGroup } from '../session/groups.js';
import { hasRoom } from '../send/inbox-room.js';
import { messageColumns, type MessageRow } from '../history/message-rows.js';
import { openAgain, wantsReceiptAgain } from './open-again.js';
import { findSession } from '../session/sessions.js';
import { findThread } from '../thread/thread-rows.js';
import type { Tx } from '../writer/transaction.js';

interface EndedRow {
  lane: number;
  why: Why;
  attempts: number;
  deliveredAt: number | null;
  receipt: number | null;
}

type LetterRow = MessageRow & { number: number; recipient: string; reason: DeadReason; ended_at: number };

const letterColumns = `d.id as number, d.recipient, d.reason, d.at as ended_at, ${messageColumns
  .split(', ')
  .map((column) => `m.${column}`)
  .join(', ')}`;

const letters = `select ${letterColumns} from dead_letter d
  join message m on m.session_id = d.session_id and m.seq = d.seq`;

function toLetter(tx: Tx, row: LetterRow): DeadLetterRecord {
  const { number, recipient, reason, ended_at: at } = row;
  return { number, recipient, reason, at, message: toRecord(row, findSession(tx, row.session_id)?.salt ?? 0) };
}

export function deadLetters(
  tx: Tx,
  { sessionId, limit, before }: Parameters<Store['deadLetters']>[0],
): Awaited<ReturnType<Store['deadLetters']>> {
  // uses dead_letter_by_session, then message_by_seq
  const rows = tx.all<LetterRow>(
    `${letters} where d.session_id = ? and d.id < ? order by d.id desc limit ?`,
    ...[sessionId, before ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  return { deadLetters: rows.slice(0, limit).map((row) => toLetter(tx, row)), hasMore: rows.length > limit };
}

function requireLetter(tx: Tx, sessionId: string, number: number): LetterRow {
  const row = tx.get<LetterRow>(`${letters} where d.session_id = ? and d.id = ?`, sessionId, number);
  if (row === undefined) throw deadLetterUnknown(deadLetterIdOf(number));
  return row;
}

/**
 * The ended copy is open again, in its old place: no second copy, so the sum of all states stays what was sent.
 * It keeps its attempts (what was handed out before comes marked) and begins anew to count leases that run out.
 */
export function replayDeadLetter(
  tx: Tx,
  { sessionId, number, now }: Parameters<Store['replayDeadLetter']>[0],
): Awaited<ReturnType<Store['replayDeadLetter']>> {
  const row = requireLetter(tx, sessionId, number);
  const { recipient, n, rank, seq } = row;
  // uses delivery's key
  const ended = tx.get<EndedRow>(
    `select d.lane, d.why, d.attempts, d.delivered_at as deliveredAt, ${wantsReceiptAgain} as receipt
     from delivery d join message m on m.n = d.n where d.n = ? and d.agent_id = ? and d.session_id = ?`,
    ...[n, recipient, sessionId],
  );
  if (ended === undefined) throw new Error(`dead letter ${number} has no ended copy`);
  const { lane, why, attempts, deliveredAt, receipt: wantsReceipt } = ended;
  const { expiresAt } = decideReplay({
    number,
    recipient,
    isRegistered: isRegistered(tx, sessionId, recipient),
    isGroup: isGroup(tx, sessionId, recipient),
    hasRoom: lane !== lanes.waking || hasRoom(tx, sessionId, recipient),
    thread: row.thread_id === null ? null : (findThread(tx, sessionId, row.thread_id) ?? null),
    expiresAt: row.expires_at,
    now,
  });
  const place = { sessionId, agentId: recipient, lane, rank, seq, n };
  openAgain(tx, { ...place, why, attempts, deliveredAt, expiresAt, wantsReceipt });
  remove(tx, sessionId, number);
  return { letter: toLetter(tx, row), isWaking: lane === lanes.waking };
}

export function discardDeadLetter(
  tx: Tx,
  { sessionId, number }: Parameters<Store['discardDeadLetter']>[0],
): DeadLetterRecord {
  const row = requireLetter(tx, sessionId, number);
  remove(tx, sessionId, number);
  return toLetter(tx, row);
}

function remove(tx: Tx, sessionId: string, number: number): void {
  tx.run('delete from dead_letter where session_id = ? and id = ?', sessionId, number);
}
