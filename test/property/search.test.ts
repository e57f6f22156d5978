// Whatever is written can be found by what is written, and whatever is asked is only words.
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { snippetOf } from '../../dist/message/history/search-snippet.js';
import { parseSearchQuery, scoreText, tokensOf, wordsOf } from '../../dist/message/history/search-text.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { fillSearchIndex, indexedRows } from '../../dist/store/sqlite/search/search-index.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { tempFolder } from '../support/temp-folder.js';

const folder = tempFolder();
const database = openStoreDatabase({ folder, storeMaxBytes: null });
database.exec('pragma synchronous = off');
const tx = new Tx(database);
afterAll(() => {
  database.close();
});

/** Letters of many scripts, and what queries and indexes might take for syntax. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'Ünï',
        'café',
        'PR-12',
        '会議',
        '"',
        '*',
        'AND',
        'NEAR(',
        '½⑴',
        'İ',
        'ﬁ',
        ' ',
        '\n',
        'x'.repeat(70),
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
);

let row = 0;
function store(content: string): number {
  row += 1;
  const blocks = JSON.stringify([{ type: 'text', text: content }]);
  tx.run(
    `insert into message (n, session_id, seq, sender, at, rank, role, priority, action, urgent, content, recipients)
     values (?, 's', ?, 'ann', 1, 2, 'ASSISTANT', 'normal', 'queue', 0, ?, '[]')`,
    [row, row, blocks],
  );
  fillSearchIndex(tx);
  return row;
}

describe('any text', () => {
  it('has the same words with and without their places', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(tokensOf(given).map(({ word }) => word)).toEqual(wordsOf(given));
      }),
    );
  });

  it('is found by itself, in the index and in the final look', () => {
    fc.assert(
      fc.property(text, (given) => {
        const terms = parseSearchQuery(given);
        fc.pre(terms.length > 0);
        expect(scoreText(terms, wordsOf(given))).toBeGreaterThan(0);
        const n = store(given);
        const query = { sessionId: 's', threadId: null, sender: 'ann', terms };
        expect(indexedRows(tx, query, { from: n, to: n, limit: 1 })).toEqual([n]);
        expect(indexedRows(tx, { ...query, sessionId: 'other' }, { from: n, to: n, limit: 1 })).toEqual([]);
      }),
    );
  });

  it('has a snippet that is short and marks a word', () => {
    const words = fc.array(text, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(words, fc.nat(), (given, place) => {
        const parts = given.split(/[\s"]+/).filter((part) => wordsOf(part).length > 0);
        fc.pre(parts.length > 0);
        const terms = parseSearchQuery(parts[place % parts.length] ?? '');
        expect(snippetOf(terms, given)).toMatch(/\*\*.+\*\*/);
        expect(snippetOf(terms, given).length).toBeLessThan(600);
      }),
    );
  });
});
