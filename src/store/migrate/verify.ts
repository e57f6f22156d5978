// Reads every row of both sides in the order of keys: as many, and one SHA-256 for each side that must be the same.
import { createHash } from 'node:crypto';
import { sideBySide, type Sides, type Stretch } from './side-by-side.js';
import type { SourceSession } from './source.js';
import { allTables, canonical, keyOf, type CopiedTable } from './tables.js';

/** Its other columns are the database's own. */
const sessionTable: CopiedTable = {
  name: 'session',
  kind: 'sessions',
  key: ['id'],
  columns: ['salt', 'created_at', 'closed_at'],
};

export interface Verdict {
  session: string;
  table: CopiedTable;
  rows: number;
  foundRows: number;
  sha256: string;
  foundSha256: string;
  /** The first key at which they differ. */
  place: string | undefined;
}

export function isSame({ rows, foundRows, sha256, foundSha256 }: Verdict): boolean {
  return rows === foundRows && sha256 === foundSha256;
}

/** Of one moment of the database. */
export function verifySession(
  sides: Sides,
  session: SourceSession,
  onRows: (rows: number) => void,
): Promise<Verdict[]> {
  return sides.target.transaction(async () => {
    const verdicts = [await compare(session.id, sessionTable, sessionRows(sides, session), onRows)];
    for (const table of allTables)
      verdicts.push(await compare(session.id, table, sideBySide(sides, table, session.id), onRows));
    return verdicts;
  }, 'isolation level repeatable read read only');
}

async function* sessionRows({ target }: Sides, session: SourceSession): AsyncGenerator<Stretch> {
  const found = await target.session(session.id);
  yield { wanted: [{ ...session }], found: found === undefined ? [] : [{ id: session.id, ...found }] };
}

async function compare(
  session: string,
  table: CopiedTable,
  stretches: AsyncIterable<Stretch>,
  onRows: (rows: number) => void,
): Promise<Verdict> {
  const [wantedHash, foundHash] = [createHash('sha256'), createHash('sha256')];
  let [rows, foundRows] = [0, 0];
  let place: string | undefined;
  for await (const stretch of stretches) {
    for (const row of stretch.wanted) wantedHash.update(`${canonical(table, row)}\n`);
    for (const row of stretch.found) foundHash.update(`${canonical(table, row)}\n`);
    rows += stretch.wanted.length;
    foundRows += stretch.found.length;
    place ??= firstDifference(table, stretch);
    onRows(stretch.wanted.length);
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

function firstDifference(table: CopiedTable, { wanted, found }: Stretch): string | undefined {
  const length = Math.max(wanted.length, found.length);
  for (let index = 0; index < length; index += 1) {
    const [want, have] = [wanted[index], found[index]];
    if (want !== undefined && have !== undefined && canonical(table, want) === canonical(table, have)) continue;
    const row = want ?? have;
    return row === undefined ? undefined : keyOf(table, row);
  }
  return undefined;
}
