// Copies the mutable state of a session in one transaction; writes only the differences.
import { markOf, setMark } from './copy-marks.js';
import { differenceOf, sideBySide, type Sides } from './side-by-side.js';
import type { SourceSession } from './source.js';
import { accessKeys, changingTables, sessions, type CopiedTable } from '../rows/tables.js';
import type { Target } from './target.js';

/** Returns how many rows were written or removed, by table. */
export function copyState(sides: Sides, session: SourceSession): Promise<Map<string, number>> {
  const { source, target } = sides;
  return target.transaction(async () => {
    // The session's order lock: sends wait for it.
    await target.query('select 1 as held from session where id = $1 for no key update', [session.id]);
    const changed = new Map<string, number>();
    for (const table of changingTables) changed.set(table.name, await copyTable(sides, table, session.id));
    await copySessionRow(target, session);
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

/** Before the rest: a key closes the hubs of the database, and they read it within a second. */
export function copyKeys(sides: Sides, sessionId: string): Promise<number> {
  const { target } = sides;
  return target.transaction(async () => {
    const changed = await copyTable(sides, accessKeys, sessionId);
    if (changed === 0) return changed;
    await target.query('update key_version set n = n + 1');
    // An interrupted run does not take them for keys made by others.
    await setMark(target, sessionId, (await markOf(target, sessionId))?.seq ?? 0);
    return changed;
  });
}

/** With it a hub of the database that has another secret says so, instead of failing at what it cannot open. */
export async function copyHubIdentity({ source, target }: Sides): Promise<void> {
  const identity = source.hubIdentity();
  if (identity === undefined) return;
  await target.query(
    `insert into hub_identity (kid, encryption, signing, vapid, created_at) values ($1, $2, $3, $4, $5)
     on conflict (kid) do nothing`,
    ['kid', 'encryption', 'signing', 'vapid', 'created_at'].map((column) => identity[column] ?? null),
  );
}

/** With the source's salt, on which message ids depend. Replaces an unused session that a hub created. */
export function ensureSession(target: Target, session: SourceSession): Promise<void> {
  return target.transaction(async () => {
    const columns = ['id', ...sessions.columns];
    await target.query(
      `insert into session (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
       on conflict (id) do update set salt = excluded.salt, created_at = excluded.created_at,
         version = session.version + 1
       where session.salt <> excluded.salt or session.created_at <> excluded.created_at`,
      columns.map((column) => session[column] ?? null),
    );
    if ((await markOf(target, session.id)) === undefined) await setMark(target, session.id, 0);
  });
}

/** Whether it is closed, and what else may change of it. */
async function copySessionRow(target: Target, session: SourceSession): Promise<void> {
  const changes = sessions.columns.map((column, index) => `${column} = $${index + 2}`).join(', ');
  const values = sessions.columns.map((column) => session[column] ?? null);
  await target.query(`update session set ${changes} where id = $1`, [session.id, ...values]);
}

/** Numbers that the source has assigned are not assigned again. */
export async function advanceSequence(target: Target, table: 'dead_letter' | 'audit', last: number): Promise<void> {
  if (last === 0) return;
  const [row] = await target.query("select pg_get_serial_sequence($1, 'id') as name", [table]);
  // As the database returns it: quoted if necessary.
  const sequence = String(row?.['name']);
  await target.query(
    `select setval('${sequence}'::regclass, greatest($1::bigint, (select last_value from ${sequence})))`,
    [last],
  );
}
