// Group rows.
import type { Tx } from '../writer/transaction.js';

export function groupMembers(tx: Tx, sessionId: string, name: string): string[] | undefined {
  const row = tx.get<{ members: string }>('select members from agent_group where session_id = ? and name = ?', [
    sessionId,
    name,
  ]);
  return row === undefined ? undefined : (JSON.parse(row.members) as string[]);
}
