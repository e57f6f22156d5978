// The rows of a page of a list, with what leads to the next one.
import type { ComponentChild } from 'preact';
import { ErrorState } from '../../parts/state.js';
import type { Pages } from './use-pages.js';

export interface ListedProps<Row> {
  pages: Pages<Row>;
  none: string;
  keyOf: (row: Row) => string | number;
  children: (row: Row) => ComponentChild;
}

export function Listed<Row>({ pages, none, keyOf, children }: ListedProps<Row>) {
  const { rows, error, isFirst, next, toFirst } = pages;
  return (
    <>
      {error !== undefined && <ErrorState error={error} />}
      {rows?.length === 0 && <p class="effect">{next === undefined ? none : 'None on this page.'}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul class="rows">
          {rows.map((row) => (
            <li key={keyOf(row)}>{children(row)}</li>
          ))}
        </ul>
      )}
      {(!isFirst || next !== undefined) && (
        <div class="btn-row">
          {!isFirst && (
            <button class="btn" type="button" onClick={toFirst}>
              First page
            </button>
          )}
          {next !== undefined && (
            <button class="btn" type="button" onClick={next}>
              Next page
            </button>
          )}
        </div>
      )}
    </>
  );
}
