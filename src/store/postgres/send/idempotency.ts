// Stores the first result of an idempotency key for a day, in the same transaction as the write.
import type { Appended } from '../../../ports/store.js';
import type { KeyedRequest, SentBefore } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';
import { findSession } from '../session/sessions.js';
import { keyText, packAnswer, unpackAnswer } from './send-answer.js';

/** The result of a send is stored without its seq, which is not known when the text is written. */
export async function findSentBefore(tx: Tx, request: KeyedRequest): Promise<SentBefore | undefined> {
  const before = await readResult(tx, request);
  const session = await findSession(tx, request.sessionId);
  if (before === undefined || session === undefined) return undefined;
  const { hash, seq, result } = before;
  const { salt } = session;
  const unpack = () => {
    if (seq === null) throw new Error(`a key of '${request.sender}' was stored without its message`);
    return unpackAnswer(result, { seq, salt, sender: request.sender });
  };
  return { hash, unpack };
}

export async function saveSent(tx: Tx, request: KeyedRequest, appended: Appended): Promise<void> {
  await writeResult(tx, request, { seq: appended.seq, result: packAnswer(appended) });
}

export async function findResultBefore(
  tx: Tx,
  request: KeyedRequest,
): Promise<{ hash: string; result: unknown } | undefined> {
  const before = await readResult(tx, request);
  return before === undefined ? undefined : { hash: before.hash, result: JSON.parse(before.result) as unknown };
}

export async function saveResult(tx: Tx, request: KeyedRequest, result: unknown): Promise<void> {
  await writeResult(tx, request, { seq: null, result: JSON.stringify(result) });
}

interface StoredResult {
  /** Set only for sends. */
  seq: number | null;
  result: string;
}

async function readResult(
  tx: Tx,
  { sessionId, sender, key }: KeyedRequest,
): Promise<(StoredResult & { hash: string }) | undefined> {
  // uses idempotency's key; expired keys may not have been reaped yet
  return tx.get<StoredResult & { hash: string }>(
    `select hash, seq, result from idempotency
     where session_id = ? and sender = ? and key = ? and expires_at > ?`,
    [sessionId, sender, keyText(key.key), key.at],
  );
}

async function writeResult(
  tx: Tx,
  { sessionId, sender, key }: KeyedRequest,
  { seq, result }: StoredResult,
): Promise<void> {
  // A conflict is only possible with an expired key.
  await tx.run(
    `insert into idempotency (session_id, sender, key, hash, seq, result, expires_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (session_id, sender, key) do update
       set hash = excluded.hash, seq = excluded.seq, result = excluded.result, expires_at = excluded.expires_at`,
    [sessionId, sender, keyText(key.key), key.hash, seq, result, key.expiresAt],
  );
}
