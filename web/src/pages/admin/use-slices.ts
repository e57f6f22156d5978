// A list that came whole, shown one page at a time.
import { useState } from 'preact/hooks';
import type { Reading } from '../settings/use-work.js';
import { pageSize, type Pages } from './use-pages.js';

export function useSlices<Row>({ value, error, again }: Reading<readonly Row[]>): Pages<Row> {
  const [from, setFrom] = useState(0);
  // What was removed may have been all of the last page.
  const start = value === undefined || from < value.length ? from : 0;
  const hasMore = value !== undefined && value.length > start + pageSize;
  return {
    rows: value?.slice(start, start + pageSize),
    error,
    isFirst: start === 0,
    next: hasMore ? () => setFrom(start + pageSize) : undefined,
    toFirst: () => setFrom(0),
    again,
  };
}
