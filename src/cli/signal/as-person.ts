// Who answers: the person that a key or --as names, or the local person of a hub in open mode.
import type { HubChoice } from '../arguments/hub-flags.js';
import { findHub } from '../hub/find-hub.js';

const askMsMax = 5_000;

export async function asPerson(choice: HubChoice): Promise<HubChoice> {
  if (choice.agent !== undefined || choice.key !== undefined) return choice;
  const person = await localPersonOf(findHub(choice));
  return person === undefined ? choice : { ...choice, agent: person };
}

/** Undefined where there is none, or no hub; the call that follows says what is wrong. */
async function localPersonOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/app/hub`, { signal: AbortSignal.timeout(askMsMax) });
    const hub: unknown = await response.json();
    if (typeof hub !== 'object' || hub === null || !('localPerson' in hub)) return undefined;
    return typeof hub.localPerson === 'string' ? hub.localPerson : undefined;
  } catch {
    return undefined;
  }
}
