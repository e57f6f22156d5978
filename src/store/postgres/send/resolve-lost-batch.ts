// Resolves the outcome of a batch whose connection was lost before the answer. Its messages have the number of the batch, and
// once the server process of the lost connection has ended, nothing more can be stored.
import type { PoolClient } from 'pg';
import type { SendPlan } from '../../../ports/store.js';
import { appendedWith, type AppendOutcome } from './append-batch.js';
import type { Database } from '../connection/database.js';
import type { Planned } from './plan-batch.js';
import { keyText } from './send-answer.js';
import { lastSeqOf } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

/** More messages than all hubs can store in one session while one of them waits for an answer. */
const tailMax = 500_000;

export interface LostBatch {
  client: PoolClient;
  origin: number;
  sends: readonly Planned[];
  /** The highest seq of each session that this hub knew before the batch was sent, or 0. */
  seen: ReadonlyMap<string, number>;
  deadline: number;
}

/** One outcome per send; `stale` if it was not stored because its session had changed. */
export function resolveLostBatch(
  database: Database,
  { client, deadline, ...batch }: LostBatch,
): Promise<AppendOutcome[] | 'not stored'> {
  return database.resolveOutcome({ client, deadline }, (tx) => readBack(tx, batch));
}

async function readBack(
  tx: Tx,
  { origin, sends, seen }: Pick<LostBatch, 'origin' | 'sends' | 'seen'>,
): Promise<AppendOutcome[] | 'not stored'> {
  const stored = new Map<string, number[]>();
  for (const [sessionId, after] of seen) stored.set(sessionId, await seqsOf(tx, { sessionId, after, origin }));
  if ([...stored.values()].every((seqs) => seqs.length === 0)) return 'not stored';
  const results: AppendOutcome[] = [];
  for (const send of sends) results.push(await resultOf(tx, send, stored.get(send.plan.sessionId) ?? []));
  return results;
}

async function seqsOf(
  tx: Tx,
  { sessionId, after, origin }: { sessionId: string; after: number; origin: number },
): Promise<number[]> {
  const from = after > 0 ? after : (await lastSeqOf(tx, sessionId)) - tailMax;
  // uses message's key: only messages after the last seq that this hub knew
  const rows = await tx.all<{ seq: number }>(
    'select seq from message where session_id = ? and seq > ? and origin = ? order by seq',
    [sessionId, from, origin],
  );
  return rows.map(({ seq }) => seq);
}

/** Removes its seq from the stored ones: a send with a key by its key, the others in order. */
async function resultOf(tx: Tx, send: Planned, seqs: number[]): Promise<AppendOutcome> {
  const { plan } = send;
  const seq = plan.key === null ? await nextUnkeyed(tx, plan, seqs) : await seqOfKey(tx, plan);
  if (seq === undefined || !seqs.includes(seq)) return 'stale';
  seqs.splice(seqs.indexOf(seq), 1);
  return { appended: appendedWith(tx, send, seq), senderUnread: 0 };
}

async function seqOfKey(tx: Tx, { sessionId, sender, key }: SendPlan): Promise<number | undefined> {
  const row = await tx.get<{ seq: number }>(
    'select seq from idempotency where session_id = ? and sender = ? and key = ?',
    [sessionId, sender, keyText(key?.key ?? '')],
  );
  return row?.seq;
}

async function nextUnkeyed(tx: Tx, { sessionId }: SendPlan, seqs: readonly number[]): Promise<number | undefined> {
  // uses message's key, then idempotency's by sender
  const row = await tx.get<{ seq: number }>(
    `select m.seq from message m where m.session_id = ? and m.seq = any(?::bigint[]) and not exists
       (select 1 from idempotency i where i.session_id = m.session_id and i.sender = m.sender and i.seq = m.seq)
     order by m.seq limit 1`,
    [sessionId, [...seqs]],
  );
  return row?.seq;
}
