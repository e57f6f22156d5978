// Copies the mutable state of a session in one transaction; writes only the differences.
import { markOf, setMark } from './copy-marks.js';
import { differenceOf, sideBySide, type Sides } from './side-by-side.js';
import type { SourceSession } from './source.js';
import { changingTables, type CopiedTable } from './tables.js';
import type { Target } from './target.js';

/** Returns how many rows were written or removed, by table. */
export function copyState(sides: Sides, session: SourceSession): Promise<Map<string, number>> {
  const { source, target } = sides;
  return target.transaction(async () => {
    // The session's order lock: sends wait for it.
    await target.query('select 1 as held from session where id = $1 for no key update', [session.id]);
    const changed = new Map<string, number>();
    for (const table of changingTables) changed.set(table.name, await copyTable(sides, table, session.id));
    await target.query('update session set closed_at = $2 where id = $1', [session.id, session.closed_at]);
    const seq = source.lastSeq(session.id);
    const mark = await markOf(target, session.id);
    const isChanged = mark?.seq !== seq || [...changed.values()].some((count) => count > 0);
    // Hubs that have cached the session read it again.
    if (isChanged) await target.query('update session set version = version + 1 where id = $1', [session.id]);
    await setMark(target, session.id, seq);
    return changed;
  });
}

async function copyTable(sides: Sides, table: CopiedTable, sessionId: string): Promise<number> {
  let count = 0;
  for await (const chunk of sideBySide(sides, table, sessionId)) {
    const { differing, extra } = differenceOf(table, chunk);
    await sides.target.remove(table, sessionId, extra);
    await sides.target.upsert(table, sessionId, differing);
    count += differing.length + extra.length;
  }
  return count;
}

/** With the source's salt, on which message ids depend. Replaces an unused session that a hub created. */
export function ensureSession(target: Target, { id, salt, created_at, closed_at }: SourceSession): Promise<void> {
  return target.transaction(async () => {
    await target.query(
      `insert into session (id, salt, created_at, closed_at) values ($1, $2, $3, $4)
       on conflict (id) do update set salt = excluded.salt, created_at = excluded.created_at,
         closed_at = excluded.closed_at, version = session.version + 1
       where session.salt <> excluded.salt or session.created_at <> excluded.created_at`,
      [id, salt, created_at, closed_at],
    );
    if ((await markOf(target, id)) === undefined) await setMark(target, id, 0);
  });
}

/** Numbers that the source has assigned are not assigned again. */
export async function advanceDeadLetterSequence(target: Target, last: number): Promise<void> {
  if (last === 0) return;
  const [row] = await target.query("select pg_get_serial_sequence('dead_letter', 'id') as name");
  // As the database returns it: quoted if necessary.
  const sequence = String(row?.['name']);
  await target.query(
    `select setval('${sequence}'::regclass, greatest($1::bigint, (select last_value from ${sequence})))`,
    [last],
  );
}
