// Whether an inbox takes another waking copy. Each message adds at most one to it, so one count is good for as many
// messages of the session as there was room.
import { limits } from '../../contract/limits.js';
import { remember } from './hub-memory.js';
import { findSession, lastSeqOf } from './sessions.js';
import type { Tx } from './transaction.js';

/** Asked under the session's order: no message comes in between. */
export async function hasRoom(tx: Tx, sessionId: string, agentId: string): Promise<boolean> {
  return (await roomUpTo(tx, sessionId, agentId)) > 0;
}

/** The seq up to which the inbox surely has room for the next so many messages, or 0 when it has no room for one. */
export async function roomUpTo(tx: Tx, sessionId: string, agentId: string, messages = 1): Promise<number> {
  const session = await findSession(tx, sessionId);
  // Before the count: copies of messages that come between the two are then counted twice, never missed.
  const lastSeq = await lastSeqOf(tx, sessionId);
  const known = session?.roomUpTo.get(agentId);
  if (known !== undefined && known >= lastSeq + messages) return known;
  // uses pending's key; bounded by the limit itself
  const row = await tx.get<{ count: number }>(
    `select count(*) as count from
       (select 1 from pending where session_id = ? and agent_id = ? and lane = 0 limit ?) waking`,
    ...[sessionId, agentId, limits.inbox],
  );
  const room = limits.inbox - (row?.count ?? 0);
  if (room <= 0) return 0;
  if (session !== undefined) remember(session.roomUpTo, agentId, lastSeq + room);
  return lastSeq + room;
}
