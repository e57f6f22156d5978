// Pages end at a number of bytes, too: hundreds of long messages in one answer would fill the hub's memory.
import { limits } from '../../contract/limits.js';
import type { MessageRow } from './message-row.js';

/** The columns of a message that may be long. */
export type WeighedRow = Pick<MessageRow, 'content' | 'mentions' | 'extras' | 'recipients'>;

function bytesOfRow({ content, mentions, extras, recipients }: WeighedRow): number {
  return bytesOf(content) + bytesOf(mentions) + bytesOf(extras) + bytesOf(recipients);
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** The same in SQL. PostgreSQL knows these lengths without reading the values. */
export function bytesSql(alias: string): string {
  const [content, mentions, extras, recipients] = ['content', 'mentions', 'extras', 'recipients'].map(
    (column) => `octet_length(${alias}.${column})`,
  );
  return `(${content} + coalesce(${mentions}, 0) + coalesce(${extras}, 0) + ${recipients})`;
}

/** Adds up the rows of one page. */
export class PageBytes {
  readonly #max: number;
  #rows = 0;
  #bytes = 0;

  constructor(max: number = limits.pageBytes) {
    this.#max = max;
  }

  /** Whether the page holds this row, too. The first always fits: an empty page would have no next one. */
  fits(row: WeighedRow): boolean {
    this.#rows += 1;
    this.#bytes += bytesOfRow(row);
    return this.#rows === 1 || this.#bytes <= this.#max;
  }
}

/** How many of the rows one page holds, from the first on. */
export function countWithin(rows: readonly WeighedRow[], bytesMax?: number): number {
  const page = new PageBytes(bytesMax);
  const past = rows.findIndex((row) => !page.fits(row));
  return past < 0 ? rows.length : past;
}

/**
 * For PostgreSQL: of the rows of `inner`, which has a message's columns, those that fit in a page and one more, which shows
 * that there are others. The others are not read from disk and not sent. Its last parameter is the page's bytes.
 */
export function withinSql(inner: string, order: string): string {
  return `select * from (select q.*, row_number() over w as row_place, sum(${bytesSql('q')}) over w - ${bytesSql('q')} as bytes_before
    from (${inner}) q window w as (order by ${order} rows unbounded preceding)) q
    where q.bytes_before <= ? or q.row_place <= 2 order by ${order}`;
}
