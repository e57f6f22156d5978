// What the page knows about the hub and about who is signed in.
import { computed, signal } from '@preact/signals';
import { ownerIn, signInName } from './owner.js';
import type { HubInfo } from './types.js';

export const hub = signal<HubInfo | undefined>(undefined);

/** Who the page speaks for; undefined when it must be paired first. */
export const me = computed(() => hub.value?.signedIn?.person ?? hub.value?.localPerson);

/** The same with the sign-in: whose is what the page writes. */
export const speaker = computed(() => ownerIn(hub.value));

/** By which sign-in the page reads. */
export const signInOfPage = computed(() => signInName(hub.value));

/** While a device renews its keys it may be signed in as either; who signed in with a key does not speak for the device. */
export function isByKey(): boolean {
  const signedIn = hub.value?.signedIn;
  return signedIn !== undefined && signedIn.deviceId === undefined;
}

/** What an admin reads of others' mail is recorded. */
export const isAudited = computed(() => hub.value?.mode === 'keys');

/** The hub no longer knows this device. */
export const isRevoked = signal(false);

/** A browser gives push, keys and a worker to https pages, and to those of this machine. */
export const isSecurePage = globalThis.isSecureContext;
