// Subscribes this browser to pushes of the hub, and ends that.
import { fromBase64url } from '../../../src/signal/envelope/index.js';
import { callHub } from './call-hub.js';
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
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  await callHub('set_channel', subscriptionInput(subscription));
  return 'on';
}

export async function turnPushOff(): Promise<PushState> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  return readPushState();
}
