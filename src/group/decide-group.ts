// What a group may be called and who may be in it. Pure: the store gathers the facts inside its transaction and asks here.
import { HubError } from '../contract/errors.js';
import { everyoneGroup, systemAgentId } from '../contract/ids.js';

export interface GroupFacts {
  /** Which of the names are registered agents. */
  agents: ReadonlySet<string>;
  /** The names there will be, this one included. */
  groups: ReadonlySet<string>;
  groupsMax: number;
}

export interface DecidedGroup {
  members: string[];
  /** Kept, though no agent is registered under these names yet: only registered ones receive. */
  unknownMembers: string[];
}

export function decideGroup(plan: { name: string; members: readonly string[] }, facts: GroupFacts): DecidedGroup {
  const { name } = plan;
  if (name === everyoneGroup) throw everyoneIsFixed();
  if (name === systemAgentId) throw reserved(name, name);
  if (facts.agents.has(name)) throw namedLikeAgent(name);
  if (facts.groups.size > facts.groupsMax) throw tooMany(name, facts.groupsMax);
  const members = [...new Set(plan.members)];
  if (members.includes(systemAgentId)) throw reserved(systemAgentId, name);
  const nested = members.find((id) => id === everyoneGroup || facts.groups.has(id));
  if (nested !== undefined) throw groupInGroup(nested, name);
  return { members, unknownMembers: members.filter((id) => !facts.agents.has(id)) };
}

export function requireRemovable(name: string, groups: ReadonlySet<string>): void {
  if (name === everyoneGroup) throw everyoneIsFixed();
  if (!groups.has(name)) throw groupUnknown(name);
}

/** Whoever was seen since then is in `all`. */
export function everyoneSince(now: number, days: number): number {
  return now - days * 24 * 60 * 60 * 1000;
}

export function groupUnknown(name: string): HubError {
  return new HubError('GROUP_UNKNOWN', `No group '${name}'.`, {
    hint: 'Call list_groups for the names, or set_group to make it.',
    details: { group: name },
  });
}

function everyoneIsFixed(): HubError {
  return new HubError('ID_RESERVED', `'${everyoneGroup}' is everyone registered; it cannot be changed.`, {
    hint: 'Use another name for a group of your own.',
    details: { group: everyoneGroup },
  });
}

function reserved(id: string, group: string): HubError {
  return new HubError('ID_RESERVED', `'${id}' is the hub itself; it is no group and in none.`, {
    hint: 'Use another name.',
    details: { group },
  });
}

function namedLikeAgent(name: string): HubError {
  return new HubError('ID_TAKEN', `'${name}' is an agent; agents and groups share one namespace.`, {
    hint: 'Choose another name for the group.',
    details: { group: name },
  });
}

function groupInGroup(name: string, group: string): HubError {
  return new HubError('INVALID_INPUT', `members: '${name}' is a group; only agents can be members.`, {
    hint: `Give the members of '${name}' one by one; list_groups has them.`,
    details: { field: 'members', member: name, group },
  });
}

function tooMany(group: string, groupsMax: number): HubError {
  return new HubError('LIMIT_REACHED', `This session already has ${groupsMax} groups, the most allowed.`, {
    hint: 'Remove one with remove_group, or change one of them.',
    details: { limit: groupsMax, group },
  });
}
