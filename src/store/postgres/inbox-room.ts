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

/** The seq up to which the inbox surely has room, or 0 when it has none. */
export async function roomUpTo(tx: Tx, sessionId: string, agentId: string): Promise<number> {
  return (await roomsUpTo(tx, sessionId, [agentId])).get(agentId) ?? 0;
}

/** The same of several inboxes at once. Where what is known does not reach for so many messages, it is counted anew. */
export async function roomsUpTo(
  tx: Tx,
  sessionId: string,
  agentIds: readonly string[],
  messages = 1,
): Promise<Map<string, number>> {
  const session = await findSession(tx, sessionId);
  // Before the count: copies of messages that come between the two are then counted twice, never missed.
  const lastSeq = await lastSeqOf(tx, sessionId);
  const bounds = new Map<string, number>();
  const uncounted: string[] = [];
  for (const id of new Set(agentIds)) {
    const known = session?.roomUpTo.get(id) ?? 0;
    if (known >= lastSeq + messages) bounds.set(id, known);
    else uncounted.push(id);
  }
  for (const { id, count } of await countWaking(tx, sessionId, uncounted)) {
    const hasRoomNow = count < limits.inbox;
    const bound = hasRoomNow ? lastSeq + limits.inbox - count : 0;
    bounds.set(id, bound);
    if (hasRoomNow && session !== undefined) remember(session.roomUpTo, id, bound);
  }
  return bounds;
}

async function countWaking(tx: Tx, sessionId: string, ids: string[]): Promise<{ id: string; count: number }[]> {
  if (ids.length === 0) return [];
  // uses pending's key, once per id; bounded by the limit itself
  return tx.all(
    `select k.id, w.count from unnest(?::text[]) k (id) cross join lateral (select count(*) as count from
       (select 1 from pending where session_id = ? and agent_id = k.id and lane = 0 limit ?) waking) w`,
    ...[ids, sessionId, limits.inbox],
  );
}
