// A thread that stays open while its hub is killed, its browser is offline, or its tab sleeps: afterwards it shows what the
// hub has.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { call } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';

let hub: HubProcess;
let browser: TestBrowser;
let page: Page;
let threadId = '';
const as = { agent: 'ada' };

beforeAll(async () => {
  hub = await startHubProcess({ args: ['--port', String(await freePort())] });
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Long night', participants: ['me'] }, as));
  await say('evening');
  browser = await startBrowser({ url: hub.url, look: desktop });
  page = await browser.open(`/app/thread/${threadId}`);
  await showsAll();
});

async function say(content: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await call(hub.url, 'send_message', { threadId, content: `${content} ${time}` }, as);
  }
}

/** On the same folder and port. */
async function killAndStart(): Promise<void> {
  const { url, data } = hub;
  await hub.kill();
  hub = await startHubProcess({ data, isShared: true, args: ['--port', new URL(url).port] });
}

/** Each message once, in the order in which a fresh read gives them. */
async function showsAll(): Promise<void> {
  const { messages } = await call(hub.url, 'get_thread', { threadId, limit: 200 }, as);
  const wanted = messages.map(({ id }: { id: string }) => id);
  const shown = () => page.evaluate<string[]>(`[...document.querySelectorAll('.thread > [id]')].map(({ id }) => id)`);
  await eventually('the page has all', async () => (await shown()).length >= wanted.length, 25_000);
  expect(await shown()).toEqual(wanted);
}

it('loses nothing when the hub is killed and started again', async () => {
  await page.getByText('Live', { exact: true }).waitFor();
  await say('before', 3);
  await killAndStart();
  await say('after', 60);
  await showsAll();
});

it('loses nothing while the browser is offline', async () => {
  await browser.context.setOffline(true);
  await page.getByText(/You are offline/).waitFor();
  // What is open already goes on in Chromium: the hub's end cuts it, and nothing new can be opened.
  await killAndStart();
  await say('unheard', 5);
  expect(await page.getByText('unheard').count()).toBe(0);
  await browser.context.setOffline(false);
  await showsAll();
});

it('loses nothing while the tab sleeps and its stream ends', async () => {
  // Told to freeze (Page.setWebLifecycleState), Chromium let this page run on. Stopped in its next line, it runs nothing.
  const devTools = await browser.context.newCDPSession(page);
  await devTools.send('Debugger.enable');
  const asleep = new Promise((resolve) => devTools.once('Debugger.paused', resolve));
  await devTools.send('Debugger.pause');
  await say('falling asleep');
  await asleep;
  await say('asleep', 3);
  await killAndStart();
  await say('still asleep', 3);
  await devTools.send('Debugger.resume');
  await devTools.detach();
  await showsAll();
  expect(browser.faults.filter((fault) => !/net::ERR|Failed to fetch/.test(fault))).toEqual([]);
});
