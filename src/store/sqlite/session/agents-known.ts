// Whether an agent is registered, and what a send must know of it.
import { senderUnknown } from '../../../message/send/route.js';
import { findSession } from './sessions.js';
import type { Tx } from '../writer/transaction.js';
import type { AgentMemory } from '../writer/writer-memory.js';

/** What a send must know of an agent; undefined when it is not registered. */
export function recallAgent(tx: Tx, sessionId: string, id: string): AgentMemory | undefined {
  const session = findSession(tx, sessionId);
  const known = session?.agent(id);
  if (known !== undefined) return known;
  const found = tx.get<AgentMemory>('select name, kind from agent where session_id = ? and id = ?', sessionId, id);
  if (found !== undefined) session?.rememberAgent(id, found);
  return found;
}

export function isRegistered(tx: Tx, sessionId: string, id: string): boolean {
  return recallAgent(tx, sessionId, id) !== undefined;
}

export function requireAgent(tx: Tx, sessionId: string, id: string): void {
  if (!isRegistered(tx, sessionId, id)) throw senderUnknown(id);
}
