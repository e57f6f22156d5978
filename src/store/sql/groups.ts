// Group rows: SQL that is the same in both databases.
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

interface GroupRow {
  name: string;
  members: string[];
}

/** By name. */
export function* listGroupRows(tx: Statements, sessionId: string, limit: number): Steps<GroupRow[]> {
  // uses agent_group's key
  const rows = yield* tx.all<{ name: string; members: string }>(
    'select name, members from agent_group where session_id = ? order by name limit ?',
    [sessionId, limit],
  );
  // Sorted here: PostgreSQL's collation depends on the installation.
  return rows
    .map(({ name, members }) => ({ name, members: JSON.parse(members) as string[] }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function* saveGroups(tx: Statements, sessionId: string, groups: readonly GroupRow[]): Steps<void> {
  yield* tx.factsChange(sessionId, 'groups');
  for (const { name, members } of groups) {
    yield* tx.run(
      `insert into agent_group (session_id, name, members) values (?, ?, ?)
       on conflict (session_id, name) do update set members = excluded.members`,
      [sessionId, name, JSON.stringify(members)],
    );
  }
}

export function* deleteGroup(tx: Statements, sessionId: string, name: string): Steps<void> {
  yield* tx.factsChange(sessionId, 'groups');
  yield* tx.run('delete from agent_group where session_id = ? and name = ?', [sessionId, name]);
}
