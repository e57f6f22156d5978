// Groups, one line each. Long member lists are truncated; the structured result is complete.
import type { GroupView } from '../group.js';

const namesMax = 50;

export function renderGroups(groups: readonly GroupView[]): string {
  return groups.map(renderGroup).join('\n');
}

export function renderGroup({ name, members, unknownMembers = [] }: GroupView): string {
  const waiting = unknownMembers.length === 0 ? '' : ` (not registered yet: ${namesOf(unknownMembers)})`;
  return `${name}: ${members.length === 0 ? 'no one' : namesOf(members)}${waiting}`;
}

function namesOf(ids: readonly string[]): string {
  const more = ids.length > namesMax ? ` and ${ids.length - namesMax} more` : '';
  return `${ids.slice(0, namesMax).join(', ')}${more}`;
}
