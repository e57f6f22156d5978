// Sessions. The lock on the row of a session is its order lock: who holds it may append messages.
import { randomInt } from 'node:crypto';
import { SessionMemory } from '../connection/hub-memory.js';
import type { NewSession } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

interface SessionRow {
  salt: number;
  version: number;
}

/** The session as cached in this transaction; read once. */
export async function findSession(tx: Tx, sessionId: string): Promise<SessionMemory | undefined> {
  const known = tx.session(sessionId);
  if (known !== undefined) return known;
  const row = await tx.get<SessionRow>('select salt, version from session where id = ?', [sessionId]);
  if (row === undefined) return undefined;
  // Without the lock it may change at any time: it is cached for this transaction only.
  const memory = new SessionMemory(row.salt, row.version);
  tx.rememberSession(sessionId, memory);
  return memory;
}

/** Takes the session's order lock. The cache of this hub is valid if the version is unchanged. */
export async function lockOrder(tx: Tx, sessionId: string): Promise<SessionMemory | undefined> {
  const row = await tx.get<SessionRow>('select salt, version from session where id = ? for no key update', [sessionId]);
  // Nothing is locked then: another hub may create the session at any time.
  if (row === undefined) return undefined;
  tx.holdOrder(sessionId);
  const memory = tx.hubMemory.sessionAt(sessionId, row.salt, row.version);
  tx.rememberSession(sessionId, memory);
  return memory;
}

export async function countSessions(tx: Tx): Promise<number> {
  return (await tx.get<{ count: number }>('select count(*) as count from session'))?.count ?? 0;
}

export async function insertSession(tx: Tx, sessionId: string, { at, groups }: NewSession): Promise<void> {
  // Another hub may create it at the same time.
  await tx.run('insert into session (id, salt, created_at) values (?, ?, ?) on conflict (id) do nothing', [
    sessionId,
    randomInt(0x7fff_ffff),
    at,
  ]);
  const memory = await lockOrder(tx, sessionId);
  if (memory === undefined) throw new Error(`session ${sessionId} vanished inside its own transaction`);
  await tx.run(
    `insert into agent_group (session_id, name, members) select ?, unnest(?::text[]), '[]'
     on conflict (session_id, name) do nothing`,
    [sessionId, groups],
  );
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
