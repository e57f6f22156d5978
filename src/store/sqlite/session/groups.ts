// Groups and who is in them. `all` is no row: it is whoever is registered and was seen lately.
import { everyoneGroup, foundingGroups } from '../../../contract/ids.js';
import { limits } from '../../../contract/limits.js';
import { decideGroup, everyoneSince, requireRemovable } from '../../../group/decide-group.js';
import type { GroupRecord, Store } from '../../../ports/store.js';
import { ensureSession, findSession } from './sessions.js';
import type { Tx } from '../writer/transaction.js';

/** Undefined when there is no such group. Names that no agent is registered under are in it, too. */
export function groupMembers(
  tx: Tx,
  { sessionId, name, now }: { sessionId: string; name: string; now: number },
): string[] | undefined {
  if (name === everyoneGroup) return everyone(tx, sessionId, now);
  const row = tx.get<{ members: string }>(
    'select members from agent_group where session_id = ? and name = ?',
    sessionId,
    name,
  );
  return row === undefined ? undefined : (JSON.parse(row.members) as string[]);
}

export function isGroup(tx: Tx, sessionId: string, name: string): boolean {
  return (
    name === everyoneGroup ||
    tx.get('select 1 from agent_group where session_id = ? and name = ?', sessionId, name) !== undefined
  );
}

/** In order of registration. Without a limit: a message to everyone must miss no one. */
function everyone(tx: Tx, sessionId: string, now: number): string[] {
  // uses agent's key
  return tx
    .all<{ id: string }>(
      'select id from agent where session_id = ? and last_seen_at > ? order by registered_at, id',
      ...[sessionId, everyoneSince(now, limits.allDays)],
    )
    .map(({ id }) => id);
}

export function listGroups(tx: Tx, { sessionId, now }: Parameters<Store['listGroups']>[0]): GroupRecord[] {
  const all: GroupRecord = { name: everyoneGroup, members: everyone(tx, sessionId, now), unknownMembers: [] };
  // A session is made by its first agent; until then its groups are those it will have.
  if (findSession(tx, sessionId) === undefined) {
    return [all, ...foundingGroups.toSorted().map((name) => ({ name, members: [], unknownMembers: [] }))];
  }
  // uses agent_group's key
  const rows = tx.all<{ name: string; members: string }>(
    'select name, members from agent_group where session_id = ? order by name limit ?',
    ...[sessionId, limits.groups],
  );
  const groups = rows.map(({ name, members }) => ({ name, members: JSON.parse(members) as string[] }));
  const agents = registeredAmong(
    tx,
    sessionId,
    groups.flatMap(({ members }) => members),
  );
  return [all, ...groups.map((group) => ({ ...group, unknownMembers: group.members.filter((id) => !agents.has(id)) }))];
}

export function setGroups(tx: Tx, plan: Parameters<Store['setGroups']>[0]): GroupRecord[] {
  const { sessionId } = plan;
  const names = new Set([...groupNames(tx, sessionId), ...plan.groups.map(({ name }) => name)]);
  const decided = plan.groups.map((group) => {
    const agents = registeredAmong(tx, sessionId, [group.name, ...group.members]);
    const { members, unknownMembers } = decideGroup(group, { agents, groups: names, groupsMax: limits.groups });
    return { name: group.name, members, unknownMembers };
  });
  ensureSession(tx, sessionId, plan.at);
  for (const { name, members } of decided) {
    tx.run(
      `insert into agent_group (session_id, name, members) values (?, ?, ?)
       on conflict (session_id, name) do update set members = excluded.members`,
      ...[sessionId, name, JSON.stringify(members)],
    );
  }
  return decided;
}

export function removeGroup(tx: Tx, { sessionId, name }: Parameters<Store['removeGroup']>[0]): void {
  requireRemovable(name, groupNames(tx, sessionId));
  tx.run('delete from agent_group where session_id = ? and name = ?', sessionId, name);
}

function groupNames(tx: Tx, sessionId: string): Set<string> {
  if (findSession(tx, sessionId) === undefined) return new Set(foundingGroups);
  // uses agent_group's key
  const rows = tx.all<{ name: string }>(
    'select name from agent_group where session_id = ? order by name limit ?',
    ...[sessionId, limits.groups + 1],
  );
  return new Set(rows.map(({ name }) => name));
}

function registeredAmong(tx: Tx, sessionId: string, ids: readonly string[]): Set<string> {
  // uses agent's key, once per name
  const rows = tx.all<{ id: string }>(
    `select distinct a.id as id from json_each(?) given cross join agent a
     on a.session_id = ? and a.id = given.value order by a.id limit ?`,
    ...[JSON.stringify(ids), sessionId, ids.length],
  );
  return new Set(rows.map(({ id }) => id));
}
