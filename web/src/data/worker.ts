// The service worker, as the page sees it: registered at the start, and listened to.
import { signal } from '@preact/signals';
import { go } from '../app/router.js';
import { onHint } from './live.js';

/** A newer app is installed than the one that this page runs. */
export const isUpdated = signal(false);

export async function startWorker(): Promise<void> {
  // Not on an address that is not https, and not in every private window.
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', (event: MessageEvent<{ navigate?: string }>) => {
    if (typeof event.data.navigate === 'string') go(event.data.navigate);
  });
  // The first worker of this browser takes over too, but brings nothing new.
  let isFirst = navigator.serviceWorker.controller === null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    isUpdated.value = !isFirst;
    isFirst = false;
  });
  const registration = await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  // A new stream may come from another version of the hub.
  onHint((hint) => {
    if (hint === 'all') void registration?.update().catch(() => undefined);
  });
}
