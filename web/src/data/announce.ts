// Tells the other tabs and the service worker that something kept on this device has changed.

export type Change = 'outbox' | 'signals' | 'device';
const name = 'coterie';

export function announce(change: Change): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(change);
  channel.close();
}

/** Answers a function that stops listening. */
export function onChange(listener: (change: Change) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', (event: MessageEvent<Change>) => {
    listener(event.data);
  });
  return () => {
    channel.close();
  };
}
