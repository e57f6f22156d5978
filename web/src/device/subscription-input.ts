// A push subscription as the hub takes it.

/** The input of set_channel; undefined if the browser left out a key. */
export function subscriptionInput(subscription: PushSubscription): object {
  const { endpoint, keys } = subscription.toJSON();
  return { kind: 'web-push', endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } };
}
