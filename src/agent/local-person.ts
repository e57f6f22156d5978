// In open mode one person exists from the start: whoever uses this machine.
import { HubError } from '../contract/errors.js';
import { defaultSessionId } from '../contract/ids.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';

export interface LocalPersonPorts {
  store: Pick<Store, 'addPerson' | 'keyState'>;
  clock: Clock;
  log: Log;
}

/** Returns what the operator should know. A hub whose local person has no name goes on: agents do not need one. */
export async function ensureLocalPerson({ store, clock, log }: LocalPersonPorts, person: string): Promise<string[]> {
  if ((await store.keyState()).hasKeys) return [];
  try {
    const plan = { sessionId: defaultSessionId, id: person, name: null, at: clock.now() };
    await store.addPerson({ ...plan, isUnseen: true, audit: null });
    return [];
  } catch (error) {
    if (!(error instanceof HubError) || !isAboutName(error)) throw error;
    const warning = `'${person}' cannot be the person at this machine: ${error.message}`;
    log.warn('no local person', { person, error: error.message });
    return [`${warning} Questions have no one to go to: start with another --person NAME.`];
  }
}

function isAboutName({ code }: HubError): boolean {
  return code === 'ID_TAKEN' || code === 'ID_RESERVED' || code === 'SESSION_CLOSED';
}
