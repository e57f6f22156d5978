// The word index: which messages have which words. Filled after the sends. Every match is checked in the message itself, so
// superfluous entries do no harm.
import { prefixKeyOf, searchableText, wordsOf, type SearchTerm } from '../../../message/history/search-text.js';
import { toSearchable } from '../../rows/message-row.js';
import { indexedUpTo, setIndexedUpTo } from '../history/fill-history-indexes.js';
import type { MessageRow } from '../history/message-rows.js';
import type { Tx } from '../writer/transaction.js';

/** Limits of one step, so that the writer is blocked only briefly. One message may be longer than that. */
export const fillMax = { rows: 256, chars: 128 * 1024 } as const;

/** Indexes the next few messages. Their words are a segment of their own, which is merged with others later. */
export function fillSearchIndex(tx: Tx, rowsMax: number = fillMax.rows): void {
  const from = indexedUpTo(tx, 'search');
  let to = from;
  let chars = 0;
  for (let rows = 0; rows < rowsMax && chars < fillMax.chars; rows++) {
    // by row number; one at a time, because a message may be large
    const row = tx.get<IndexedRow>(
      'select n, session_id, thread_id, sender, content, extras from message where n > ? order by n limit 1',
      [to],
    );
    if (row === undefined) break;
    insertWords(tx, row);
    to = row.n;
    chars += row.content.length;
  }
  if (to > from) setIndexedUpTo(tx, 'search', to);
}

/** Pages that one step of merging writes. */
export const mergePages = 32;

/**
 * Merges segments, because a search opens all of them: a step of the first merge that is due. Inserts merge nothing themselves
 * (`automerge` is 0 since migration 8). False when nothing is due. A step ends only between words, so it may write all entries
 * of a word that most messages have.
 */
export function mergeSearchIndex(tx: Tx, pages: number = mergePages): boolean {
  const changes = () => tx.get<{ count: number }>('select total_changes() as count')?.count ?? 0;
  const before = changes();
  tx.run("insert into message_word (message_word, rank) values ('merge', ?)", [pages]);
  // FTS5 counts the command itself.
  return changes() - before > 1;
}

function insertWords(tx: Tx, row: IndexedRow): void {
  tx.run('insert into message_word (rowid, words) values (?, ?)', [row.n, indexedWords(row)]);
}

/**
 * Secure: no word of the message stays in the older parts of the index. An indexed message stays indexed: the index counts
 * its messages, and takes the removal of one that it has not for damage.
 */
export function replaceWords(tx: Tx, row: IndexedRow, left: Pick<IndexedRow, 'content' | 'extras'>): void {
  if (row.n > indexedUpTo(tx, 'search')) return;
  tx.run("insert into message_word (message_word, rank) values ('secure-delete', 1)");
  removeWords(tx, row);
  tx.run("insert into message_word (message_word, rank) values ('secure-delete', 0)");
  insertWords(tx, { ...row, ...left });
}

/** Call it before the message changes: the index finds its entries by the words. */
export function removeWords(tx: Tx, row: IndexedRow): void {
  if (row.n > indexedUpTo(tx, 'search')) return;
  tx.run("insert into message_word (message_word, rowid, words) values ('delete', ?, ?)", [row.n, indexedWords(row)]);
}

type IndexedRow = Pick<MessageRow, 'n' | 'session_id' | 'thread_id' | 'sender' | 'content' | 'extras'>;

function indexedWords(row: IndexedRow): string {
  const { session_id: session, thread_id: thread, sender } = row;
  const scopes = [scopeWord('session', session), scopeWord('sender', session, sender)];
  if (thread !== null) scopes.push(scopeWord('thread', session, thread));
  const words = new Set(wordsOf(searchableText(toSearchable(row))));
  return [...scopes, ...words].join(' ');
}

/** A word that no text has; it restricts a search to its session, sender or thread. */
function scopeWord(kind: 'session' | 'sender' | 'thread', session: string, id = ''): string {
  let hash = 0x811c9dc5;
  for (const character of `${kind}\n${session}\n${id}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return `\uE000${hash.toString(36)}`;
}

export interface IndexQuery {
  sessionId: string;
  threadId: string | null;
  sender: string | null;
  terms: readonly SearchTerm[];
}

/** Row numbers of messages that have all search terms, newest first. */
export function indexedRows(tx: Tx, query: IndexQuery, range: { from: number; to: number; limit: number }): number[] {
  // message_word is scanned by row number, so it stops at the limit however common the words are
  const rows = tx.all<{ n: number }>(
    'select rowid as n from message_word where message_word match ? and rowid >= ? and rowid <= ? order by rowid desc limit ?',
    [matchOf(query), range.from, range.to, range.limit],
  );
  return rows.map(({ n }) => n);
}

/**
 * Words are letters and digits only, so quoting them is enough. The index has only short prefixes; longer prefixes and
 * phrases are checked in the message.
 */
function matchOf({ sessionId, threadId, sender, terms }: IndexQuery): string {
  const words = terms.flatMap(({ words: given, isPrefix }) =>
    given.map((word, index) =>
      isPrefix && index === given.length - 1 ? `"${prefixKeyOf(word) ?? word}" *` : `"${word}"`,
    ),
  );
  const scopes = [
    scopeWord('session', sessionId),
    ...(threadId === null ? [] : [scopeWord('thread', sessionId, threadId)]),
    ...(sender === null ? [] : [scopeWord('sender', sessionId, sender)]),
  ];
  return [...new Set([...scopes.map((scope) => `"${scope}"`), ...words])].join(' AND ');
}
