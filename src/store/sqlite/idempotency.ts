// A sender's key keeps its first answer for a day, written in the same transaction as what it answered.
import { HubError } from '../../contract/errors.js';
import type { IdempotencyKey } from '../../ports/store.js';
import type { Tx } from './transaction.js';

/** The first answer under this key, or undefined. The same key with other content is refused. */
export function recallResult<Result>(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
): Result | undefined {
  if (key === null) return undefined;
  const row = tx.get<{ hash: string; result: string }>(
    'select hash, result from idempotency where session_id = ? and sender = ? and key = ?',
    ...[sessionId, sender, key.key],
  );
  if (row === undefined) return undefined;
  if (row.hash !== key.hash) {
    throw new HubError('IDEMPOTENCY_CONFLICT', `The key '${key.key}' was used for another request.`, {
      hint: 'Use a new key for a new message; the same key only to retry the same one.',
      details: { idempotencyKey: key.key },
    });
  }
  return JSON.parse(row.result) as Result;
}

export function rememberResult(
  tx: Tx,
  sessionId: string,
  sender: string,
  key: IdempotencyKey | null,
  result: unknown,
): void {
  if (key === null) return;
  tx.run(
    'insert into idempotency (session_id, sender, key, hash, result, expires_at) values (?, ?, ?, ?, ?, ?)',
    ...[sessionId, sender, key.key, key.hash, JSON.stringify(result), key.expiresAt],
  );
}
