// Whether an inbox has room for another waking copy. Each message adds at most one copy, so a count with room for n copies
// stays valid for the next n messages of the session.
import { limits } from '../../../contract/limits.js';
import { remember } from '../connection/hub-memory.js';
import { findSession, lastSeqOf } from '../session/sessions.js';
import type { Inbox, RoomNeeded } from '../../rules/statements.js';
import type { Tx } from '../connection/transaction.js';

/** Requires the session's order lock, so that no message is added in between. */
export async function fullInboxes(tx: Tx, sessionId: string, agentIds: readonly string[]): Promise<string[]> {
  if (agentIds.length === 0) return [];
  const rooms = await roomsUpTo(tx, sessionId, agentIds);
  return agentIds.filter((id) => rooms.get(id) === 0);
}

/** Requires the session's order lock. */
export async function haveRoomFor(tx: Tx, sessionId: string, { agentIds, messages }: RoomNeeded): Promise<boolean> {
  if (agentIds.length === 0) return true;
  const rooms = await roomsUpTo(tx, sessionId, agentIds);
  const needed = (await lastSeqOf(tx, sessionId)) + messages;
  return agentIds.every((id) => (rooms.get(id) ?? 0) >= needed);
}

/** Of this hub alone, without the order lock: at another the limit may be exceeded by what was reopened. */
export function recountRoom(tx: Tx, { sessionId, agentId }: Inbox): void {
  tx.hubMemory.session(sessionId)?.roomUpTo.delete(agentId);
}

export async function forgetRoom(tx: Tx, sessionId: string): Promise<void> {
  await tx.factsChange(sessionId);
}

/**
 * The seq up to which each inbox certainly has room, or 0 if it is full. Without the session's order lock the cached room
 * may already be used up: then the database refuses the send, and the cached session is dropped.
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
  // Read before the count, so that copies added in between are counted twice instead of missed.
  const countedFrom = isOrdered ? lastSeq : await lastSeqOf(tx, sessionId);
  // Committed by others. The search for a lost batch starts here instead of at the first message.
  if (!isOrdered) tx.hubMemory.noteSeq(sessionId, countedFrom);
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
