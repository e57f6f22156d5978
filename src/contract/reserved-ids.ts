// Ids that no agent and no caller can use.
import { HubError } from './errors.js';
import { placeholderId, systemAgentId } from './ids.js';
import { looksLikeSystem } from './input/look-alike.js';

/** `writtenAs`: the field that holds the id. */
export function refuseReservedId(id: string, writtenAs: string): void {
  if (id === systemAgentId) throw reserved(id, writtenAs, 'is the hub itself; no agent can use this id', 'another id');
  if (id === placeholderId) {
    throw reserved(id, writtenAs, 'only stands for a name', 'a name of its own for each agent, such as builder');
  }
}

/** A new id or name must not be taken for the hub's. Who has one already keeps it. */
export function refuseLookAlike(given: string, writtenAs: string): void {
  if (looksLikeSystem(given)) throw reserved(given, writtenAs, 'would be taken for the hub itself', 'another name');
}

function reserved(id: string, writtenAs: string, why: string, instead: string): HubError {
  return new HubError('ID_RESERVED', `'${id}' ${why}.`, { hint: `Use ${instead}.`, details: { [writtenAs]: id } });
}
