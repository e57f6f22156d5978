// An administrator's page: what it shows and does is what the operations say, and who is no administrator is not offered it.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { output } from '../cli/run-cli.js';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { callWith } from '../support/key-commands.js';
import { keysSeen } from '../support/keys.js';
import { findingsOf, sidewaysScroll } from './page-checks.js';

let hub: HubProcess;
let browser: TestBrowser;
const keys = { boss: '', ann: '' };

beforeAll(async () => {
  hub = await startHubProcess();
  const make = async (...args: string[]) => (await output([...args, ...hub.flags])).trim();
  keys.boss = await make('keys', 'create', '--agent', 'boss', '--admin');
  keys.ann = await make('people', 'add', 'ann', '--key');
  await keysSeen(hub.url);
  browser = await startBrowser({ url: hub.url, look: { width: 360 } });
});

async function asBoss(operation: string, input: object = {}) {
  return (await callWith(keys.boss, hub.url, operation, input)).body;
}

async function signIn(on: TestBrowser, key: string): Promise<Page> {
  const page = await on.open('/app/sign-in');
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname !== '/app/sign-in');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  return page;
}

it('sets groups, makes and revokes keys, makes and closes sessions, changes notices, and lists all of it', async () => {
  const page = await signIn(browser, keys.boss);
  await page.getByRole('link', { name: /^Administration/ }).click();

  const group = page.getByRole('form', { name: 'Set a group' });
  await group.getByLabel('Name of the group').fill('not a name');
  await group.getByRole('button').click();
  await group.getByText('INVALID_INPUT').waitFor();
  await group.getByLabel('Name of the group').fill('reviewers');
  await group.getByLabel(/^Members/).fill('boss, ada');
  await group.getByRole('button').click();
  await page.getByRole('button', { name: 'Change reviewers' }).waitFor();
  const { groups } = await asBoss('list_groups');
  expect(groups).toContainEqual(expect.objectContaining({ name: 'reviewers', members: ['boss', 'ada'] }));

  const form = page.getByRole('form', { name: 'Make a key' });
  await form.getByLabel('Its id').fill('ada');
  await form.getByRole('button', { name: 'Make a key' }).click();
  const secret = await form.locator('.copy code').innerText();
  const keyId = secret.split('_')[1] ?? '';
  await eventually('the key works', async () => (await callWith(secret, hub.url, 'register_agent')).status === 200);
  await page.getByRole('button', { name: `Revoke key ${keyId}` }).click();
  await page.getByRole('button', { name: `Revoke for good key ${keyId}` }).click();
  await eventually('the key ends', async () => (await callWith(secret, hub.url, 'list_agents')).status === 401);

  await page.getByLabel(/^Id of the session/).fill('drill');
  await page.getByRole('button', { name: 'Make a session' }).click();
  await page.getByRole('button', { name: 'Close session drill' }).click();
  await page.getByRole('button', { name: 'Close for good session drill' }).click();
  await page.getByText(/0 messages, closed/).waitFor();

  const notices = page.getByRole('region', { name: 'Texts of notices' });
  await notices.getByText('closed', { exact: true }).click();
  await notices.getByLabel('Text of closed').fill('Over: {title}');
  await page.keyboard.press('Enter');
  await notices.getByText(/^Over: /).waitFor();
  const { templates } = await asBoss('get_notify_templates');
  expect(templates).toContainEqual(expect.objectContaining({ name: 'closed', text: 'Over: {title}' }));

  await page.getByLabel('Operation or command').fill('revoke_key');
  await page.getByRole('button', { name: 'Show' }).click();
  const log = page.getByRole('region', { name: 'Audit log' }).locator('.row');
  await eventually('the log has the one act', async () => (await log.count()) === 1);
  expect(await log.innerText()).toContain(keyId);
  expect(await sidewaysScroll(page)).toEqual([]);
  expect(await findingsOf(page)).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(browser.faults).toEqual([]);
});

it('is not offered to a person without an admin’s rights', async () => {
  const other = await startBrowser({ url: hub.url });
  const page = await signIn(other, keys.ann);
  await page.getByRole('heading', { name: 'About' }).waitFor();
  expect(await page.getByRole('link', { name: /^Administration/ }).count()).toBe(0);
  const direct = await other.open('/app/admin');
  await direct.getByText('This page is for administrators.').waitFor();
});
