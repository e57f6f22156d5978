// Group rows.
import type { Tx } from '../writer/transaction.js';

export function groupMembers(tx: Tx, sessionId: string, name: string): string[] | undefined {
  const row = tx.get<{ members: string }>('select members from agent_group where session_id = ? and name = ?', [
    sessionId,
    name,
  ]);
  return row === undefined ? undefined : (JSON.parse(row.members) as string[]);
}

export function listGroupRows(tx: Tx, sessionId: string, limit: number): { name: string; members: string[] }[] {
  // uses agent_group's key
  const rows = tx.all<{ name: string; members: string }>(
    'select name, members from agent_group where session_id = ? order by name limit ?',
    [sessionId, limit],
  );
  return rows.map(({ name, members }) => ({ name, members: JSON.parse(members) as string[] }));
}

export function saveGroups(
  tx: Tx,
  sessionId: string,
  groups: readonly { name: string; members: readonly string[] }[],
): void {
  for (const { name, members } of groups) {
    tx.run(
      `insert into agent_group (session_id, name, members) values (?, ?, ?)
       on conflict (session_id, name) do update set members = excluded.members`,
      [sessionId, name, JSON.stringify(members)],
    );
  }
}

export function deleteGroup(tx: Tx, sessionId: string, name: string): void {
  tx.run('delete from agent_group where session_id = ? and name = ?', [sessionId, name]);
}
