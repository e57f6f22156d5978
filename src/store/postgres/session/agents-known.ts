// Whether agents are registered, and what a send must know of them.
import { senderUnknown } from '../../../message/send/route.js';
import { remember, type AgentMemory } from '../connection/hub-memory.js';
import { findSession } from './sessions.js';
import type { Tx } from '../connection/transaction.js';

/** What a send must know of an agent; undefined when it is not registered. */
export async function recallAgent(tx: Tx, sessionId: string, id: string): Promise<AgentMemory | undefined> {
  return (await recallAgents(tx, sessionId, [id])).get(id);
}

/** Those of them that are registered. What is not remembered is asked for at once. */
export async function recallAgents(
  tx: Tx,
  sessionId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, AgentMemory>> {
  const found = new Map<string, AgentMemory>();
  const session = await findSession(tx, sessionId);
  if (session === undefined) return found;
  const unknown: string[] = [];
  for (const id of new Set(ids)) {
    const known = session.agents.get(id);
    if (known === undefined) unknown.push(id);
    else found.set(id, known);
  }
  if (unknown.length === 0) return found;
  // uses agent's key, once per id
  const rows = await tx.all<AgentMemory & { id: string }>(
    'select id, name, kind from agent where session_id = ? and id = any(?::text[])',
    ...[sessionId, unknown],
  );
  for (const { id, name, kind } of rows) {
    remember(session.agents, id, { name, kind });
    found.set(id, { name, kind });
  }
  return found;
}

export async function isRegistered(tx: Tx, sessionId: string, id: string): Promise<boolean> {
  return (await recallAgent(tx, sessionId, id)) !== undefined;
}

export async function requireAgent(tx: Tx, sessionId: string, id: string): Promise<void> {
  if (!(await isRegistered(tx, sessionId, id))) throw senderUnknown(id);
}
