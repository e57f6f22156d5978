// `pushManager.subscribe` never settles in Chromium without its vendor's service: a local push service answers it.
import type { BrowserContext } from 'playwright-core';
import type { PushService, Subscription } from './push-service.js';

/** The browser's side of a push service. */
export type BrowserPush = Pick<PushService, 'subscribe'>;

export async function stubPushManager(context: BrowserContext, push: BrowserPush): Promise<void> {
  let current: Subscription | null = null;
  await context.exposeFunction('coterieSubscribe', (key: string) => (current = push.subscribe(key)));
  await context.exposeFunction('coterieSubscription', () => current);
  await context.exposeFunction('coterieUnsubscribe', () => (current = null));
  await context.addInitScript(() => {
    const page = globalThis as unknown as {
      PushManager?: { prototype: object };
      coterieSubscribe(key: string): Promise<Subscription>;
      coterieSubscription(): Promise<Subscription | null>;
      coterieUnsubscribe(): Promise<null>;
    };
    if (page.PushManager === undefined) return;
    const toBase64Url = (bytes: Uint8Array) =>
      btoa(String.fromCodePoint(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    const toBytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.codePointAt(0) ?? 0).buffer;
    const asBrowserHas = (json: Subscription) => ({
      ...json,
      options: { userVisibleOnly: true },
      toJSON: () => json,
      getKey: (name: 'p256dh' | 'auth') => toBytes(json.keys[name]),
      unsubscribe: async () => (await page.coterieUnsubscribe()) === null,
    });
    Object.assign(page.PushManager.prototype, {
      async subscribe(options: { userVisibleOnly?: boolean; applicationServerKey: string | ArrayBuffer | Uint8Array }) {
        if (options.userVisibleOnly !== true) throw new DOMException('must be visible', 'NotAllowedError');
        const { applicationServerKey: key } = options;
        const text = typeof key === 'string' ? key : toBase64Url(new Uint8Array(key));
        return asBrowserHas(await page.coterieSubscribe(text));
      },
      async getSubscription() {
        const json = await page.coterieSubscription();
        return json === null ? null : asBrowserHas(json);
      },
      permissionState: async () => 'granted',
    });
  });
}
