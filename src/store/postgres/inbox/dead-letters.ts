// The list of copies that could not be delivered. A letter leaves it by being replayed or discarded.
import { deadLetterIdOf } from '../../../contract/ids.js';
import type { DeadReason } from '../../../contract/message.js';
import { deadLetterUnknown, decideReplay } from '../../../message/receipts/decide-replay.js';
import { lanes } from '../../../message/send/route.js';
import type { DeadLetterRecord, Store } from '../../../ports/store.js';
import { toRecord, type MessageRow } from '../../rows/message-row.js';
import { isRegistered } from '../session/agents-known.js';
import { isGroup } from '../session/groups.js';
import { hasRoom } from '../send/inbox-room.js';
import { columnsOf } from '../history/message-rows.js';
import { isOpening, openAgain, wantsReceiptAgain } from './open-again.js';
import { findThread } from '../thread/thread-rows.js';
import type { Tx } from '../connection/transaction.js';

type LetterRow = MessageRow & {
  salt: number;
  number: number;
  recipient: string;
  reason: DeadReason;
  ended_at: number;
};

const letterColumns = `d.id as number, d.recipient, d.reason, d.at as ended_at, ${columnsOf('m')},
  (select s.salt from session s where s.id = d.session_id) as salt`;

const letters = `select ${letterColumns} from dead_letter d
  join message m on m.session_id = d.session_id and m.seq = d.seq`;

function toLetter(row: LetterRow): DeadLetterRecord {
  const { number, recipient, reason, ended_at: at } = row;
  return { number, recipient, reason, at, message: toRecord(row, row.salt) };
}

export async function deadLetters(
  tx: Tx,
  { sessionId, limit, before }: Parameters<Store['deadLetters']>[0],
): Promise<Awaited<ReturnType<Store['deadLetters']>>> {
  // uses the keys of dead_letter and message
  const rows = await tx.all<LetterRow>(
    `${letters} where d.session_id = ? and d.id < ? order by d.id desc limit ?`,
    ...[sessionId, before ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  return { deadLetters: rows.slice(0, limit).map(toLetter), hasMore: rows.length > limit };
}

async function requireLetter(tx: Tx, sessionId: string, number: number): Promise<LetterRow> {
  const row = await tx.get<LetterRow>(`${letters} where d.session_id = ? and d.id = ?`, sessionId, number);
  if (row === undefined) throw deadLetterUnknown(deadLetterIdOf(number));
  return row;
}

/**
 * The ended copy is open again, in its old place: no second copy, so the sum of all states stays what was sent.
 * It keeps its attempts (what was handed out before comes marked) and begins anew to count leases that run out.
 */
export async function replayDeadLetter(
  tx: Tx,
  { sessionId, number, now }: Parameters<Store['replayDeadLetter']>[0],
): Promise<Awaited<ReturnType<Store['replayDeadLetter']>>> {
  const row = await requireLetter(tx, sessionId, number);
  const { recipient, rank, seq } = row;
  // uses the keys of delivery and message
  const ended = await tx.get<{ lane: number; isOpening: boolean }>(
    `select d.lane, ${isOpening} as "isOpening"
     from delivery d join message m on m.session_id = d.session_id and m.seq = d.seq
     where d.session_id = ? and d.seq = ? and d.agent_id = ?`,
    ...[sessionId, seq, recipient],
  );
  if (ended === undefined) throw new Error(`dead letter ${number} has no ended copy`);
  const { lane } = ended;
  const { expiresAt } = decideReplay({
    number,
    recipient,
    isRegistered: await isRegistered(tx, sessionId, recipient),
    isGroup: await isGroup(tx, sessionId, recipient),
    hasRoom: lane !== lanes.waking || (await hasRoom(tx, sessionId, recipient)),
    thread: row.thread_id === null ? null : ((await findThread(tx, sessionId, row.thread_id)) ?? null),
    expiresAt: row.expires_at,
    now,
  });
  // A copy more without a message more: what hubs know of the room in inboxes no longer holds.
  await tx.factsChange(sessionId);
  await remove(tx, sessionId, number);
  const wantsReceipt = wantsReceiptAgain({ ...row, ...ended });
  const copies = [{ key: { lane, rank, seq }, expiresAt, wantsReceipt }];
  await openAgain(tx, { sessionId, agentId: recipient, copies });
  return { letter: toLetter(row), isWaking: lane === lanes.waking };
}

export async function discardDeadLetter(
  tx: Tx,
  { sessionId, number }: Parameters<Store['discardDeadLetter']>[0],
): Promise<DeadLetterRecord> {
  const row = await requireLetter(tx, sessionId, number);
  await remove(tx, sessionId, number);
  return toLetter(row);
}

/** Someone else may have been faster: then it is not in the list any more. */
async function remove(tx: Tx, sessionId: string, number: number): Promise<void> {
  const removed = await tx.run('delete from dead_letter where session_id = ? and id = ?', sessionId, number);
  if (removed === 0) throw deadLetterUnknown(deadLetterIdOf(number));
}
