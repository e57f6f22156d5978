// Sessions. The writer caches their salt and last seq.
import { randomInt } from 'node:crypto';
import { closureOf, type ClosureRow } from '../../rows/closure-row.js';
import type { Closure } from '../../../ports/store.js';
import type { NewSession } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';
import { SessionMemory } from '../writer/writer-memory.js';

export function findSession(tx: Tx, sessionId: string): SessionMemory | undefined {
  const known = tx.memory.session(sessionId);
  if (known !== undefined) return known;
  const row = tx.get<ClosureRow & { salt: number }>('select salt, closed_at, close_reason from session where id = ?', [
    sessionId,
  ]);
  if (row === undefined) return undefined;
  // uses message_by_seq
  const last = tx.get<{ seq: number }>('select seq from message where session_id = ? order by seq desc limit 1', [
    sessionId,
  ]);
  const memory = new SessionMemory(row.salt, last?.seq ?? 0, closureOf(row));
  tx.memory.rememberSession(sessionId, memory);
  return memory;
}

export function countSessions(tx: Tx): number {
  return tx.get<{ count: number }>('select count(*) as count from session')?.count ?? 0;
}

export function insertSession(tx: Tx, sessionId: string, session: NewSession): boolean {
  const { at, groups, application, annotations, expiresAt, createdBySession } = session;
  const salt = randomInt(0x7fff_ffff);
  tx.run(
    `insert into session (id, salt, created_at, application, annotations, expires_at, created_by_session)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [sessionId, salt, at, application, JSON.stringify(annotations), expiresAt, createdBySession],
  );
  for (const name of groups) {
    tx.run("insert into agent_group (session_id, name, members) values (?, ?, '[]')", [sessionId, name]);
  }
  tx.memory.rememberSession(sessionId, new SessionMemory(salt, 0, null));
  return true;
}

export function setClosed(tx: Tx, sessionId: string, closure: Closure): void {
  tx.run('update session set closed_at = ?, close_reason = ? where id = ?', [closure.at, closure.reason, sessionId]);
  const session = tx.memory.session(sessionId);
  if (session !== undefined) session.closure = closure;
}

export function lastSeqOf(tx: Tx, sessionId: string): number {
  return findSession(tx, sessionId)?.lastSeq ?? 0;
}

/** Nothing to do: there is a single writer. */
export function lockName(): void {}

/** Nothing to do: the single writer orders all messages. */
export function requireOrder(): void {}
