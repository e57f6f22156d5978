// What the page keeps of whoever was signed in with a key goes with the sign-in: by signing out, or when the hub ends it.
import { effect } from '@preact/signals';
import { clear } from '../device/database.js';
import { hub, isByKey, signInOfPage, speaker } from './hub.js';
import { connection } from './live.js';
import { endLetters } from './outbox.js';
import { signInName } from './owner.js';
import { request } from './request.js';
import type { HubInfo } from './types.js';

export async function forgetSignIn(): Promise<void> {
  const owner = speaker.value;
  if (owner !== undefined && isByKey()) await endLetters(owner.by);
  await clear('lists');
}

/** Someone else is signed in: the page is loaded again, so that nothing that was read or written stays in memory. */
export async function startAnew(): Promise<never> {
  await clear('lists');
  location.assign('/');
  return new Promise(() => {});
}

/** The key was revoked, or has expired: nothing that was read stays on the screen or in memory. */
export function followSignIn(): void {
  effect(() => {
    if (connection.value.state === 'refused' && hub.value?.signedIn?.keyId !== undefined) void leave();
  });
}

async function leave(): Promise<void> {
  // The stream of this page is refused as well when another tab has signed in as someone else.
  const now = await request<HubInfo>('/app/hub', { method: 'GET' }).catch(() => undefined);
  if (now?.signedIn !== undefined && signInName(now) !== signInOfPage.value) await startAnew();
  await forgetSignIn().finally(() => {
    location.replace('/app/sign-in?ended');
  });
}
