// What the page knows about the hub and about who is signed in.
import { computed, signal } from '@preact/signals';
import type { HubInfo } from './types.js';

export const hub = signal<HubInfo | undefined>(undefined);

/** Who the page speaks for; undefined when it must be paired first. */
export const me = computed(() => hub.value?.signedIn?.person ?? hub.value?.localPerson);

/** What an admin reads of others' mail is recorded. */
export const isAudited = computed(() => hub.value?.mode === 'keys');

/** The hub no longer knows this device. */
export const isRevoked = signal(false);

/** A browser gives push, keys and a worker to https pages, and to those of this machine. */
export const isSecurePage = globalThis.isSecureContext;
