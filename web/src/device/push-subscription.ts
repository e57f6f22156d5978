// Subscribes this browser to pushes of the hub, and ends that.
import { fromBase64url } from '../../../src/signal/envelope/index.js';
import { callHub } from './call-hub.js';
import { read, remove, write } from './database.js';
import { subscriptionInput } from './subscription-input.js';

/** `unsupported`: no push here; on iOS until the app is installed. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

export async function readPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'blocked';
  if (Notification.permission !== 'granted') return 'off';
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off';
}

/** Call it from a click: browsers ask the person only then. */
export async function turnPushOn(vapid: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState();
  const registration = await navigator.serviceWorker.ready;
  const applicationServerKey = fromBase64url(vapid);
  await register(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  return 'on';
}

/** A browser may have replaced the subscription without telling the worker. */
export async function registerAgain(): Promise<void> {
  if ((await readPushState()) !== 'on') return;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription || subscription.endpoint === (await read<string>('own', 'endpoint'))) return;
  await register(subscription);
}

async function register(subscription: PushSubscription): Promise<void> {
  await callHub('set_channel', subscriptionInput(subscription));
  await write('own', 'endpoint', subscription.endpoint);
}

export async function turnPushOff(): Promise<PushState> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await remove('own', 'endpoint');
  return readPushState();
}
