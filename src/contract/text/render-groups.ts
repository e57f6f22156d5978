// Groups, one line each. Long member lists are truncated, and say how many members were left out.
import type { GroupView } from '../group.js';
import { inLine } from './in-line.js';

const namesMax = 50;

export function renderGroups(groups: readonly GroupView[]): string {
  return groups.map(renderGroup).join('\n');
}

export function renderGroup(group: GroupView): string {
  const { name, members, moreMembers = 0, unknownMembers = [], moreUnknownMembers = 0 } = group;
  const waiting =
    unknownMembers.length === 0 ? '' : ` (not registered yet: ${namesOf(unknownMembers, moreUnknownMembers)})`;
  return `${inLine(name)}: ${members.length === 0 ? 'no one' : namesOf(members, moreMembers)}${waiting}`;
}

/** `left` were left out before. */
function namesOf(ids: readonly string[], left: number): string {
  const more = Math.max(0, ids.length - namesMax) + left;
  return `${ids.slice(0, namesMax).map(inLine).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
