// Allowed names and members of groups. Pure: the store calls it in its transaction with the facts it read.
import { HubError } from '../contract/errors.js';
import { everyoneGroup, systemAgentId } from '../contract/ids.js';
import { looksLikeSystem } from '../contract/input/look-alike.js';

export interface GroupFacts {
  /** Which of the names are registered agents. */
  agents: ReadonlySet<string>;
  /** Names of all groups after the change, this one included. */
  groups: ReadonlySet<string>;
  groupsMax: number;
}

export interface DecidedGroup {
  members: string[];
  /** Members that are not registered yet. They are kept, but only registered members receive messages. */
  unknownMembers: string[];
}

export function decideGroup(plan: { name: string; members: readonly string[] }, facts: GroupFacts): DecidedGroup {
  const { name } = plan;
  if (name === everyoneGroup) throw everyoneIsFixed();
  if (looksLikeSystem(name)) throw reserved(name, name);
  if (facts.agents.has(name)) throw nameIsAgentId(name);
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

/** Agents seen since this time are in `all`. */
export function everyoneSince(now: number, days: number): number {
  return now - days * 24 * 60 * 60 * 1000;
}

export function groupUnknown(name: string): HubError {
  return new HubError('GROUP_UNKNOWN', `No group '${name}'.`, {
    hint: 'Call list_groups for the names, or set_group to create it.',
    details: { group: name },
  });
}

function everyoneIsFixed(): HubError {
  return new HubError('ID_RESERVED', `'${everyoneGroup}' is everyone registered; this group cannot be changed.`, {
    hint: 'Use another name.',
    details: { group: everyoneGroup },
  });
}

function reserved(id: string, group: string): HubError {
  return new HubError('ID_RESERVED', `'${id}' is the hub itself; it cannot be a group or a member of one.`, {
    hint: 'Use another name.',
    details: { group },
  });
}

function nameIsAgentId(name: string): HubError {
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
