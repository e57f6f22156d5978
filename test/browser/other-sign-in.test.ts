// A browser whose sign-in changes: nothing that one person wrote or read there is sent or shown as another.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { output, startCli } from '../cli/run-cli.js';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { callWith } from '../support/key-commands.js';
import { keysSeen } from '../support/keys.js';

let hub: HubProcess;
const keys = { boss: '', ben: '', ann: '', looker: '' };
let threadId = '';

async function make(...args: string[]): Promise<string> {
  return (await output([...args, ...hub.flags])).trim();
}

beforeAll(async () => {
  hub = await startHubProcess();
  keys.boss = await make('keys', 'create', '--agent', 'boss', '--admin');
  keys.ben = await make('keys', 'create', '--agent', 'ben');
  keys.looker = await make('keys', 'create', '--observer');
  keys.ann = await make('people', 'add', 'ann', '--name', 'Ann Lee', '--key');
  await keysSeen(hub.url);
  await callWith(keys.ben, hub.url, 'register_agent');
  const thread = { title: 'Open to all', participants: ['ben', 'ann'] };
  ({ threadId } = (await callWith(keys.boss, hub.url, 'create_thread', thread)).body);
});

/** A key of the administrator chief, who is in the thread. */
async function chiefsKey(): Promise<string> {
  const key = await make('keys', 'create', '--agent', 'chief', '--admin');
  await keysSeen(hub.url);
  await callWith(key, hub.url, 'join_thread', { threadId });
  return key;
}

async function paste(page: Page, key: string): Promise<void> {
  await page.goto(`${hub.url}/app/sign-in`);
  await page.getByRole('button', { name: 'Use another key' }).click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
}

async function startOfAnn(): Promise<{ browser: TestBrowser; page: Page }> {
  const browser = await startBrowser({ url: hub.url, look: desktop });
  const command = startCli(['pair', '--person', 'ann', ...hub.flags]);
  await command.shows(/\/app\/pair#\S+\s/);
  const page = await browser.open(/\/app\/pair#\S+/.exec(command.stdout())?.[0] ?? '');
  await page.getByRole('button', { name: 'Pair this device' }).click();
  await page.getByText(/^Paired\. You are/).waitFor();
  await command.end();
  return { browser, page };
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Write to this thread').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

async function openThread(page: Page): Promise<void> {
  await page.goto(`${hub.url}/app/thread/${threadId}`);
  await page.getByPlaceholder('Write to this thread').waitFor();
}

/** Who said this in the thread. */
async function sendersOf(text: string): Promise<string[]> {
  const { messages } = (await callWith(keys.boss, hub.url, 'get_thread', { threadId, limit: 200 })).body;
  return messages
    .filter(({ content }: { content: unknown }) => JSON.stringify(content).includes(text))
    .map(({ sender }: { sender: string }) => sender);
}

describe('what was written without a connection', () => {
  let browser: TestBrowser;
  let page: Page;
  let key = '';

  beforeEach(async () => {
    ({ browser, page } = await startOfAnn());
    key = await chiefsKey();
    await paste(page, key);
    await openThread(page);
  });

  /** As chief; then the page is closed. */
  async function writeOffline(text: string): Promise<void> {
    await browser.context.setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await write(page, text);
    await page.getByText('Kept on this device').waitFor();
    await page.close();
  }

  /** The device signs in by itself. What waits is tried before what is written last. */
  async function comeBackAsAnn(text: string): Promise<Page> {
    await browser.context.setOffline(false);
    const later = await browser.open('/');
    await eventually('the device is signed in', async () => (await later.evaluate(person).catch(String)) === 'ann');
    await openThread(later);
    await write(later, text);
    await eventually('it is sent', async () => (await sendersOf(text)).length > 0);
    expect(await sendersOf(text)).toEqual(['ann']);
    return later;
  }

  it('is not sent as another when its key is revoked; its writer is told at the next sign-in', async () => {
    await writeOffline('the chief decides alone');
    await output(['keys', 'revoke', key.slice(8, 20), ...hub.flags]);
    const headers = { 'sec-fetch-site': 'same-origin' };
    await eventually('its sign-in has ended', async () => {
      const known = await (await browser.context.request.get(`${hub.url}/app/hub`, { headers })).json();
      return known.signedIn === undefined;
    });
    const later = await comeBackAsAnn('ann is back');
    await sendInWorker(browser);
    expect(await sendersOf('the chief decides alone')).toEqual([]);
    expect(await later.locator('body').innerText()).not.toMatch(/decides alone|not sent/);
    await paste(later, await chiefsKey());
    await later.getByText('1 message was not sent.').waitFor();
    expect(await outboxOf(later)).toBe('[]');
    await later.getByRole('button', { name: 'OK' }).click();
    expect(await later.getByText('was not sent').count()).toBe(0);
    expect(await sendersOf('the chief decides alone')).toEqual([]);
  });

  it('waits until its writer signs in again with the same key', async () => {
    await writeOffline('the chief waits');
    await browser.context.clearCookies();
    const later = await comeBackAsAnn('ann in between');
    await sendInWorker(browser);
    expect(await sendersOf('the chief waits')).toEqual([]);
    await paste(later, key);
    await eventually('it is sent', async () => (await sendersOf('the chief waits')).length > 0);
    expect(await sendersOf('the chief waits')).toEqual(['chief']);
    expect(browser.faults.filter((fault) => !/net::ERR|Failed to fetch/.test(fault))).toEqual([]);
  });

  it('by an earlier version is of the device', async () => {
    const input = { threadId, content: 'from an older page' };
    const letter = { key: '000000000000001-x', operation: 'send_message', input, headers: {}, at: 1 };
    await page.evaluate(`new Promise((resolve) => { const open = indexedDB.open('coterie'); open.onsuccess = () => {
      const put = open.result.transaction('outbox', 'readwrite').objectStore('outbox').put(${JSON.stringify(letter)}, ${JSON.stringify(letter.key)});
      put.onsuccess = resolve; } })`);
    await write(page, 'chief goes on');
    await eventually('it is sent', async () => (await sendersOf('chief goes on')).length > 0);
    expect(await sendersOf('from an older page')).toEqual([]);
    await page.goto(`${hub.url}/app/settings`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await eventually('the device is signed in', async () => (await page.evaluate(person).catch(String)) === 'ann');
    // The page sends when its stream opens, or this does: whichever is first.
    await sendInWorker(browser);
    await eventually('it is sent', async () => (await sendersOf('from an older page')).length > 0);
    expect(await sendersOf('from an older page')).toEqual(['ann']);
  });
});

/** Who is signed in, asked in a page. */
const person = `fetch('/app/hub').then((answer) => answer.json()).then(({ signedIn }) => signedIn?.person)`;

/** As Background Sync does; answers when it is over. */
async function sendInWorker(browser: TestBrowser): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(`(async () => {
    self.dispatchEvent(new SyncEvent('sync', { tag: 'coterie-outbox' }));
    await navigator.locks.request('coterie-outbox', () => undefined);
  })()`);
}

async function outboxOf(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => { const open = indexedDB.open('coterie'); open.onsuccess = () => {
    const all = open.result.transaction('outbox').objectStore('outbox').getAll();
    all.onsuccess = () => resolve(JSON.stringify(all.result)); } })`);
}

describe('another sign-in', () => {
  const secret = 'Private to ann: merge?';

  /** As a link of the app does: the page is not loaded again. */
  async function goWithin(page: Page, path: string): Promise<void> {
    await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'));`);
  }

  async function pasteWithin(page: Page, key: string): Promise<void> {
    await goWithin(page, '/app/sign-in');
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
  }

  it('sees nothing of what the one before read or wrote, in any tab', async () => {
    const asked = { question: secret, options: ['Yes', 'No'], to: ['ann'], threadId };
    const { browser, page } = await startOfAnn();
    await callWith(keys.ben, hub.url, 'ask_question', asked);
    const other = await browser.open('/');
    await other.getByText(secret).first().waitFor();
    await openThread(page);
    await page.getByText(secret).first().waitFor();
    await page.getByPlaceholder('Write to this thread').fill('a draft of ann');
    await pasteWithin(page, keys.looker);
    for (const tab of [page, other]) {
      await tab.getByText('You are looking on.').waitFor();
      await goWithin(tab, `/app/thread/${threadId}`);
      await tab.getByRole('heading', { name: 'Open to all' }).first().waitFor();
      expect(await tab.locator('body').innerText()).not.toContain(secret);
    }
    await pasteWithin(other, keys.boss);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await goWithin(page, `/app/thread/${threadId}`);
    expect(await page.getByPlaceholder('Write to this thread').inputValue()).toBe('');
    expect(await page.locator('body').innerText()).not.toContain(secret);
    expect(browser.faults).toEqual([]);
  });
});
