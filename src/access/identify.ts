// Turns the claims of a connection and its arguments into a caller. Open mode only: keys will be looked up here.
import { HubError } from '../contract/errors.js';
import { defaultSessionId, idForm, idPattern } from '../contract/ids.js';
import { capabilities, type Operation } from '../contract/operation.js';
import { refuseReservedId } from '../contract/reserved-ids.js';
import type { SpelledInput } from '../contract/input/spelling.js';
import type { Caller, Connection } from '../ports/caller.js';

const everything = new Set(capabilities);

export function identify(operation: Operation, connection: Connection, claimed: SpelledInput['claimedCaller']): Caller {
  const sessionId = connection.session ?? defaultSessionId;
  requireIdForm('session', sessionId);
  const carried = connection.agent;
  if (carried !== undefined && claimed !== undefined && carried !== claimed.id) {
    throw new HubError(
      'IDENTITY_MISMATCH',
      `The connection is '${carried}' but ${claimed.writtenAs} says '${claimed.id}'.`,
      {
        hint: `Leave ${claimed.writtenAs} out, or connect as '${claimed.id}'.`,
        details: { connection: carried, [claimed.writtenAs]: claimed.id },
      },
    );
  }
  const agentId = carried ?? claimed?.id ?? null;
  if (agentId === null && operation.caller === 'required') throw identityRequired(operation);
  if (agentId !== null) requireAgentId(agentId, carried === undefined ? (claimed?.writtenAs ?? 'agent') : 'agent');
  return { sessionId, agentId, capabilities: everything, owner: 'open', connectAs: connection.connectAs };
}

function requireAgentId(id: string, writtenAs: string): void {
  requireIdForm(writtenAs, id);
  refuseReservedId(id, writtenAs);
}

function requireIdForm(field: string, id: string): void {
  if (idPattern.test(id)) return;
  throw new HubError('INVALID_INPUT', `${field}: '${id.slice(0, 80)}' is not an id.`, {
    hint: `An id is ${idForm}.`,
    details: { field },
  });
}

function identityRequired(operation: Operation): HubError {
  const field = operation.callerField ?? 'agentId';
  return new HubError('IDENTITY_REQUIRED', `${operation.name} needs the id of the calling agent.`, {
    hint: `Connect with ?agent=<your id> in the URL or the header coterie-agent, or give ${field}.`,
    details: { field },
  });
}
