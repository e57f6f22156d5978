// An administrator sees in plain words what wakes a member, and changes it: by keys alone, on a narrow screen, and as the hub has it.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { output } from '../cli/run-cli.js';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { callWith } from '../support/key-commands.js';
import { keysSeen } from '../support/keys.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { findingsOf, foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

let hub: HubProcess;
let browser: TestBrowser;
const keys = { boss: '', ada: '', ann: '' };
const threads: Record<string, string> = {};

async function as(who: keyof typeof keys, operation: string, input: object = {}) {
  const { status, body } = await callWith(keys[who], hub.url, operation, input);
  expect([operation, status]).toEqual([operation, 200]);
  return body;
}

const prefsOf = async (who: keyof typeof keys) => (await as(who, 'get_notify_prefs')).prefs;

beforeAll(async () => {
  hub = await startHubProcess();
  const make = async (...args: string[]) => (await output([...args, ...hub.flags])).trim();
  keys.boss = await make('keys', 'create', '--agent', 'boss', '--admin');
  keys.ada = await make('keys', 'create', '--agent', 'ada');
  keys.ann = await make('people', 'add', 'ann', '--key');
  await keysSeen(hub.url);
  for (const who of ['boss', 'ada'] as const) await as(who, 'register_agent');
  for (const title of ['Orders', 'Lint rules']) {
    threads[title] = (await as('ada', 'create_thread', { title, participants: ['ann'] })).threadId;
  }
  browser = await startBrowser({ url: hub.url, look: { width: 360 } });
  const page = await browser.open('/app/sign-in');
  await page.getByLabel('Key', { exact: true }).fill(keys.boss);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname !== '/app/sign-in');
  await page.close();
});

async function open(who: string): Promise<Page> {
  const page = await browser.open('/app/admin');
  await page.getByRole('button', { name: `Notifications of ${who}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: `Notifications of ${who}` }).waitFor();
  return page;
}

it('is read in words, changed by keys, saved, and only then what the hub has', async () => {
  const page = await open('ada');
  const form = page.getByRole('form', { name: 'Notifications of ada' });
  await form.getByText('Mentions, replies, direct and urgent messages wake it. It gets all notices.').waitFor();
  const save = form.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  for (const box of [/^Quiet/, 'a thread is closed']) {
    await form.getByLabel(box).focus();
    await page.keyboard.press('Space');
  }
  await form.getByLabel(/^A thread to mute/).fill('Orders');
  await page.keyboard.press('Enter');
  await form.getByLabel(/^A thread to follow/).fill(threads['Lint rules'] ?? '');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Take out Lint rules' }).waitFor();
  // Where one goes on: the button is off by now.
  expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  await form.getByLabel(/^One digest for more/).fill('5');
  expect(await prefsOf('ada')).toMatchObject({ quiet: false, digestCount: 20 });
  // What the member changes meanwhile, and the page did not, stays.
  await as('ada', 'set_notify_prefs', { digestMinutes: 7 });
  await save.focus();
  await page.keyboard.press('Enter');
  await form.getByText('Saved.').waitFor();
  expect(await prefsOf('ada')).toEqual({
    quiet: true,
    muteKinds: ['closed'],
    muteThreads: [threads['Orders']],
    followThreads: [threads['Lint rules']],
    digestCount: 5,
    digestMinutes: 7,
  });
  await form
    .getByText(/^Only urgent messages wake it\. It gets no notice when a thread is closed\. 1 thread is muted/)
    .waitFor();
  // The title became the thread.
  await form.getByRole('button', { name: 'Take out Orders' }).click();
  expect(await form.getByText('Saved.').count()).toBe(0);
  await save.click();
  await form.getByText('Saved.').waitFor();
  expect((await prefsOf('ada')).muteThreads).toEqual([]);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findingsOf(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toEqual([]);
  }
  const { entries } = await as('boss', 'list_audit', { act: 'set_notify_prefs' });
  expect(entries).toMatchObject([
    { actor: 'boss', target: 'ada', details: { changed: ['muteThreads'] } },
    { actor: 'boss', target: 'ada' },
  ]);
  expect(browser.faults).toEqual([]);
  await page.close();
});

it('a person’s too; a refusal is shown, and what was typed stays', async () => {
  const page = await open('ann');
  const form = page.getByRole('form', { name: 'Notifications of ann' });
  await form.getByLabel(/^Quiet/).check();
  await form.getByLabel(/^A thread to mute/).fill('x'.repeat(300));
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('INVALID_INPUT').waitFor();
  expect(await sidewaysScroll(page)).toEqual([]);
  expect((await prefsOf('ann')).quiet).toBe(false);
  await form.getByRole('button', { name: /^Take out x+$/ }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved.').waitFor();
  expect((await prefsOf('ann')).quiet).toBe(true);
  await page.close();
});

it('hostile titles and labels are shown as they are', async () => {
  const titles = Object.values(hostileTexts).map((text) => cut(text, 150));
  for (const title of titles) await as('ada', 'create_thread', { title, participants: [] });
  const { threads: listed } = await as('ada', 'list_threads', { limit: 100 });
  const muteThreads = listed.map(({ threadId }: { threadId: string }) => threadId);
  await as('ada', 'set_notify_prefs', { muteThreads: [...muteThreads, ...titles.map((title) => `- ${title}`)] });
  const page = await open('ada');
  for (const found of [foreignMarkup, strayBidi, rawControls, sidewaysScroll]) expect(await found(page)).toEqual([]);
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  expect(browser.faults).toEqual([]);
  await page.close();
});
