// Groups and who is in them. `all` is no row: it is whoever is registered and was seen lately.
import { everyoneGroup, foundingGroups } from '../../../contract/ids.js';
import { limits } from '../../../contract/limits.js';
import { decideGroup, everyoneSince, requireRemovable } from '../../../group/decide-group.js';
import type { GroupRecord, Store } from '../../../ports/store.js';
import { recallAgents } from './agents-known.js';
import { remember } from '../connection/hub-memory.js';
import { ensureSession, findSession } from './sessions.js';
import type { Tx } from '../connection/transaction.js';

/** Undefined when there is no such group. Names that no agent is registered under are in it, too. */
export async function groupMembers(
  tx: Tx,
  { sessionId, name, now }: { sessionId: string; name: string; now: number },
): Promise<string[] | undefined> {
  return name === everyoneGroup ? everyone(tx, sessionId, now) : storedMembers(tx, sessionId, name);
}

export async function isGroup(tx: Tx, sessionId: string, name: string): Promise<boolean> {
  return name === everyoneGroup || (await storedMembers(tx, sessionId, name)) !== undefined;
}

async function storedMembers(tx: Tx, sessionId: string, name: string): Promise<string[] | undefined> {
  const session = await findSession(tx, sessionId);
  const known = session?.groups.get(name);
  if (session === undefined || known !== undefined) return known;
  const row = await tx.get<{ members: string }>(
    'select members from agent_group where session_id = ? and name = ?',
    ...[sessionId, name],
  );
  if (row === undefined) return undefined;
  const members = JSON.parse(row.members) as string[];
  remember(session.groups, name, members);
  return members;
}

/**
 * In order of registration. Without a limit: a message to everyone must miss no one. Never remembered: agents are seen
 * without a new version of the session.
 */
async function everyone(tx: Tx, sessionId: string, now: number): Promise<string[]> {
  // uses agent's key
  const rows = await tx.all<{ id: string }>(
    'select id from agent where session_id = ? and last_seen_at > ? order by registered_at, id collate "C"',
    ...[sessionId, everyoneSince(now, limits.allDays)],
  );
  return rows.map(({ id }) => id);
}

export async function listGroups(
  tx: Tx,
  { sessionId, now }: Parameters<Store['listGroups']>[0],
): Promise<GroupRecord[]> {
  const all: GroupRecord = { name: everyoneGroup, members: await everyone(tx, sessionId, now), unknownMembers: [] };
  // A session is made by its first agent; until then its groups are those it will have.
  if ((await findSession(tx, sessionId)) === undefined) {
    return [all, ...foundingGroups.toSorted().map((name) => ({ name, members: [], unknownMembers: [] }))];
  }
  // uses agent_group's key
  const rows = await tx.all<{ name: string; members: string }>(
    'select name, members from agent_group where session_id = ? order by name collate "C" limit ?',
    ...[sessionId, limits.groups],
  );
  const groups = rows.map(({ name, members }) => ({ name, members: JSON.parse(members) as string[] }));
  const agents = await recallAgents(
    tx,
    sessionId,
    groups.flatMap(({ members }) => members),
  );
  return [all, ...groups.map((group) => ({ ...group, unknownMembers: group.members.filter((id) => !agents.has(id)) }))];
}

export async function setGroups(tx: Tx, plan: Parameters<Store['setGroups']>[0]): Promise<GroupRecord[]> {
  const { sessionId } = plan;
  const groups = new Set([...(await groupNames(tx, sessionId)), ...plan.groups.map(({ name }) => name)]);
  const named = plan.groups.flatMap(({ name, members }) => [name, ...members]);
  const agents = new Set((await recallAgents(tx, sessionId, named)).keys());
  const decided = plan.groups.map((group) => {
    const { members, unknownMembers } = decideGroup(group, { agents, groups, groupsMax: limits.groups });
    return { name: group.name, members, unknownMembers };
  });
  await ensureSession(tx, sessionId, plan.at);
  await tx.factsChange(sessionId);
  // Of a name that was given twice the last one counts, and a statement may write a row only once.
  const lists = new Map(decided.map(({ name, members }) => [name, JSON.stringify(members)]));
  await tx.run(
    `insert into agent_group (session_id, name, members)
     select ?, given.name, given.members from unnest(?::text[], ?::text[]) as given (name, members)
     on conflict (session_id, name) do update set members = excluded.members`,
    ...[sessionId, [...lists.keys()], [...lists.values()]],
  );
  return decided;
}

export async function removeGroup(tx: Tx, { sessionId, name }: Parameters<Store['removeGroup']>[0]): Promise<void> {
  requireRemovable(name, await groupNames(tx, sessionId));
  await tx.factsChange(sessionId);
  await tx.run('delete from agent_group where session_id = ? and name = ?', sessionId, name);
}

async function groupNames(tx: Tx, sessionId: string): Promise<Set<string>> {
  if ((await findSession(tx, sessionId)) === undefined) return new Set(foundingGroups);
  // uses agent_group's key
  const rows = await tx.all<{ name: string }>(
    'select name from agent_group where session_id = ? order by name limit ?',
    ...[sessionId, limits.groups + 1],
  );
  return new Set(rows.map(({ name }) => name));
}
