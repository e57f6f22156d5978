// Stores the first result of an idempotency key for a day, in the same transaction as the write.
import type { Appended } from '../../../ports/store.js';
import type { KeyedRequest, SentBefore } from '../../rules/statements.js';
import { findSession } from '../session/sessions.js';
import type { DeferredInsert } from '../writer/deferred-inserts.js';
import type { Tx } from '../writer/transaction.js';
import type { KeyMemory } from '../writer/writer-memory.js';
import { packAppended, unpackAppended, type PackedAppended } from './packed-send.js';

const keyInsert: DeferredInsert = {
  table: 'idempotency',
  columns: ['session_id', 'sender', 'key', 'hash', 'result', 'expires_at'],
};

export function findSentBefore(tx: Tx, request: KeyedRequest): SentBefore | undefined {
  const before = findResultBefore(tx, request);
  if (before === undefined) return undefined;
  // Safe: saveSent wrote it if the hash is that of a send.
  return { hash: before.hash, unpack: () => unpackAppended(before.result as PackedAppended, request.sender) };
}

export function saveSent(tx: Tx, request: KeyedRequest, appended: Appended): void {
  saveResult(tx, request, packAppended(appended));
}

export function findResultBefore(tx: Tx, request: KeyedRequest): { hash: string; result: unknown } | undefined {
  const { sessionId, sender, key } = request;
  const before = findSession(tx, sessionId)?.answerTo(sender, key.key) ?? readResult(tx, request);
  if (before === undefined || before.expiresAt > key.at) return before;
  // Expired but not yet reaped.
  tx.run('delete from idempotency where session_id = ? and sender = ? and key = ?', [sessionId, sender, key.key]);
  findSession(tx, sessionId)?.forgetAnswers();
  return undefined;
}

function readResult(tx: Tx, { sessionId, sender, key }: KeyedRequest): KeyMemory | undefined {
  // uses idempotency_by_key; keys that are not inserted yet are all in memory
  const row = tx.getStored<{ hash: string; result: string; expires_at: number }>(
    'select hash, result, expires_at from idempotency where session_id = ? and sender = ? and key = ?',
    [sessionId, sender, key.key],
  );
  return row === undefined ? undefined : { hash: row.hash, result: JSON.parse(row.result), expiresAt: row.expires_at };
}

export function saveResult(tx: Tx, { sessionId, sender, key }: KeyedRequest, result: unknown): void {
  const { hash, expiresAt } = key;
  tx.rowsFor(keyInsert).push(sessionId, sender, key.key, hash, JSON.stringify(result), expiresAt);
  const session = findSession(tx, sessionId);
  if (session?.rememberAnswer(sender, key.key, { hash, result, expiresAt })) return;
  tx.insertDeferredRows();
  session?.forgetAnswers();
}
