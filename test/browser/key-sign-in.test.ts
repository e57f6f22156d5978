// A browser that is no device: signed in with a key that was pasted once, or by an observer's link.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { output, runCli, startCli } from '../cli/run-cli.js';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { callWith } from '../support/key-commands.js';
import { keysSeen } from '../support/keys.js';
import { findingsOf, sidewaysScroll } from './page-checks.js';

let hub: HubProcess;
const keys = { ann: '', boss: '', ben: '' };
let threadId = '';

beforeAll(async () => {
  hub = await startHubProcess();
  const make = async (...args: string[]) => (await output([...args, ...hub.flags])).trim();
  keys.boss = await make('keys', 'create', '--agent', 'boss', '--admin');
  keys.ben = await make('keys', 'create', '--agent', 'ben');
  keys.ann = await make('people', 'add', 'ann', '--name', 'Ann Lee', '--key');
  await keysSeen(hub.url);
  await callWith(keys.ben, hub.url, 'register_agent');
  const thread = { title: 'Open to all', participants: ['ben'] };
  ({ threadId } = (await callWith(keys.boss, hub.url, 'create_thread', thread)).body);
  await callWith(keys.boss, hub.url, 'send_message', { threadId, content: 'for everyone to see' });
});

async function paste(page: Page, key: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
}

/** Everything that a script of the page could read of it later. */
async function keptIn(page: Page): Promise<string> {
  return page.evaluate<string>(`(async () => {
    const found = [location.href, document.cookie, document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage })];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((resolve) => { const open = indexedDB.open(name); open.onsuccess = () => resolve(open.result); });
      for (const shelf of database.objectStoreNames) {
        found.push(JSON.stringify(await new Promise((resolve) => { const all = database.transaction(shelf).objectStore(shelf).getAll(); all.onsuccess = () => resolve(all.result); })));
      }
      database.close();
    }
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(url);
    return found.join('\\n');
  })()`);
}

async function observerLink(): Promise<{ path: string; keyId: string; secret: string }> {
  const { link, key } = JSON.parse(await output(['observe', '--json', ...hub.flags]));
  return { path: link.slice(new URL(link).origin.length), keyId: key.id, secret: link.split('.').at(-1) };
}

async function open(path: string): Promise<{ browser: TestBrowser; page: Page }> {
  const browser = await startBrowser({ url: hub.url, look: { width: 360 } });
  return { browser, page: await browser.open(path) };
}

describe('a key', () => {
  it('is pasted once, kept nowhere, and ends with a sign-out', async () => {
    const { browser, page } = await open('/');
    await page.getByRole('link', { name: 'sign in with a key' }).click();
    await page.getByRole('heading', { name: 'Sign in with a key' }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toEqual([]);
    await paste(page, 'coterie_wrong');
    await page.getByText('KEY_INVALID').waitFor();
    await paste(page, keys.ben);
    await page.getByText('an agent does not sign in here').waitFor();
    await paste(page, `  ${keys.ann} `);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const { questionId } = (
      await callWith(keys.ben, hub.url, 'ask_question', { question: 'Ship it?', options: ['Yes', 'No'], to: ['ann'] })
    ).body;
    await page.getByRole('article').filter({ hasText: 'Ship it?' }).getByRole('button', { name: 'Yes' }).click();
    const asked = { questionId, waitMs: 20_000 };
    expect((await callWith(keys.ben, hub.url, 'get_response', asked)).body).toMatchObject({ response: 'Yes' });
    const kept = await keptIn(page);
    for (const key of Object.values(keys)) expect(kept).not.toContain(key.slice(21));
    expect(kept).not.toMatch(/coterie_[a-z0-9]{12}_[\w-]{43}/);
    await page.goto(`${hub.url}/app/settings`);
    await page.getByText('with the key').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Pair this device' }).first().waitFor();
    expect(await keptIn(page)).not.toContain('Ship it?');
    expect(browser.faults).toEqual([]);
  });

  it('that is revoked ends what is open, and the page forgets', async () => {
    const { text, id } = await tempAdmin();
    const { browser, page } = await open('/app/sign-in');
    await paste(page, text);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await output(['keys', 'revoke', id, ...hub.flags]);
    await page.getByText('Your sign-in has ended.').waitFor();
    expect(browser.faults).toEqual([]);
  });

  async function tempAdmin(): Promise<{ text: string; id: string }> {
    const text = (await output(['keys', 'create', '--agent', 'chief', '--admin', ...hub.flags])).trim();
    await keysSeen(hub.url);
    return { text, id: text.slice(8, 20) };
  }
});

describe('an observer’s link', () => {
  it('signs in at once, works once, and its secret stays nowhere', async () => {
    const link = await observerLink();
    const { browser, page } = await open(link.path);
    await page.getByText('You are looking on.').waitFor();
    expect(await keptIn(page)).not.toContain(link.secret);
    expect(await page.evaluate<string>('location.href')).not.toContain('#');
    await page.getByRole('link', { name: 'To the threads' }).click();
    await page
      .getByRole('link', { name: /Open to all/ })
      .first()
      .click();
    await page.getByText('for everyone to see').waitFor();
    expect(await page.getByRole('button', { name: /Join|Close thread|New thread/ }).count()).toBe(0);
    await callWith(keys.boss, hub.url, 'send_message', { threadId, content: 'and this came live' });
    await page.getByText('and this came live').waitFor();
    await page.goto(`${hub.url}/app/settings`);
    await page.getByText('Signed in as an observer').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const second = await open(link.path);
    await second.page.getByText('This link does not work').waitFor();
    await output(['keys', 'revoke', link.keyId, ...hub.flags]);
    await page.getByText('Your sign-in has ended.').waitFor();
    expect([...browser.faults, ...second.browser.faults]).toEqual([]);
  });

  it('that is broken says so', async () => {
    const { page } = await open('/app/observe#o-123');
    await page.getByText('This link is not whole').waitFor();
  });

  it('that is pasted over another one, where only the fragment changes, signs in and leaves no secret', async () => {
    const link = await observerLink();
    const { browser, page } = await open('/app/observe#o-123');
    await page.getByText('This link is not whole').waitFor();
    await page.goto(`${hub.url}${link.path}`);
    await page.getByText('You are looking on.').waitFor();
    const next = await observerLink();
    await page.goto(`${hub.url}/app/observe`);
    await page.getByText('This link is not whole').waitFor();
    await page.goto(`${hub.url}${next.path}`);
    await page.getByText('You are signed in as an observer.').waitFor();
    for (const { secret } of [link, next]) expect(await keptIn(page)).not.toContain(secret);
    await page.goto(`${hub.url}/app/observe#o-123`);
    await page.getByText('This link is not whole').waitFor();
    expect(await page.evaluate<string>('location.href')).not.toContain('#');
    expect(browser.faults).toEqual([]);
  });

  it('does not take the place of another sign-in unasked, and leaves the device paired', async () => {
    const command = startCli(['pair', '--person', 'ann', ...hub.flags]);
    await command.shows(/\/app\/pair#\S+\s/);
    const { browser, page } = await open(/\/app\/pair#\S+/.exec(command.stdout())?.[0] ?? '');
    await page.getByRole('button', { name: 'Pair this device' }).click();
    await page.getByText(/^Paired\. You are/).waitFor();
    await command.end();
    await page.goto(`${hub.url}${(await observerLink()).path}`);
    await page.getByText('You are signed in as Ann Lee.').waitFor();
    await page.getByRole('button', { name: 'Look on with this link' }).click();
    await page.getByText('You are looking on.').waitFor();
    await page.goto(`${hub.url}/app/settings`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.goto(`${hub.url}/app/settings`);
    await page.getByText('This device', { exact: false }).first().waitFor();
    expect(browser.faults).toEqual([]);
  });
});

it('a hub without keys asks for no sign-in', async () => {
  const quiet = await startHubProcess();
  const browser = await startBrowser({ url: quiet.url });
  const page = await browser.open('/app/sign-in');
  await page.getByText('This hub has no keys.').waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  expect((await runCli(['observe', ...quiet.flags])).stderr).toContain('has no keys');
});
