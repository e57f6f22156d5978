// Sessions. The writer caches their salt and last seq.
import { randomInt } from 'node:crypto';
import type { NewSession } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';
import { SessionMemory } from '../writer/writer-memory.js';

export function findSession(tx: Tx, sessionId: string): SessionMemory | undefined {
  const known = tx.memory.session(sessionId);
  if (known !== undefined) return known;
  const row = tx.get<{ salt: number }>('select salt from session where id = ?', [sessionId]);
  if (row === undefined) return undefined;
  // uses message_by_seq
  const last = tx.get<{ seq: number }>('select seq from message where session_id = ? order by seq desc limit 1', [
    sessionId,
  ]);
  const memory = new SessionMemory(row.salt, last?.seq ?? 0);
  tx.memory.rememberSession(sessionId, memory);
  return memory;
}

export function countSessions(tx: Tx): number {
  return tx.get<{ count: number }>('select count(*) as count from session')?.count ?? 0;
}

export function insertSession(tx: Tx, sessionId: string, { at, groups }: NewSession): void {
  const salt = randomInt(0x7fff_ffff);
  tx.run('insert into session (id, salt, created_at) values (?, ?, ?)', [sessionId, salt, at]);
  for (const name of groups) {
    tx.run("insert into agent_group (session_id, name, members) values (?, ?, '[]')", [sessionId, name]);
  }
  tx.memory.rememberSession(sessionId, new SessionMemory(salt, 0));
}

export function lastSeqOf(tx: Tx, sessionId: string): number {
  return findSession(tx, sessionId)?.lastSeq ?? 0;
}

/** Nothing to do: the single writer orders all messages. */
export function requireOrder(): void {}
