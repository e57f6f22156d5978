// Sessions. The lock on the row of a session is its order lock: who holds it may append messages.
import { randomInt } from 'node:crypto';
import { SessionMemory } from '../connection/hub-memory.js';
import { closureOf, type ClosureRow } from '../../rows/closure-row.js';
import type { Closure } from '../../../ports/store.js';
import type { NewSession } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

interface SessionRow extends ClosureRow {
  salt: number;
  version: number;
}

const columns = 'salt, version, closed_at, close_reason';

function factsIn(row: SessionRow): Pick<SessionMemory, 'salt' | 'version' | 'closure'> {
  return { salt: row.salt, version: row.version, closure: closureOf(row) };
}

/** The session as cached by this hub, or as it is now. Facts are read after the version, so they are never older than it. */
export async function cachedOrCurrentSession(tx: Tx, sessionId: string): Promise<SessionMemory | undefined> {
  let memory = tx.session(sessionId) ?? tx.hubMemory.session(sessionId);
  if (memory === undefined) {
    const row = await tx.get<SessionRow>(`select ${columns} from session where id = ?`, [sessionId]);
    if (row === undefined) return undefined;
    memory = tx.hubMemory.sessionAt(sessionId, factsIn(row));
  }
  tx.rememberSession(sessionId, memory);
  return memory;
}

/** The session as cached in this transaction; read once. */
export async function findSession(tx: Tx, sessionId: string): Promise<SessionMemory | undefined> {
  const known = tx.session(sessionId);
  if (known !== undefined) return known;
  const row = await tx.get<SessionRow>(`select ${columns} from session where id = ?`, [sessionId]);
  if (row === undefined) return undefined;
  // Without the lock it may change at any time: it is cached for this transaction only.
  const memory = new SessionMemory(factsIn(row));
  tx.rememberSession(sessionId, memory);
  return memory;
}

/** Takes the session's order lock. The cache of this hub is valid if the version is unchanged. */
export async function lockOrder(tx: Tx, sessionId: string): Promise<SessionMemory | undefined> {
  const row = await tx.get<SessionRow>(`select ${columns} from session where id = ? for no key update`, [sessionId]);
  // Nothing is locked then: another hub may create the session at any time.
  if (row === undefined) return undefined;
  tx.holdOrder(sessionId);
  const memory = tx.hubMemory.sessionAt(sessionId, factsIn(row));
  tx.rememberSession(sessionId, memory);
  return memory;
}

/** Any number, the same for every hub. */
const nameLock = 4_100_002;

/**
 * For a session that may have no row yet, so that there is none to lock: until the end of the transaction nobody else begins a
 * session of this name, or an import of one. Look whether either is there after this.
 */
export async function lockName(tx: Tx, sessionId: string): Promise<void> {
  await tx.run('select pg_advisory_xact_lock(?, hashtext(?))', [nameLock, sessionId]);
}

export async function countSessions(tx: Tx): Promise<number> {
  return (await tx.get<{ count: number }>('select count(*) as count from session'))?.count ?? 0;
}

export async function insertSession(tx: Tx, sessionId: string, session: NewSession): Promise<boolean> {
  const { at, groups, application, annotations, expiresAt, createdBySession } = session;
  // Another hub may create it at the same time.
  const inserted = await tx.run(
    `insert into session (id, salt, created_at, application, annotations, expires_at, created_by_session)
     values (?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
    [sessionId, randomInt(0x7fff_ffff), at, application, JSON.stringify(annotations), expiresAt, createdBySession],
  );
  const memory = await lockOrder(tx, sessionId);
  if (memory === undefined) throw new Error(`session ${sessionId} vanished inside its own transaction`);
  await tx.run(
    `insert into agent_group (session_id, name, members) select ?, unnest(?::text[]), '[]'
     on conflict (session_id, name) do nothing`,
    [sessionId, groups],
  );
  return inserted === 1;
}

export async function setClosed(tx: Tx, sessionId: string, { at, reason }: Closure): Promise<void> {
  await tx.factsChange(sessionId);
  await tx.run('update session set closed_at = ?, close_reason = ? where id = ?', [at, reason, sessionId]);
}

/** Stable only while the session's order lock is held. */
export async function lastSeqOf(tx: Tx, sessionId: string): Promise<number> {
  // uses message's key
  const row = await tx.get<{ seq: number }>('select seq from message where session_id = ? order by seq desc limit 1', [
    sessionId,
  ]);
  return row?.seq ?? 0;
}

export function requireOrder(tx: Tx, sessionId: string): void {
  tx.requireOrder(sessionId);
}
