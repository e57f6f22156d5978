// A push arrives: every one shows a notification, whatever it carries.
import type { PushPayload } from '../../../src/contract/signal/push-payload.js';
import { announce } from '../data/announce.js';
import { withNotifications } from '../data/notifications-lock.js';
import { describePush, describeUnreadable, type Shown } from './notification.js';

declare const self: ServiceWorkerGlobalScope;

export async function receivePush(data: PushMessageData | null): Promise<void> {
  const { title, options } = await describe(data);
  await withNotifications(() => self.registration.showNotification(title, options));
  announce('signals');
}

async function describe(data: PushMessageData | null): Promise<Shown> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub's own payload; one of another shape is caught below.
    const payload = data?.json() as PushPayload | undefined;
    if (payload?.web_push !== 8030) return describeUnreadable();
    return await describePush(payload);
  } catch {
    return describeUnreadable();
  }
}
