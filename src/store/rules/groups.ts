// Groups and their members. `all` is not stored: it is every registered agent that was seen recently.
import { everyoneGroup, defaultGroups } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import { decideGroup, everyoneSince, requireRemovable } from '../../group/decide-group.js';
import type { GroupRecord, Store } from '../../ports/store.js';
import { ensureSession } from './sessions.js';
import type { Statements } from './statements.js';
import { agentsSeenSince } from '../sql/agents.js';
import { deleteGroup, listGroupRows, saveGroups } from '../sql/groups.js';
import type { Steps } from './steps.js';

/** Undefined when there is no such group. Includes ids that are not registered. */
export function* membersOf(
  tx: Statements,
  { sessionId, name, now }: { sessionId: string; name: string; now: number },
): Steps<string[] | undefined> {
  if (name === everyoneGroup) return yield* agentsSeenSince(tx, sessionId, everyoneSince(now, limits.allDays));
  return yield* tx.groupMembers(sessionId, name);
}

export function* isGroup(tx: Statements, sessionId: string, name: string): Steps<boolean> {
  return name === everyoneGroup || (yield* tx.groupMembers(sessionId, name)) !== undefined;
}

export function* listGroups(tx: Statements, query: Parameters<Store['listGroups']>[0]): Steps<GroupRecord[]> {
  const { sessionId, now } = query;
  const everyone = yield* agentsSeenSince(tx, sessionId, everyoneSince(now, limits.allDays));
  const groups = yield* storedGroups(tx, sessionId);
  const named = groups.flatMap(({ members }) => members);
  const agents = yield* tx.agentFacts(sessionId, named);
  return [
    { name: everyoneGroup, members: everyone, unknownMembers: [] },
    ...groups.map((group) => ({ ...group, unknownMembers: group.members.filter((id) => !agents.has(id)) })),
  ];
}

/** By name. A session is created by its first use; before that, it has the default groups. */
function* storedGroups(tx: Statements, sessionId: string): Steps<{ name: string; members: string[] }[]> {
  if ((yield* tx.findSession(sessionId)) === undefined) {
    return defaultGroups.toSorted().map((name) => ({ name, members: [] }));
  }
  return yield* listGroupRows(tx, sessionId, limits.groups + 1);
}

function* groupNames(tx: Statements, sessionId: string): Steps<Set<string>> {
  return new Set((yield* storedGroups(tx, sessionId)).map(({ name }) => name));
}

export function* setGroups(tx: Statements, plan: Parameters<Store['setGroups']>[0]): Steps<GroupRecord[]> {
  const { sessionId } = plan;
  const groups = new Set([...(yield* groupNames(tx, sessionId)), ...plan.groups.map(({ name }) => name)]);
  const named = plan.groups.flatMap(({ name, members }) => [name, ...members]);
  const agents = new Set((yield* tx.agentFacts(sessionId, named)).keys());
  const decided = plan.groups.map((group) => {
    const { members, unknownMembers } = decideGroup(group, { agents, groups, groupsMax: limits.groups });
    return { name: group.name, members, unknownMembers };
  });
  yield* ensureSession(tx, sessionId, plan.at);
  yield* saveGroups(tx, sessionId, decided);
  return decided;
}

export function* removeGroup(tx: Statements, { sessionId, name }: Parameters<Store['removeGroup']>[0]): Steps<void> {
  requireRemovable(name, yield* groupNames(tx, sessionId));
  yield* deleteGroup(tx, sessionId, name);
}
