// The word index: which messages have which words. Filled after the sends. Every match is checked in the message itself, so
// superfluous entries do no harm. Each word is indexed per session and part of the messages (decision 33).
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
 * (`automerge` is 0 since migration 8). False when nothing is due. A step ends only between words, and a word has at most one
 * entry for each message of a part.
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
  const { n, session_id: session, thread_id: thread, sender } = row;
  const words = new Set(wordsOf(searchableText(toSearchable(row))));
  words.add(filterWord('sender', sender));
  if (thread !== null) words.add(filterWord('thread', thread));
  const scope = scopeOf(session, n);
  return Array.from(words, (word) => scope + word).join(' ');
}

/**
 * How many messages are a part. A word of all of them has an entry of one byte for each: 128 KiB, the 32 pages that a step of
 * merging writes. A search looks at one part after the other, newest first, and each costs it a look-up.
 */
export const partRows = 131_072;

/** The first row of the part of the index that has this row. */
export function partStart(n: number): number {
  return n - (n % partRows);
}

/**
 * Begins every indexed word: three characters of the private use area, which no word has. They stand for the session and the
 * part, so that a search reads no entries of other sessions, and a word has few in any one place. Different scopes may have the
 * same characters.
 */
function scopeOf(session: string, n: number): string {
  const hash = hashOf(session);
  const numbers = [hash, Math.floor(hash / privateUse.count), Math.floor(n / partRows)];
  return String.fromCharCode(...numbers.map((number) => privateUse.first + (number % privateUse.count)));
}

const privateUse = { first: 0xe000, count: 6_400 } as const;

/** A word that no text has; it restricts a search to its sender or thread. */
function filterWord(kind: 'sender' | 'thread', id: string): string {
  return String.fromCharCode(privateUse.first) + hashOf(`${kind}\n${id}`).toString(36);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

export interface IndexQuery {
  sessionId: string;
  threadId: string | null;
  sender: string | null;
  terms: readonly SearchTerm[];
}

/** Row numbers of messages that have all search terms, newest first. The range is of one part. */
export function indexedRows(tx: Tx, query: IndexQuery, range: { from: number; to: number; limit: number }): number[] {
  // message_word is scanned by row number, so it stops at the limit however common the words are
  const rows = tx.all<{ n: number }>(
    'select rowid as n from message_word where message_word match ? and rowid >= ? and rowid <= ? order by rowid desc limit ?',
    [matchOf(query, scopeOf(query.sessionId, range.to)), range.from, range.to, range.limit],
  );
  return rows.map(({ n }) => n);
}

/**
 * Words are letters and digits only, so quoting them is enough. The index has only short prefixes; longer prefixes and
 * phrases are checked in the message.
 */
function matchOf({ threadId, sender, terms }: IndexQuery, scope: string): string {
  const words = terms.flatMap(({ words: given, isPrefix }) =>
    given.map((word, index) =>
      isPrefix && index === given.length - 1 ? `"${scope}${prefixKeyOf(word) ?? word}" *` : `"${scope}${word}"`,
    ),
  );
  if (threadId !== null) words.push(`"${scope}${filterWord('thread', threadId)}"`);
  if (sender !== null) words.push(`"${scope}${filterWord('sender', sender)}"`);
  return [...new Set(words)].join(' AND ');
}
