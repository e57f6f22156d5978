// Reads one table of one session on both sides in parallel, in chunks of the same key range.
import type { Source } from './source.js';
import { canonical, keyOf, type CopiedTable, type Row } from '../rows/tables.js';
import type { Target } from './target.js';

export interface Sides {
  source: Source;
  target: Target;
}

/** All rows of both sides in one key range, in order. */
export interface Chunk {
  wanted: readonly Row[];
  found: readonly Row[];
}

export async function* sideBySide(
  { source, target }: Sides,
  table: CopiedTable,
  sessionId: string,
): AsyncGenerator<Chunk> {
  let after: Row | undefined;
  for (const wanted of source.pages(table, sessionId)) {
    const last = wanted.at(-1);
    if (last === undefined) continue;
    yield { wanted, found: await target.range(table, sessionId, { after, last }) };
    after = last;
  }
  for (;;) {
    const found = await target.rest(table, sessionId, after);
    if (found.length === 0) return;
    yield { wanted: [], found };
    after = found.at(-1);
  }
}

export interface Difference {
  /** In the source; missing or different in the target. */
  differing: Row[];
  /** In the target only. */
  extra: Row[];
}

export function differenceOf(table: CopiedTable, { wanted, found }: Chunk): Difference {
  const foundRows = new Map(found.map((row) => [keyOf(table, row), row]));
  const differing = wanted.filter((row) => {
    const other = foundRows.get(keyOf(table, row));
    foundRows.delete(keyOf(table, row));
    return other === undefined || canonical(table, other) !== canonical(table, row);
  });
  return { differing, extra: [...foundRows.values()] };
}
