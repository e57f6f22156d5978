// The keys of copies as parameters of a statement.
import type { CopyKey } from '../../../ports/store.js';

/** In inbox order, so that all transactions lock copies in the same order. */
export function keyLists(keys: readonly CopyKey[]): [number[], number[], number[]] {
  const sorted = keys.toSorted((a, b) => a.lane - b.lane || a.rank - b.rank || a.seq - b.seq);
  return [sorted.map(({ lane }) => lane), sorted.map(({ rank }) => rank), sorted.map(({ seq }) => seq)];
}
