// What the page keeps of whoever was signed in with a key goes with the sign-in: by signing out, or when the hub ends it.
import { effect } from '@preact/signals';
import { clear } from '../device/database.js';
import { hub, isByKey, speaker } from './hub.js';
import { connection } from './live.js';
import { endLetters } from './outbox.js';

export async function forgetSignIn(): Promise<void> {
  const owner = speaker.value;
  if (owner !== undefined && isByKey()) await endLetters(owner.by);
  await clear('lists');
}

/** The key was revoked, or has expired: nothing that was read stays on the screen or in memory. */
export function followSignIn(): void {
  effect(() => {
    if (connection.value.state !== 'refused' || hub.value?.signedIn?.keyId === undefined) return;
    void forgetSignIn().finally(() => {
      location.replace('/app/sign-in?ended');
    });
  });
}
