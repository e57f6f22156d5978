// The push service replaced the subscription: the hub gets the new one, with the same key of the hub.
import { callHub } from '../device/call-hub.js';
import { subscriptionInput } from '../device/subscription-input.js';

declare const self: ServiceWorkerGlobalScope;

export async function resubscribe(old: PushSubscription | null): Promise<void> {
  const key = old?.options.applicationServerKey;
  if (!key) return;
  const subscription = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  await callHub('set_channel', subscriptionInput(subscription));
}
