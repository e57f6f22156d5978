// A sender's key keeps its first answer for a day, written in the same transaction as what it answered.
import { requireSameRequest } from '../../../message/send/decide-retry.js';
import type { IdempotencyKey } from '../../../ports/store.js';
import type { LateInsert } from '../writer/late-inserts.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';
import type { KeyMemory } from '../writer/writer-memory.js';

const keyInsert: LateInsert = {
  table: 'idempotency',
  columns: ['session_id', 'sender', 'key', 'hash', 'result', 'expires_at'],
};

/** The first answer under this key, or undefined. The same key with other content is refused. */
export function recallResult<Result>(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
): Result | undefined {
  if (key === null) return undefined;
  const before = findSession(tx, sessionId)?.answerTo(sender, key.key) ?? storedAnswer(tx, sessionId, sender, key.key);
  if (before === undefined) return undefined;
  if (before.expiresAt <= key.at) {
    forgetAnswer(tx, sessionId, sender, key.key);
    return undefined;
  }
  requireSameRequest(key, before.hash);
  // Written by rememberResult for the same operation: the hash covers the request.
  return before.result as Result;
}

function storedAnswer(tx: Tx, sessionId: string, sender: string, key: string): KeyMemory | undefined {
  // uses idempotency_by_key; keys that are not stored yet are all in memory
  const row = tx.getStored<{ hash: string; result: string; expires_at: number }>(
    'select hash, result, expires_at from idempotency where session_id = ? and sender = ? and key = ?',
    ...[sessionId, sender, key],
  );
  return row === undefined ? undefined : { hash: row.hash, result: JSON.parse(row.result), expiresAt: row.expires_at };
}

/** Its day is over, and the reaper has not come by yet. */
function forgetAnswer(tx: Tx, sessionId: string, sender: string, key: string): void {
  tx.run('delete from idempotency where session_id = ? and sender = ? and key = ?', sessionId, sender, key);
  findSession(tx, sessionId)?.forgetAnswers();
}

export function rememberResult(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
  result: unknown,
): void {
  if (key === null) return;
  const { hash, expiresAt } = key;
  tx.rowsFor(keyInsert).push(sessionId, sender, key.key, hash, JSON.stringify(result), expiresAt);
  const session = findSession(tx, sessionId);
  if (session?.rememberAnswer(sender, key.key, { hash, result, expiresAt })) return;
  tx.insertLateRows();
  session?.forgetAnswers();
}
