// get_person_prefs, set_person_prefs: when a person wants no push.
import type { PersonPrefs } from '../../contract/signal/channel.js';
import type { setPersonPrefs as contract } from '../../contract/operations/set-person-prefs.js';
import type { InputOf } from '../../contract/operation.js';
import type { Caller } from '../../ports/caller.js';
import type { Store } from '../../ports/store.js';
import { requirePerson } from './require-person.js';

export interface PersonPrefsPorts {
  store: Pick<Store, 'findAgent' | 'readPersonPrefs' | 'setPersonPrefs'>;
}

export async function getPersonPrefs(
  { store }: PersonPrefsPorts,
  caller: Caller,
): Promise<{ person: string; prefs: PersonPrefs }> {
  const personId = await requirePerson(store, caller);
  return { person: personId, prefs: await store.readPersonPrefs({ sessionId: caller.sessionId, personId }) };
}

export async function setPersonPrefs(
  { store }: PersonPrefsPorts,
  caller: Caller,
  { quietHours }: InputOf<typeof contract>,
): Promise<{ success: boolean; prefs: PersonPrefs }> {
  const personId = await requirePerson(store, caller);
  const prefs = { quietHours: quietHours ?? null };
  await store.setPersonPrefs({ sessionId: caller.sessionId, personId, prefs });
  return { success: true, prefs };
}
