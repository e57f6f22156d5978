// Who may be registered, and with which profile. Pure: the store calls it in its transaction with the facts it read.
import { HubError } from '../contract/errors.js';
import { everyoneGroup } from '../contract/ids.js';
import { refuseLookAlike, refuseReservedId } from '../contract/reserved-ids.js';
import type { AgentRecord, Store } from '../ports/store.js';

export type RegisterPlan = Parameters<Store['registerAgent']>[0];

type Profile = Pick<AgentRecord, 'name' | 'description' | 'capabilities'>;

export function requireMayBeAgent(id: string): void {
  refuseReservedId(id, 'agentId');
}

/** What only a new entry must not be: `twin` is an id or a group's name that differs from this id in case alone. */
export function requireMayBeNew({ id, name }: { id: string; name: string }, twin: string | undefined): void {
  refuseLookAlike(id, 'agentId');
  refuseLookAlike(name, 'agentName');
  const other = id.toLowerCase() === everyoneGroup ? everyoneGroup : twin;
  if (other !== undefined) throw differsInCase(id, other);
}

/** An entry may keep the name that it has. */
export function requireMayBeNamed(name: string, before: string): void {
  if (name !== before) refuseLookAlike(name, 'agentName');
}

export function requireOwner({ id, owner }: RegisterPlan, before: AgentRecord): void {
  // Open mode is over for good: its agents pass to the keys made for their names.
  if (before.owner === owner || before.owner === 'open') return;
  throw new HubError('AGENT_TAKEN', `'${id}' is registered by another owner.`, {
    hint: 'Choose another id, or use the key it was registered with.',
    details: { agentId: id },
  });
}

/** A connection that makes itself known changes nothing of an entry but a description that is missing. */
export function isIntroduced(plan: RegisterPlan, before: AgentRecord): boolean {
  return plan.onlyIfMissing && (plan.description === null || before.description !== '' || before.owner !== plan.owner);
}

/** Fields that are not given keep their value. */
export function decideProfile(plan: RegisterPlan, before?: AgentRecord): Profile {
  return {
    name: plan.name ?? before?.name ?? plan.id,
    description: plan.description ?? before?.description ?? '',
    capabilities: plan.capabilities ?? before?.capabilities ?? [],
  };
}

export function idIsGroupName(id: string): HubError {
  return new HubError('ID_TAKEN', `'${id}' is the name of a group; agents and groups share one namespace.`, {
    hint: 'Choose another id.',
    details: { agentId: id },
  });
}

function differsInCase(id: string, twin: string): HubError {
  return new HubError('ID_TAKEN', `'${id}' differs from '${twin}' only in upper and lower case.`, {
    hint: `If you are '${twin}', use that id. Else choose another one.`,
    details: { agentId: id, existing: twin },
  });
}

export function agentNotRegistered(id: string): HubError {
  return new HubError('AGENT_UNKNOWN', `No agent '${id}' is registered.`, {
    hint: 'Nothing to remove. Call list_agents for the ids.',
    details: { agentId: id },
  });
}
