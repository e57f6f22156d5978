// Turns a connection and its arguments into a caller. A key decides session and agent; in open mode a caller names itself.
import { HubError } from '../contract/errors.js';
import { defaultSessionId, idForm, idPattern } from '../contract/ids.js';
import { capabilities, type Operation } from '../contract/operation.js';
import { refuseReservedId } from '../contract/reserved-ids.js';
import type { SpelledInput } from '../contract/input/spelling.js';
import type { Caller, Connection, Grant } from '../ports/caller.js';

const everything = new Set(capabilities);

type Claimed = SpelledInput['claimedCaller'];

export function identify(operation: Operation, connection: Connection, claimed: Claimed): Caller {
  const { grant } = connection;
  return grant === null ? openCaller(operation, connection, claimed) : keyCaller(grant, connection, claimed);
}

function openCaller(operation: Operation, connection: Connection, claimed: Claimed): Caller {
  const sessionId = connection.session ?? defaultSessionId;
  requireIdForm('session', sessionId);
  const carried = connection.agent;
  if (carried !== undefined) requireAgreement(`The connection is '${carried}'`, carried, claimed);
  const agentId = carried ?? claimed?.id ?? null;
  if (agentId === null && operation.caller === 'required') throw identityRequired(operation);
  if (agentId !== null) requireAgentId(agentId, carried === undefined ? (claimed?.writtenAs ?? 'agent') : 'agent');
  const { address, isPage, connectAs } = connection;
  return { sessionId, agentId, capabilities: everything, owner: 'open', grant: null, address, isPage, connectAs };
}

/** Names beside the key are not needed; those that are given must agree with it. */
function keyCaller(grant: Grant, connection: Connection, claimed: Claimed): Caller {
  const { sessionId, agentId, capabilities: held } = grant;
  if (connection.session !== undefined && connection.session !== sessionId) {
    throw mismatch('The key is for another session', { id: connection.session, writtenAs: 'session' });
  }
  const key = agentId === null ? 'The key is an observer’s and has no name' : `The key is for '${agentId}'`;
  if (connection.agent !== undefined) requireAgreement(key, agentId, { id: connection.agent, writtenAs: 'agent' });
  requireAgreement(key, agentId, claimed);
  const { address, isPage, connectAs } = connection;
  return { sessionId, agentId, capabilities: held, owner: 'key', grant, address, isPage, connectAs };
}

function requireAgreement(whose: string, id: string | null, claimed: Claimed): void {
  if (claimed !== undefined && claimed.id !== id) throw mismatch(whose, claimed, id);
}

function mismatch(whose: string, claimed: NonNullable<Claimed>, id: string | null = null): HubError {
  const { writtenAs } = claimed;
  const said = claimed.id.slice(0, 80);
  return new HubError('IDENTITY_MISMATCH', `${whose}, but ${writtenAs} says '${said}'.`, {
    hint: `Leave ${writtenAs} out, or connect as '${said}'.`,
    details: { ...(id === null ? {} : { connection: id }), [writtenAs]: said },
  });
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
    hint: `Connect with ?agent=YOUR-NAME in the URL or the header coterie-agent, or give ${field}.`,
    details: { field },
  });
}
