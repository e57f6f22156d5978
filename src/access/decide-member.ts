// Whom an operation is about: the caller, or another member that an admin names. Pure.
import { HubError } from '../contract/errors.js';
import { isAdmin, type Caller } from '../ports/caller.js';

export interface NamedMember {
  operation: string;
  /** Where the caller may name another. */
  field: string;
  given: string | undefined;
}

export function memberMeant(caller: Caller, { operation, field, given }: NamedMember): string {
  const id = given ?? caller.agentId;
  if (id === null) throw idMissing(operation, field);
  if (id !== caller.agentId && !isAdmin(caller)) {
    throw new HubError('FORBIDDEN', `Only an admin may do this for '${id}'.`, {
      hint: `Leave ${field} out to mean yourself.`,
    });
  }
  return id;
}

export function idMissing(operation: string, field: string): HubError {
  return new HubError('IDENTITY_REQUIRED', `${operation} needs the id of an agent.`, { hint: `Give ${field}.` });
}

export function agentUnknown(agentId: string): HubError {
  return new HubError('AGENT_UNKNOWN', `No agent '${agentId}' is registered.`, {
    hint: 'Call list_agents for the ids.',
    details: { agentId },
  });
}
