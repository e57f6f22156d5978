// Reads every row of both sides in key order and compares their count and SHA-256.
import { createHash } from 'node:crypto';
import { sideBySide, type Sides, type Chunk } from './side-by-side.js';
import type { SourceSession } from './source.js';
import { allTables, canonical, keyOf, sessions, type CopiedTable } from '../rows/tables.js';

export interface Verdict {
  session: string;
  table: CopiedTable;
  rows: number;
  foundRows: number;
  sha256: string;
  foundSha256: string;
  /** The first key at which they differ. The name is part of the JSON report. */
  place: string | undefined;
}

export function isSame({ rows, foundRows, sha256, foundSha256 }: Verdict): boolean {
  return rows === foundRows && sha256 === foundSha256;
}

/** In one snapshot of the database. */
export function verifySession(
  sides: Sides,
  session: SourceSession,
  onRows: (rows: number) => void,
): Promise<Verdict[]> {
  return sides.target.transaction(async () => {
    const tables = [
      { table: sessions, chunks: sessionRows(sides, session) },
      ...allTables.map((table) => ({ table, chunks: sideBySide(sides, table, session.id) })),
    ];
    const verdicts: Verdict[] = [];
    for (const compared of tables) verdicts.push(await compare(session.id, compared, onRows));
    return verdicts;
  }, 'isolation level repeatable read read only');
}

async function* sessionRows({ target }: Sides, session: SourceSession): AsyncGenerator<Chunk> {
  const found = await target.session(session.id);
  yield { wanted: [{ ...session }], found: found === undefined ? [] : [{ id: session.id, ...found }] };
}

async function compare(
  session: string,
  { table, chunks }: { table: CopiedTable; chunks: AsyncIterable<Chunk> },
  onRows: (rows: number) => void,
): Promise<Verdict> {
  const [wantedHash, foundHash] = [createHash('sha256'), createHash('sha256')];
  let [rows, foundRows] = [0, 0];
  let place: string | undefined;
  for await (const chunk of chunks) {
    for (const row of chunk.wanted) wantedHash.update(`${canonical(table, row)}\n`);
    for (const row of chunk.found) foundHash.update(`${canonical(table, row)}\n`);
    rows += chunk.wanted.length;
    foundRows += chunk.found.length;
    place ??= firstDifference(table, chunk);
    onRows(chunk.wanted.length);
  }
  return {
    session,
    table,
    rows,
    foundRows,
    place,
    sha256: wantedHash.digest('hex'),
    foundSha256: foundHash.digest('hex'),
  };
}

function firstDifference(table: CopiedTable, { wanted, found }: Chunk): string | undefined {
  const length = Math.max(wanted.length, found.length);
  for (let index = 0; index < length; index += 1) {
    const [want, have] = [wanted[index], found[index]];
    if (want !== undefined && have !== undefined && canonical(table, want) === canonical(table, have)) continue;
    const row = want ?? have;
    return row === undefined ? undefined : keyOf(table, row);
  }
  return undefined;
}
