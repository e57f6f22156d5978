// The word index: which messages have which words. Filled after the sends. Every match is checked in the message itself, so
// superfluous entries do no harm.
import { searchableText, wordsOf, type SearchTerm } from '../../../message/history/search-text.js';
import { toSearchable, type MessageRow } from '../../rows/message-row.js';
import type { Tx } from '../connection/transaction.js';
import { wellFormed } from '../connection/well-formed.js';

/** Limits of one step, so that its transaction is short, however long the messages are. */
const fillRows = 256;
const fillBytes = 512 * 1024;
/** A tsvector is limited to one megabyte. */
const wordBytesMax = 900_000;

/** The watermark: messages up to this seq are indexed; a search scans the tail after it. */
export async function indexedUpTo(tx: Tx, sessionId: string): Promise<number> {
  const row = await tx.get<{ seq: number }>('select seq from word_mark where session_id = ?', [sessionId]);
  return row?.seq ?? 0;
}

/** Indexes the next few messages of a session. True when there are more; false also when another hub is filling it. */
export async function fillSearchIndex(tx: Tx, sessionId: string): Promise<boolean> {
  await ensureMark(tx, sessionId);
  const mark = await tx.get<{ seq: number }>('select seq from word_mark where session_id = ? for update skip locked', [
    sessionId,
  ]);
  if (mark === undefined) return false;
  // uses message's key
  const rows = await tx.all<IndexedRow & { last: number }>(
    `select seq, thread_id, sender, content, extras, last from (
       select seq, thread_id, sender, content, extras,
         sum(octet_length(content)) over (order by seq) - octet_length(content) as bytes_before,
         (select l.seq from message l where l.session_id = ? order by l.seq desc limit 1) as last
       from message where session_id = ? and seq > ? order by seq limit ?
     ) next where bytes_before < ? order by seq`,
    [sessionId, sessionId, mark.seq, fillRows, fillBytes],
  );
  const to = rows.at(-1);
  if (to === undefined) return false;
  // An existing row is from a fill whose watermark was lost.
  await tx.run(
    `insert into message_word (session_id, seq, words)
     select ?, (entry -> 0)::bigint, array_to_tsvector(array(select jsonb_array_elements_text(entry -> 1)))
     from jsonb_array_elements(?::jsonb) entry on conflict (session_id, seq) do nothing`,
    [sessionId, JSON.stringify(rows.map((row) => [row.seq, indexedWords(row)]))],
  );
  await tx.run('update word_mark set seq = ? where session_id = ?', [to.seq, sessionId]);
  return to.seq < to.last;
}

/** Waits while another hub makes it. */
async function ensureMark(tx: Tx, sessionId: string): Promise<void> {
  await tx.run('insert into word_mark (session_id, seq) values (?, 0) on conflict (session_id) do nothing', [
    sessionId,
  ]);
}

/**
 * Waits for a hub that is indexing the session, also for the first time: it may have read these messages before they
 * changed.
 */
export async function removeWords(tx: Tx, sessionId: string, seqs: readonly number[]): Promise<void> {
  await ensureMark(tx, sessionId);
  await tx.run('select 1 from word_mark where session_id = ? for update', [sessionId]);
  await tx.run('delete from message_word where session_id = ? and seq = any(?::bigint[])', [sessionId, seqs]);
}

type IndexedRow = Pick<MessageRow, 'seq' | 'thread_id' | 'sender' | 'content' | 'extras'>;

function indexedWords(row: IndexedRow): string[] {
  const scopes = [scopeWord('sender', row.sender)];
  if (row.thread_id !== null) scopes.push(scopeWord('thread', row.thread_id));
  const words = [...new Set(wordsOf(searchableText(toSearchable(row))))].map(wellFormed);
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  return [...scopes, ...(bytes > wordBytesMax ? [tooMany] : words)];
}

/** Replaces all words of a message that has too many; every search then reads the message. */
const tooMany = '\uE000';

/** A word that no text has; it restricts a search to its sender or thread. */
function scopeWord(kind: 'sender' | 'thread', id: string): string {
  return wellFormed(`\uE000${kind} ${id}`);
}

export interface IndexQuery {
  threadId: string | null;
  sender: string | null;
  terms: readonly SearchTerm[];
}

/** The search terms as a tsquery. Phrases are checked in the message. */
export function matchOf({ threadId, sender, terms }: IndexQuery): string {
  const words = terms.flatMap(({ words: given, isPrefix }) =>
    given.map((word, index) => `${quoted(wellFormed(word))}${isPrefix && index === given.length - 1 ? ':*' : ''}`),
  );
  const scopes = [
    ...(threadId === null ? [] : [scopeWord('thread', threadId)]),
    ...(sender === null ? [] : [scopeWord('sender', sender)]),
  ];
  const anyText = `(${[...new Set(words)].join(' & ')} | ${quoted(tooMany)})`;
  return [...scopes.map(quoted), anyText].join(' & ');
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
