// Idempotency keys with their first results, as PostgreSQL stores them: a key is a JSON string, and the result of a send has
// no seq. JSON strings sort differently from the texts, so they are sorted here.
import type { Appended } from '../../ports/store.js';
import { keyText, packAnswer } from '../postgres/send/send-answer.js';
import type { Database } from '../sqlite/writer/driver.js';
import { unpackAppended, type PackedAppended } from '../sqlite/send/packed-send.js';
import type { Row } from '../rows/tables.js';

interface StoredKey {
  n: number;
  sender: string;
  key: string;
}

interface StoredAnswer {
  hash: string;
  result: string;
  expires_at: number;
}

/** Only keys that are not expired at `now`. */
export function* keysOf(database: Database, sessionId: string, now: number): Generator<Row> {
  // uses idempotency_by_key; one day's keys without their answers fit into memory
  const stored = database
    .prepare('select n, sender, key from idempotency where session_id = ? and expires_at > ?')
    // Safe: the columns are those selected, here and below.
    .all(sessionId, now) as StoredKey[];
  const sorted = stored
    .map(({ n, sender, key }) => ({ n, sender, key: keyText(key), order: orderOf(sender, keyText(key)) }))
    .toSorted((a, b) => Buffer.compare(a.order, b.order));
  const answer = database.prepare('select hash, result, expires_at from idempotency where n = ?');
  for (const { n, sender, key } of sorted) {
    // Safe: all reads are in one transaction, so the row still exists.
    const { hash, result, expires_at } = answer.get(n) as StoredAnswer;
    yield { sender, key, hash, expires_at, ...asInPostgres(result, sender) };
  }
}

/** Bytes that sort like (sender, key); no name contains a NUL. */
function orderOf(sender: string, key: string): Buffer {
  return Buffer.from(`${sender}\0${key}`);
}

function asInPostgres(result: string, sender: string): { seq: number | null; result: string } {
  const answer: unknown = JSON.parse(result);
  // Only the result of a send is packed as a list.
  if (!Array.isArray(answer)) return { seq: null, result };
  const appended: Appended = unpackAppended(answer as unknown as PackedAppended, sender);
  return { seq: appended.seq, result: packAnswer(appended) };
}
