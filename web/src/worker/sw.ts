// The service worker, served as /sw.js: keeps the app's files, shows pushes, answers from notifications, sends what waits.
import { sendKept } from '../data/outbox.js';
import { signInWith } from '../device/call-hub.js';
import { signIn } from '../device/sign-in.js';
import { receiveClick } from './click.js';
import { receivePush } from './push.js';
import { resubscribe } from './resubscribe.js';
import { outboxTag } from './send-later.js';
import { answerFor, dropOldShells, keepShell } from './shell.js';

declare const self: ServiceWorkerGlobalScope;

signInWith(async (device) => {
  await signIn(device);
  return true;
});

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldShells().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const answer = answerFor(event.request);
  if (answer !== undefined) event.respondWith(answer);
});

self.addEventListener('push', (event) => {
  event.waitUntil(receivePush(event.data));
});

self.addEventListener('notificationclick', (event) => {
  event.waitUntil(receiveClick(event.notification, event.action));
});

// Not all browsers tell the old subscription; then the page subscribes again when it opens.
self.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription = null } = event as Event & { oldSubscription?: PushSubscription | null };
  (event as ExtendableEvent).waitUntil(resubscribe(oldSubscription));
});

self.addEventListener('sync', (event) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Background Sync is not in the standard types.
  const sync = event as ExtendableEvent & { tag: string };
  if (sync.tag === outboxTag) sync.waitUntil(sendKept());
});
