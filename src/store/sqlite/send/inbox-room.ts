// How many more waking copies an inbox has room for. Counted once, then updated in memory by the single writer.
import { limits } from '../../../contract/limits.js';
import { findSession } from '../session/sessions.js';
import type { RoomNeeded } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';

/** An inbox may exceed the limit if the limit was lowered or copies were reopened. */
const overfullCounted = 10_000;

export function fullInboxes(tx: Tx, sessionId: string, agentIds: readonly string[]): string[] {
  return agentIds.filter((id) => roomOf(tx, sessionId, id) <= 0);
}

export function haveRoomFor(tx: Tx, sessionId: string, { agentIds, messages }: RoomNeeded): boolean {
  return agentIds.every((id) => roomOf(tx, sessionId, id) >= messages);
}

export function roomOf(tx: Tx, sessionId: string, agentId: string): number {
  const session = findSession(tx, sessionId);
  const known = session?.room(agentId);
  if (known !== undefined) return known;
  // uses pending's key; bounded by the limit itself
  const row = tx.get<{ count: number }>(
    'select count(*) as count from (select 1 from pending where session_id = ? and agent_id = ? and lane = 0 limit ?)',
    [sessionId, agentId, limits.inbox + overfullCounted],
  );
  const room = limits.inbox - (row?.count ?? 0);
  session?.rememberRoom(agentId, room);
  return room;
}

/** Nothing to do: the writer's count in memory is always exact. */
export function forgetRoom(): void {}
