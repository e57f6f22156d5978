// Whom a message can be addressed to, for the suggestion in TARGET_UNKNOWN.
import type { Tx } from '../connection/transaction.js';

export async function targetNames(tx: Tx, sessionId: string): Promise<string[]> {
  // uses the keys of agent and agent_group
  const rows = await tx.all<{ id: string }>(
    `select id from agent where session_id = ? union select name from agent_group where session_id = ? order by 1 limit 10000`,
    [sessionId, sessionId],
  );
  return rows.map(({ id }) => id);
}
