// What whoever is at this page may do: as the local person of a hub without keys, by a device, a key or an observer's link.
import { computed } from '@preact/signals';
import { hub, me } from './hub.js';

/** An observer is in, and nobody. */
export const isIn = computed(() => hub.value?.signedIn !== undefined || hub.value?.localPerson !== undefined);

/** Who only looks: without a name, it changes nothing. */
export const isObserver = computed(() => isIn.value && me.value === undefined);

/** Whether the page speaks for a person, who has an inbox, devices and quiet hours. */
export const isPerson = computed(() => me.value !== undefined && hub.value?.signedIn?.isPerson !== false);

/** With an admin's key, or as the local person: nobody has to sign in on the machine of a hub without keys. */
export const isAdmin = computed(() => {
  const known = hub.value;
  if (known?.signedIn === undefined) return known?.localPerson !== undefined;
  return known.signedIn.capabilities?.includes('admin') === true;
});
