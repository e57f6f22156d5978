// Scores a message for a search.
import type { Hit } from '../../message/history/search-page.js';
import { scoreText, searchableText, wordsOf } from '../../message/history/search-text.js';
import type { SearchQuery } from '../../ports/history.js';
import { toSearchable, type MessageRow } from './message-row.js';

/** Undefined unless it has all search terms. */
export function hitOf({ terms }: SearchQuery, row: Pick<MessageRow, 'seq' | 'content' | 'extras'>): Hit | undefined {
  const text = searchableText(toSearchable(row));
  const score = scoreText(terms, wordsOf(text));
  return score === null ? undefined : { seq: row.seq, text, score };
}
