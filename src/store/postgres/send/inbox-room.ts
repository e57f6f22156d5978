// Whether an inbox takes another waking copy. Each message adds at most one to it, so one count is good for as many
// messages of the session as there was room.
import { limits } from '../../../contract/limits.js';
import { remember } from '../connection/hub-memory.js';
import { findSession, lastSeqOf } from '../session/sessions.js';
import type { RoomNeeded } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

/** Under the session's order: no message comes in between. */
export async function fullInboxes(tx: Tx, sessionId: string, agentIds: readonly string[]): Promise<string[]> {
  if (agentIds.length === 0) return [];
  const rooms = await roomsUpTo(tx, sessionId, agentIds);
  return agentIds.filter((id) => rooms.get(id) === 0);
}

/** Under the session's order. */
export async function haveRoomFor(tx: Tx, sessionId: string, { agentIds, messages }: RoomNeeded): Promise<boolean> {
  if (agentIds.length === 0) return true;
  const rooms = await roomsUpTo(tx, sessionId, agentIds);
  const needed = (await lastSeqOf(tx, sessionId)) + messages;
  return agentIds.every((id) => (rooms.get(id) ?? 0) >= needed);
}

export async function forgetRoom(tx: Tx, sessionId: string): Promise<void> {
  await tx.factsChange(sessionId);
}

/**
 * The seq up to which each inbox surely has room, or 0 where it has none. Without the session's order what is known
 * may be used up already: then the database refuses the send, and all that was known of the session is forgotten.
 */
export async function roomsUpTo(
  tx: Tx,
  sessionId: string,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const session = await findSession(tx, sessionId);
  const isOrdered = tx.holdsOrder(sessionId);
  const lastSeq = isOrdered ? await lastSeqOf(tx, sessionId) : tx.hubMemory.lastSeq(sessionId);
  const rooms = new Map<string, number>();
  const uncounted: string[] = [];
  for (const id of new Set(agentIds)) {
    const known = session?.roomUpTo.get(id) ?? 0;
    if (known > lastSeq) rooms.set(id, known);
    else uncounted.push(id);
  }
  if (uncounted.length === 0) return rooms;
  // Before the count: copies of messages that come between the two are then counted twice, never missed.
  const countedFrom = isOrdered ? lastSeq : await lastSeqOf(tx, sessionId);
  // Others committed it. A batch that is lost is looked for from here on, and not in all of the session.
  if (!isOrdered) tx.hubMemory.sawSeq(sessionId, countedFrom);
  for (const { id, count } of await countWaking(tx, sessionId, uncounted)) {
    const room = count < limits.inbox ? countedFrom + limits.inbox - count : 0;
    rooms.set(id, room);
    if (room > 0 && session !== undefined) remember(session.roomUpTo, id, room);
  }
  return rooms;
}

async function countWaking(tx: Tx, sessionId: string, ids: string[]): Promise<{ id: string; count: number }[]> {
  // uses pending's key, once per id; bounded by the limit itself
  return tx.all(
    `select k.id, w.count from unnest(?::text[]) k (id) cross join lateral (select count(*) as count from
       (select 1 from pending where session_id = ? and agent_id = k.id and lane = 0 limit ?) waking) w`,
    [ids, sessionId, limits.inbox],
  );
}
