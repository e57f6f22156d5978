// The service worker, as the page sees it: registered at the start, and listened to.
import { go } from '../app/router.js';

export async function startWorker(): Promise<void> {
  // Not on an address that is not https, and not in every private window.
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', (event: MessageEvent<{ navigate?: string }>) => {
    if (typeof event.data.navigate === 'string') go(event.data.navigate);
  });
  await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}
