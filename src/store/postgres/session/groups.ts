// Group rows, remembered with the session's version.
import { remember } from '../connection/hub-memory.js';
import type { Tx } from '../connection/transaction.js';
import { findSession } from './sessions.js';

export async function groupMembers(tx: Tx, sessionId: string, name: string): Promise<string[] | undefined> {
  const session = await findSession(tx, sessionId);
  const known = session?.groups.get(name);
  if (session === undefined || known !== undefined) return known;
  const row = await tx.get<{ members: string }>('select members from agent_group where session_id = ? and name = ?', [
    sessionId,
    name,
  ]);
  if (row === undefined) return undefined;
  const members = JSON.parse(row.members) as string[];
  remember(session.groups, name, members);
  return members;
}

export async function listGroupRows(
  tx: Tx,
  sessionId: string,
  limit: number,
): Promise<{ name: string; members: string[] }[]> {
  // uses agent_group's key
  const rows = await tx.all<{ name: string; members: string }>(
    'select name, members from agent_group where session_id = ? order by name collate "C" limit ?',
    [sessionId, limit],
  );
  return rows.map(({ name, members }) => ({ name, members: JSON.parse(members) as string[] }));
}

export async function saveGroups(
  tx: Tx,
  sessionId: string,
  groups: readonly { name: string; members: readonly string[] }[],
): Promise<void> {
  await tx.factsChange(sessionId);
  // Of a name that was given twice the last one counts, and a statement may write a row only once.
  const lists = new Map(groups.map(({ name, members }) => [name, JSON.stringify(members)]));
  await tx.run(
    `insert into agent_group (session_id, name, members)
     select ?, given.name, given.members from unnest(?::text[], ?::text[]) as given (name, members)
     on conflict (session_id, name) do update set members = excluded.members`,
    [sessionId, [...lists.keys()], [...lists.values()]],
  );
}

export async function deleteGroup(tx: Tx, sessionId: string, name: string): Promise<void> {
  await tx.factsChange(sessionId);
  await tx.run('delete from agent_group where session_id = ? and name = ?', [sessionId, name]);
}
