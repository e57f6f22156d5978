// The live stream /v1/events. One page of the browser holds it and tells the others, because a browser allows six
// connections to a hub over HTTP/1.1.
import { signal } from '@preact/signals';
import { identityHeaders } from './api.js';
import { readEvents } from './event-stream.js';
import { signInOfPage } from './hub.js';
import type { Message } from './types.js';

export interface Connection {
  state: 'connecting' | 'live' | 'reconnecting' | 'refused';
  /** The last time that the page was known to be up to date. */
  asOf?: number;
  /** When the next attempt is made. */
  retryAt?: number;
  /** Attempts since it was last live. */
  failures: number;
}

export const connection = signal<Connection>({ state: 'connecting', failures: 0 });
export const isOnline = signal(navigator.onLine);

/** What has changed: read it again. */
export type Hint = 'signals' | 'messages' | 'all';

/** To the other pages of the same sign-in. */
type Told = ({ connection: Connection } | { hint: Hint } | { message: Message } | { ask: true }) & { signIn?: string };

const silenceMs = 40_000; // The hub sends something every 15 s.
const retryMsMin = 1_000;
const retryMsMax = 30_000;

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('coterie-live');
const listeners = new Set<(hint: Hint) => void>();
const messageListeners = new Set<(message: Message) => void>();
let isLeader = false;
let lastEventId: string | undefined;
let wake = () => {};
let stopping = new AbortController();

/** Answers how to stop. */
export function onHint(listener: (hint: Hint) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Messages as they are committed. What came while there was no stream is read after the hint `all`. Answers how to stop. */
export function onMessage(listener: (message: Message) => void): () => void {
  messageListeners.add(listener);
  return () => messageListeners.delete(listener);
}

export function follow(): void {
  addEventListener('online', () => {
    isOnline.value = true;
    tryNow();
    // The stream may have outlived it.
    tell('all');
  });
  addEventListener('offline', () => {
    isOnline.value = false;
  });
  // The page that holds the stream may be frozen in the background.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    tryNow();
    tell('all');
  });
  channel?.addEventListener('message', (event: MessageEvent<Told>) => hear(event.data));
  tellOthers({ ask: true });
  // Granted when the page that held it is closed.
  if ('locks' in navigator) void navigator.locks.request('coterie-live', lead);
  else void lead();
}

/** Ends the wait before the next attempt. */
export function tryNow(): void {
  wake();
}

/** Who is signed in has changed: the stream must be opened again. */
export function reconnect(): void {
  stopping.abort();
  wake();
}

function tellOthers(told: Told): void {
  channel?.postMessage({ ...told, signIn: signInOfPage.value });
}

function hear(told: Told): void {
  if (told.signIn !== signInOfPage.value) return;
  if ('hint' in told) tell(told.hint);
  else if ('message' in told) tellMessage(told.message);
  else if ('connection' in told) connection.value = told.connection;
  else if (isLeader) publish(connection.value);
}

function tell(what: Hint): void {
  for (const listener of listeners) listener(what);
}

function tellMessage(message: Message): void {
  for (const listener of messageListeners) listener(message);
}

function publish(state: Connection): void {
  connection.value = state;
  tellOthers({ connection: state });
}

function hint(what: Hint): void {
  tell(what);
  tellOthers({ hint: what });
}

function pass(data: string): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub's own event: its shape is the contract's.
  const message = JSON.parse(data) as Message;
  tellMessage(message);
  tellOthers({ message });
}

async function lead(): Promise<never> {
  isLeader = true;
  for (;;) {
    stopping = new AbortController();
    const isRefused = await stream(stopping);
    await waitToRetry(failedToConnect(isRefused));
  }
}

/** Says so; answers how long to wait. */
export function failedToConnect(isRefused = false): number {
  const { asOf, failures } = connection.value;
  const waitMs = Math.min(retryMsMax, retryMsMin * 2 ** failures) * (0.75 + Math.random() / 2);
  publish({
    state: isRefused ? 'refused' : 'reconnecting',
    retryAt: Date.now() + waitMs,
    failures: failures + 1,
    ...(asOf === undefined ? {} : { asOf }),
  });
  return waitMs;
}

export function waitToRetry(ms: number): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
    setTimeout(resolve, ms);
  });
}

/** Follows until the stream ends; whether the hub refused it. */
async function stream(stop: AbortController): Promise<boolean> {
  let watchdog = setTimeout(() => stop.abort(), silenceMs);
  const alive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => stop.abort(), silenceMs);
    if (connection.value.state === 'live') connection.value = { ...connection.value, asOf: Date.now() };
  };
  try {
    const response = await fetch('/v1/events', {
      headers: {
        accept: 'text/event-stream',
        ...identityHeaders(),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: stop.signal,
    });
    if (!response.ok || response.body === null) return response.status === 401 || response.status === 403;
    publish({ state: 'live', failures: 0, asOf: Date.now() });
    // Hints are not kept: what happened in between is read now.
    hint('all');
    for await (const event of readEvents(response.body, alive)) {
      if (event.id !== undefined) lastEventId = event.id;
      if (event.name === 'signals') hint('signals');
      else if (event.name === 'message') {
        pass(event.data);
        hint('messages');
      }
    }
  } catch {
    // Cut, silent for too long, or no network: the next attempt says.
  } finally {
    clearTimeout(watchdog);
  }
  return false;
}
