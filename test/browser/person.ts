// A person with a browser: pairs it by the link that the command shows, and gets what is pushed.
import type { Page } from 'playwright-core';
import { startCli } from '../cli/run-cli.js';
import { startBrowser, type BrowserOptions, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import type { PushService, ReceivedPush } from '../support/push-service.js';

export interface PairedBrowser {
  browser: TestBrowser;
  /** The inbox. */
  page: Page;
}

interface HubRef {
  url: string;
  flags: string[];
}

/** The command runs until the device is paired. */
export async function startPairing({ flags }: HubRef) {
  const command = startCli(['pair', ...flags]);
  await command.shows(/\/app\/pair#\S+[\s\S]*[0-9A-Z]{4}-[0-9A-Z]{4}/);
  const shown = command.stdout() + command.stderr();
  const [link = ''] = /http\S+\/app\/pair#\S+/.exec(shown) ?? [];
  const [code = ''] = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(shown.replace(link, '')) ?? [];
  return { command, path: link.slice(new URL(link).origin.length), code };
}

export interface PairOptions extends Omit<BrowserOptions, 'url' | 'push'> {
  push?: PushService;
  /** The device's. */
  name?: string;
}

export async function startPaired(
  hub: HubRef,
  { name = 'phone', ...options }: PairOptions = {},
): Promise<PairedBrowser> {
  const browser = await startBrowser({ url: hub.url, ...options });
  const { command, path } = await startPairing(hub);
  const page = await browser.open(path);
  await page.getByLabel('Name of this device').fill(name);
  await page.getByRole('button', { name: 'Pair this device' }).click();
  await page.getByText(/^Paired\. You are/).waitFor();
  if (options.push !== undefined) {
    await page.getByRole('switch', { name: 'Notify this device' }).click();
    await page.getByRole('button', { name: 'Send a test' }).waitFor();
  }
  const { exitCode, stderr } = await command.end();
  if (exitCode !== 0) throw new Error(`coterie pair: ${stderr}`);
  await page.getByRole('link', { name: 'To the inbox' }).click();
  return { browser, page };
}

/** As a vendor's push service does: hands the first push for which this holds to the browser. */
export async function passOnPush(
  { browser }: PairedBrowser,
  push: PushService,
  isMeant: (push: ReceivedPush) => boolean,
): Promise<ReceivedPush> {
  const received = await eventually('a push arrives', () => push.received.find(isMeant));
  await browser.deliver(received.text);
  return received;
}
