// What may become a key, and how a key is refused. Pure: the store calls it in its transaction.
import { HubError } from '../contract/errors.js';

export function keyUnknown(id: string, state?: 'revoked' | 'expired'): HubError {
  const message = state === undefined ? `There is no key '${id}'.` : `The key '${id}' is ${state}.`;
  return new HubError('KEY_UNKNOWN', message, {
    hint: 'list_keys shows the ids. An id is the part of a key between its two underscores, never the whole key.',
    details: { keyId: id },
  });
}

export function sessionUnknown(id: string): HubError {
  return new HubError('SESSION_UNKNOWN', `There is no session '${id}'.`, {
    hint: 'list_sessions shows the sessions that you administer; create_session makes one.',
    details: { sessionId: id },
  });
}

export function keyIsForPerson(id: string): HubError {
  return new HubError('FORBIDDEN', `'${id}' is a person; an agent's key cannot speak for one.`, {
    hint: `On the hub's machine: coterie people add ${id} --key`,
    details: { agentId: id },
  });
}

export function nameIsNoPerson(id: string): HubError {
  return new HubError('ID_TAKEN', `'${id}' is an agent, not a person.`, {
    hint: 'Choose another name for the person. For a key of the agent: coterie keys create --agent ' + id,
    details: { agentId: id },
  });
}
