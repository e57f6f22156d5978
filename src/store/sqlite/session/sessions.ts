// Sessions: made on first use in open mode; their salt and last seq are remembered by the one writer.
import { randomInt } from 'node:crypto';
import { foundingGroups } from '../../../contract/ids.js';
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import type { Tx } from '../writer/transaction.js';
import { SessionMemory } from '../writer/writer-memory.js';

export function findSession(tx: Tx, sessionId: string): SessionMemory | undefined {
  const known = tx.memory.session(sessionId);
  if (known !== undefined) return known;
  const row = tx.get<{ salt: number }>('select salt from session where id = ?', sessionId);
  if (row === undefined) return undefined;
  // uses message_by_seq
  const last = tx.get<{ seq: number }>(
    'select seq from message where session_id = ? order by seq desc limit 1',
    sessionId,
  );
  const memory = new SessionMemory(row.salt, last?.seq ?? 0);
  tx.memory.rememberSession(sessionId, memory);
  return memory;
}

export function ensureSession(tx: Tx, sessionId: string, at: number): SessionMemory {
  const known = findSession(tx, sessionId);
  if (known !== undefined) return known;
  const count = tx.get<{ count: number }>('select count(*) as count from session')?.count ?? 0;
  if (count >= limits.sessions) {
    throw new HubError('LIMIT_REACHED', `This hub already has ${count} sessions, the most allowed.`, {
      hint: 'Use one of the existing sessions.',
      details: { limit: limits.sessions },
    });
  }
  const salt = randomInt(0x7fff_ffff);
  tx.run('insert into session (id, salt, created_at) values (?, ?, ?)', sessionId, salt, at);
  for (const name of foundingGroups) {
    tx.run("insert into agent_group (session_id, name, members) values (?, ?, '[]')", sessionId, name);
  }
  const memory = new SessionMemory(salt, 0);
  tx.memory.rememberSession(sessionId, memory);
  return memory;
}
