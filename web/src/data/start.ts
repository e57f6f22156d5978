// What happens when the page is opened: who is signed in, then the lists, then the live stream.
import { effect } from '@preact/signals';
import { get, Unreachable } from './api.js';
import { hub, me } from './hub.js';
import { failedToConnect, follow, onHint, waitToRetry } from './live.js';
import { refresh } from './store.js';
import { followTeam } from './team.js';
import type { HubInfo } from './types.js';

export async function start(): Promise<void> {
  onHint((hint) => void refresh(hint));
  await loadHubAtLast();
  // At once, or when the browser has been paired.
  let isFollowing = false;
  effect(() => {
    if (isFollowing || me.value === undefined) return;
    isFollowing = true;
    // Another page of the browser may hold the stream already.
    void refresh();
    follow();
    followTeam();
  });
}

/** Reads it again after pairing, signing in or out. */
export async function loadHub(): Promise<void> {
  hub.value = await get<HubInfo>('/app/hub');
}

async function loadHubAtLast(): Promise<void> {
  for (;;) {
    try {
      return await loadHub();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await waitToRetry(failedToConnect());
    }
  }
}
