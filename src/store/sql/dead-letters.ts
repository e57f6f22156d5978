// The list of dead letters: SQL that is the same in both databases.
import type { Store } from '../../ports/store.js';
import { letterColumns, toLetter, type LetterRow } from '../rows/letter-row.js';
import { countWithin } from '../rows/rows-within.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

const letters = `select ${letterColumns} from dead_letter d
  join message m on m.session_id = d.session_id and m.seq = d.seq`;

export function* deadLetters(
  tx: Statements,
  { sessionId, limit, before }: Parameters<Store['deadLetters']>[0],
): Steps<Awaited<ReturnType<Store['deadLetters']>>> {
  // uses the keys of dead_letter (SQLite: dead_letter_by_session) and message (SQLite: message_by_seq)
  const rows = yield* tx.page<LetterRow>(`${letters} where d.session_id = ? and d.id < ? order by d.id desc limit ?`, {
    values: [sessionId, before ?? Number.MAX_SAFE_INTEGER, limit + 1],
    order: 'q.number desc',
  });
  const count = Math.min(limit, countWithin(rows));
  return { deadLetters: rows.slice(0, count).map(toLetter), hasMore: rows.length > count };
}

export function* findDeadLetter(tx: Statements, sessionId: string, number: number): Steps<LetterRow | undefined> {
  return yield* tx.get<LetterRow>(`${letters} where d.session_id = ? and d.id = ?`, [sessionId, number]);
}

/** False when it was already deleted. */
export function* deleteDeadLetter(tx: Statements, sessionId: string, number: number): Steps<boolean> {
  return (yield* tx.run('delete from dead_letter where session_id = ? and id = ?', [sessionId, number])) > 0;
}
