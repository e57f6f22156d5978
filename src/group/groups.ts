// list_groups, set_group and remove_group, and the groups of the config file.
import { auditEntry } from '../access/audit-entry.js';
import { HubError, type ErrorCode } from '../contract/errors.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import type { GroupView } from '../contract/group.js';
import { defaultSessionId } from '../contract/ids.js';
import type { listGroups as listContract } from '../contract/operations/list-groups.js';
import type { removeGroup as removeContract } from '../contract/operations/remove-group.js';
import type { setGroup as setContract } from '../contract/operations/set-group.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { GroupRecord, Store } from '../ports/store.js';

export interface GroupPorts {
  store: Pick<Store, 'listGroups' | 'setGroups' | 'removeGroup'>;
  clock: Clock;
}

export async function listGroups(
  { store, clock }: GroupPorts,
  { sessionId }: Caller,
  model: ModelReader | undefined,
): Promise<OutputOf<typeof listContract>> {
  const groups = await store.listGroups({ sessionId, now: clock.now() });
  return { groups: groups.map((group) => (model === undefined ? viewGroup(group) : firstMembers(viewGroup(group)))) };
}

const membersShown = 20;

/** A model is shown the first members and the number of the others. */
function firstMembers({ name, members, unknownMembers = [] }: GroupView): GroupView {
  const more = members.length - membersShown;
  const moreUnknown = unknownMembers.length - membersShown;
  return {
    name,
    members: members.slice(0, membersShown),
    ...(more <= 0 ? {} : { moreMembers: more }),
    ...(unknownMembers.length === 0 ? {} : { unknownMembers: unknownMembers.slice(0, membersShown) }),
    ...(moreUnknown <= 0 ? {} : { moreUnknownMembers: moreUnknown }),
  };
}

export async function setGroup(
  { store, clock }: GroupPorts,
  caller: Caller,
  { name, members }: InputOf<typeof setContract>,
): Promise<OutputOf<typeof setContract>> {
  const { sessionId } = caller;
  const at = clock.now();
  const audit = auditEntry(caller, at, 'set_group', name, { members: members.length });
  const [group] = await store.setGroups({ sessionId, groups: [{ name, members }], at, audit });
  if (group === undefined) throw new Error(`group ${name} was neither set nor refused`);
  return { success: true, group: viewGroup(group), unknownMembers: group.unknownMembers };
}

export async function removeGroup(
  { store, clock }: GroupPorts,
  caller: Caller,
  { name }: InputOf<typeof removeContract>,
): Promise<OutputOf<typeof removeContract>> {
  const audit = auditEntry(caller, clock.now(), 'remove_group', name);
  await store.removeGroup({ sessionId: caller.sessionId, name, audit });
  return { success: true, name };
}

const refusals: ReadonlySet<ErrorCode> = new Set(['ID_RESERVED', 'ID_TAKEN', 'INVALID_INPUT', 'LIMIT_REACHED']);

/** Groups in the config file replace stored groups of the same name in the session `default`; others stay unchanged. */
export async function applyConfiguredGroups(
  { store, clock }: GroupPorts,
  configured: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const groups = Object.entries(configured).map(([name, members]) => ({ name, members: [...members] }));
  if (groups.length === 0) return;
  try {
    await store.setGroups({ sessionId: defaultSessionId, groups, at: clock.now(), audit: null });
  } catch (error) {
    if (!(error instanceof HubError) || !refusals.has(error.code)) throw error;
    const message = `"groups.${String(error.details['group'])}" in the config file: ${error.message}`;
    throw new HubError('USAGE', message, { hint: error.hint, cause: error });
  }
}

function viewGroup({ name, members, unknownMembers }: GroupRecord): GroupView {
  return { name, members, ...(unknownMembers.length === 0 ? {} : { unknownMembers }) };
}
