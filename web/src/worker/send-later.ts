// Asks the browser to wake the worker when there is a connection again. Where it cannot, the page sends when it opens.
declare const self: ServiceWorkerGlobalScope;

export const outboxTag = 'coterie-outbox';

/** Background Sync is not in the standard types: not all browsers have it. */
interface WithSync {
  sync?: { register: (tag: string) => Promise<void> };
}

export async function sendLater(): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Not all browsers have it.
  const { sync } = self.registration as WithSync;
  await sync?.register(outboxTag).catch(() => undefined);
}
