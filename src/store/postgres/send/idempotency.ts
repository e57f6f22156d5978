// A sender's key keeps its first answer for a day, written in the same transaction as what it answered.
import { requireSameRequest } from '../../../message/send/decide-retry.js';
import type { IdempotencyKey, SendPlan } from '../../../ports/store.js';
import type { Tx } from '../connection/transaction.js';

/** As it is stored: a key may hold characters that a text column cannot. */
export function keyText(key: string): string {
  return JSON.stringify(key);
}

/** The first answer under this key, or undefined. */
export async function recallResult<Result>(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
): Promise<Result | undefined> {
  const before = await recallAnswer(tx, sessionId, sender, key);
  // Written by rememberResult for the same operation: the hash covers the request.
  return before === undefined ? undefined : (JSON.parse(before.result) as Result);
}

export async function rememberResult(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
  result: unknown,
): Promise<void> {
  await rememberAnswer(tx, { sessionId, sender, key }, { seq: null, result: JSON.stringify(result) });
}

/** A send's answer is kept without its seq, which is not known yet where the text is made. */
export interface SendAnswer {
  seq: number;
  result: string;
}

export async function recallSend(
  tx: Tx,
  { sessionId, sender, key }: Pick<SendPlan, 'sessionId' | 'sender' | 'key'>,
): Promise<SendAnswer | undefined> {
  const before = await recallAnswer(tx, sessionId, sender, key);
  if (before === undefined) return undefined;
  const { seq, result } = before;
  if (seq === null) throw new Error(`a key of '${sender}' was kept without its message`);
  return { seq, result };
}

export async function rememberSend(
  tx: Tx,
  { sessionId, sender, key }: Pick<SendPlan, 'sessionId' | 'sender' | 'key'>,
  answer: SendAnswer,
): Promise<void> {
  await rememberAnswer(tx, { sessionId, sender, key }, answer);
}

interface Answer {
  /** Only a send has one. */
  seq: number | null;
  result: string;
}

async function recallAnswer(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
): Promise<Answer | undefined> {
  if (key === null) return undefined;
  // uses idempotency's key; one whose day is over counts as gone, though the reaper has not come by yet
  const before = await tx.get<Answer & { hash: string }>(
    `select hash, seq, result from idempotency
     where session_id = ? and sender = ? and key = ? and expires_at > ?`,
    ...[sessionId, sender, keyText(key.key), key.at],
  );
  if (before !== undefined) requireSameRequest(key, before.hash);
  return before;
}

async function rememberAnswer(
  tx: Tx,
  { sessionId, sender, key }: Pick<SendPlan, 'sessionId' | 'sender' | 'key'>,
  { seq, result }: Answer,
): Promise<void> {
  if (key === null) return;
  // Only one whose day is over can be there.
  await tx.run(
    `insert into idempotency (session_id, sender, key, hash, seq, result, expires_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (session_id, sender, key) do update
       set hash = excluded.hash, seq = excluded.seq, result = excluded.result, expires_at = excluded.expires_at`,
    ...[sessionId, sender, keyText(key.key), key.hash, seq, result, key.expiresAt],
  );
}
