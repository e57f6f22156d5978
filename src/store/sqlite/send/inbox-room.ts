// How many more waking copies an inbox takes. Counted once, then kept up to date by the one writer.
import { limits } from '../../../contract/limits.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

/** An inbox may hold more than the limit, when that was lowered or copies came back. */
const overfullCounted = 10_000;

export function hasRoom(tx: Tx, sessionId: string, agentId: string): boolean {
  const session = findSession(tx, sessionId);
  const known = session?.room(agentId);
  if (known !== undefined) return known > 0;
  // uses pending's key; bounded by the limit itself
  const row = tx.get<{ count: number }>(
    'select count(*) as count from (select 1 from pending where session_id = ? and agent_id = ? and lane = 0 limit ?)',
    ...[sessionId, agentId, limits.inbox + overfullCounted],
  );
  const room = limits.inbox - (row?.count ?? 0);
  session?.rememberRoom(agentId, room);
  return room > 0;
}
