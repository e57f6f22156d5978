// What happens when the page is opened: who is signed in, then the lists, then the live stream.
import { get } from './api.js';
import { hub, me } from './hub.js';
import { follow, onHint } from './live.js';
import { refresh } from './store.js';
import type { HubInfo } from './types.js';

export async function start(): Promise<void> {
  onHint((hint) => void refresh(hint));
  await loadHub();
  if (me.value !== undefined) follow();
}

/** Reads it again after pairing, signing in or out. */
export async function loadHub(): Promise<void> {
  hub.value = await get<HubInfo>('/app/hub');
}
