// A real Chromium with a profile of its own, as a person's device: pages, the service worker, notifications, and push.
// Chromium reaches no push service here, so a local one takes the browser's part in `subscribe` and decrypts; what it
// received is handed to the worker through the DevTools protocol.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type CDPSession, type Page, type Worker } from 'playwright-core';
import { chromiumProgram } from './chromium.js';
import { cleanUpAfter, type Lifetime } from './clean-up.js';
import { eventually } from './eventually.js';
import { stubPushManager, type BrowserPush } from './stub-push-manager.js';

export interface Look {
  width: number;
  height: number;
  theme: 'light' | 'dark';
}

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 860 };

export interface Notice {
  title: string;
  body: string;
  tag: string;
  actions: { action: string; title: string }[];
}

export interface TestBrowser {
  context: BrowserContext;
  /** Opens a page of the app and waits until it has something to show. */
  open(path?: string): Promise<Page>;
  /** What a page must not do: throw, break its content security policy, ask another origin for something. */
  faults: string[];
  /** Hands a decrypted push to the service worker. */
  deliver(data: string): Promise<void>;
  /** What the worker has shown, in order, also what is closed by now. */
  shown(): Promise<Notice[]>;
  /** What is on the screen now. Only once nothing is being shown: Chromium loses it otherwise. */
  onScreen(): Promise<Notice[]>;
  click(tag: string, action?: string): Promise<void>;
  worker(): Promise<Worker>;
  close(): Promise<void>;
}

export interface BrowserOptions extends Lifetime {
  /** The hub's address: the one origin that pages may use. */
  url: string;
  push?: BrowserPush;
  look?: Partial<Look>;
  isTouch?: boolean;
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startBrowser({
  url,
  push,
  look = {},
  isTouch = false,
  ...lifetime
}: BrowserOptions): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'coterie-browser-'));
  const { theme = 'light', ...size } = { ...phone, ...look };
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumProgram(),
    args: flags,
    viewport: size,
    colorScheme: theme,
    hasTouch: isTouch,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['notifications'],
  });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  cleanUpAfter(close, lifetime);
  // Shorter than a test may take, so that a failure names what did not appear.
  context.setDefaultTimeout(20_000);
  const faults = watchForFaults(context, url);
  if (push !== undefined) await stubPushManager(context, push);
  return {
    context,
    faults,
    close,
    async open(path = '/') {
      const page = await context.newPage();
      await page.goto(url + path);
      return page;
    },
    worker: () => workerOf(context),
    ...notificationsOf(context, url),
  };
}

function watchForFaults(context: BrowserContext, url: string): string[] {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
  context.on('console', (message) => {
    if (/content.security.policy/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  context.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const asked = new URL(request.url());
    if (/^https?:|^wss?:/.test(asked.protocol) && asked.origin !== new URL(url).origin)
      faults.push(`asked ${asked.href}`);
  });
  return faults;
}

function notificationsOf(context: BrowserContext, url: string) {
  let connection: Promise<{ cdp: CDPSession; registrationId: string }> | undefined;
  return {
    async deliver(data: string) {
      await keepShown(await workerOf(context));
      connection ??= findRegistration(context, url);
      const { cdp, registrationId } = await connection;
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data });
    },
    async shown() {
      const worker = await workerOf(context);
      return worker.evaluate(() => (globalThis as unknown as { shownNotices?: Notice[] }).shownNotices ?? []);
    },
    async onScreen() {
      const worker = await workerOf(context);
      return worker.evaluate(async () => {
        const { registration, navigator } = globalThis as unknown as WorkerScopeLike;
        const notices = await navigator.locks.request('coterie-notifications', () => registration.getNotifications());
        return notices.map(({ title, body, tag, actions }) => ({ title, body, tag, actions }));
      });
    },
    async click(tag: string, action = '') {
      const worker = await workerOf(context);
      await worker.evaluate(
        async ([wanted, chosen]) => {
          // Chromium has no other way to click: the event is what the worker gets from a person's click.
          const scope = globalThis as unknown as WorkerScopeLike;
          const [notification] = await scope.navigator.locks.request('coterie-notifications', () =>
            scope.registration.getNotifications({ tag: wanted }),
          );
          if (notification === undefined) throw new Error(`no notification ${wanted} is on the screen`);
          scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: chosen }));
        },
        [tag, action] as const,
      );
    },
  };
}

interface ServiceWorkerRegistrationLike {
  getNotifications(filter?: { tag: string }): Promise<Notice[]>;
  showNotification(title: string, options?: Partial<Notice>): Promise<void>;
}

interface WorkerScopeLike {
  /** The app's own lock: Chromium loses a notification that is being shown while others are listed. */
  navigator: { locks: { request<Held>(name: string, hold: () => Promise<Held>): Promise<Held> } };
  registration: ServiceWorkerRegistrationLike;
  dispatchEvent(event: Event): boolean;
  NotificationEvent: new (type: string, init: { notification: Notice; action: string }) => Event;
  shownNotices?: Notice[];
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return eventually('the service worker runs', () => context.serviceWorkers().at(-1));
}

/** `getNotifications` must not be asked while one is being shown, so the worker notes what it has shown. */
async function keepShown(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScopeLike;
    if (scope.shownNotices !== undefined) return;
    const shown: Notice[] = (scope.shownNotices = []);
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (title, options = {}) => {
      await show(title, options);
      const { body = '', tag = '', actions = [] } = options;
      shown.push({ title, body, tag, actions });
    };
  });
}

async function findRegistration(context: BrowserContext, url: string) {
  const page = context.pages().find((candidate) => candidate.url().startsWith(url)) ?? (await context.newPage());
  const cdp = await context.newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(url) && !isDeleted);
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return { cdp, registrationId: await registrationId };
}
