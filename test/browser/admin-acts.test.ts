// What an administrator does to members, devices and keys: as the operations say, and all of it is in the audit log.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { output, startCli } from '../cli/run-cli.js';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { callWith } from '../support/key-commands.js';
import { keysSeen } from '../support/keys.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { findingsOf, foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

let hub: HubProcess;
let browser: TestBrowser;
const keys = { boss: '', ada: '', ann: '' };
let threadId = '';

beforeAll(async () => {
  hub = await startHubProcess();
  const make = async (...args: string[]) => (await output([...args, ...hub.flags])).trim();
  keys.boss = await make('keys', 'create', '--agent', 'boss', '--admin');
  keys.ada = await make('keys', 'create', '--agent', 'ada');
  keys.ann = await make('people', 'add', 'ann', '--key');
  await keysSeen(hub.url);
  await callWith(keys.ada, hub.url, 'register_agent');
  const thread = { title: 'Orders', participants: ['ann', 'boss'], initialMessage: 'Begin.' };
  ({ threadId } = (await callWith(keys.ada, hub.url, 'create_thread', thread)).body);
  browser = await startBrowser({ url: hub.url, look: { width: 360 } });
});

async function asBoss(operation: string, input: object = {}) {
  const { status, body } = await callWith(keys.boss, hub.url, operation, input);
  if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body;
}

/** Acts of the log, newest first, with what they were done to. */
async function logged(act: string): Promise<string[]> {
  const { entries } = await asBoss('list_audit', { act });
  return entries.map(({ target }: { target?: string }) => target ?? '');
}

async function signIn(on: TestBrowser, key: string): Promise<Page> {
  const page = await on.open('/app/sign-in');
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname !== '/app/sign-in');
  return page;
}

async function administer(): Promise<Page> {
  const [open] = browser.context.pages().filter((page) => page.url().startsWith(hub.url));
  const page = open ?? (await signIn(browser, keys.boss));
  await page.goto(`${hub.url}/app/admin`);
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  return page;
}

describe('an administrator', () => {
  it('makes a key that may little and ends, and rotates it', async () => {
    const page = await administer();
    const form = page.getByRole('form', { name: 'Make a key' });
    await form.getByLabel('Its id').fill('reader');
    await form.getByLabel('send messages').uncheck();
    await form.getByLabel('ask people and alert them').uncheck();
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await form.getByLabel(/^Works through this day/).fill(day);
    await form.getByRole('button', { name: 'Make a key' }).click();
    const secret = await form.locator('.copy code').innerText();
    const keyId = secret.split('_')[1] ?? '';
    const { keys: listed } = await asBoss('list_keys');
    const made = listed.find(({ id }: { id: string }) => id === keyId);
    expect(made).toMatchObject({ agentId: 'reader', capabilities: ['read'] });
    expect(made.expiresAt.slice(0, 10)).toBe(day);

    await page.getByRole('button', { name: `Rotate key ${keyId}` }).click();
    const rotating = page.getByRole('form', { name: `Rotate key ${keyId}` });
    await rotating.getByLabel('The old key').selectOption('ends at once');
    await rotating.getByRole('button', { name: 'Make the new key' }).click();
    const region = page.getByRole('region', { name: 'Keys' });
    const renewed = await eventually('the new key is shown', async () => {
      const texts = await region.locator('.copy code').allInnerTexts();
      return texts.find((text) => text !== secret);
    });
    await eventually('the old one ends', async () => (await callWith(secret, hub.url, 'list_agents')).status === 401);
    expect((await callWith(renewed, hub.url, 'list_agents')).status).toBe(200);
    expect(await logged('rotate_key')).toContain(keyId);
    expect(await findingsOf(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toEqual([]);
    // The page's own key would sign it out before the new one is shown.
    const own = keys.boss.split('_')[1] ?? '';
    expect(await page.getByRole('button', { name: `Rotate key ${own}` }).count()).toBe(0);
  });

  it('removes an agent after a question, and revokes a device', async () => {
    const doomed = (await asBoss('create_key', { agentId: 'doomed' })).secret;
    await eventually('it registers', async () => (await callWith(doomed, hub.url, 'register_agent')).status === 200);
    await asBoss('send_message', { to: 'doomed', content: 'unread' });
    const { link } = await pairedDevice();
    const page = await administer();
    const members = page.getByRole('region', { name: 'Agents and people' });
    await members.getByRole('button', { name: 'Remove doomed' }).click();
    await members.getByText('1 unread become dead letters').waitFor();
    await members.getByRole('button', { name: 'Remove for good doomed' }).click();
    await members.getByRole('link', { name: 'doomed' }).waitFor({ state: 'detached' });
    expect((await asBoss('list_agents')).agents.map(({ id }: { id: string }) => id)).not.toContain('doomed');
    expect(await logged('remove_agent')).toEqual(['doomed']);
    expect(await members.getByRole('button', { name: /Remove (?:ann|boss)/ }).count()).toBe(0);

    const devices = page.getByRole('region', { name: 'Devices of people' });
    await devices.getByRole('button', { name: /^Revoke .* of ann/ }).click();
    await devices.getByRole('button', { name: /^Revoke for good/ }).click();
    await devices.getByText('No device is paired.').waitFor();
    expect((await asBoss('list_devices')).devices).toEqual([]);
    expect(await logged('revoke_device')).toHaveLength(1);
    await link.getByRole('heading', { name: 'Pair this device' }).first().waitFor();
    expect(browser.faults).toEqual([]);
  });

  async function pairedDevice(): Promise<{ link: Page }> {
    const command = startCli(['pair', '--person', 'ann', ...hub.flags]);
    await command.shows(/\/app\/pair#\S+\s/);
    const phone = await startBrowser({ url: hub.url });
    const page = await phone.open(/\/app\/pair#\S+/.exec(command.stdout())?.[0] ?? '');
    await page.getByRole('button', { name: 'Pair this device' }).click();
    await page.getByText(/^Paired\. You are/).waitFor();
    await command.end();
    return { link: page };
  }

  it('reads another’s receipts when asked, one entry each', async () => {
    const page = await administer();
    await page.goto(`${hub.url}/app/thread/${threadId}`);
    const receipts = page.getByRole('button', { name: 'Receipts of the message of ada' });
    await receipts.first().waitFor();
    expect(await logged('get_receipts')).toEqual([]);
    await receipts.first().click();
    await page.locator('.rcpt summary').first().click();
    await page.locator('.rcpt-list').first().waitFor();
    expect(await logged('get_receipts')).toEqual(['ada']);
    await page.getByText('each reading is in the audit log').first().waitFor({ state: 'attached' });
  });

  it('has the mail of others read once for a view, not with all that comes', async () => {
    const page = await administer();
    const letters = (await logged('get_dead_letters')).length + 1;
    await page.goto(`${hub.url}/app/overview`);
    await eventually('the page has read them', async () => (await logged('get_dead_letters')).length === letters);
    const sent = page.locator('.figures div', { hasText: 'Sent, 1 h' }).locator('dd');
    await sent.getByText(/\d/).waitFor();
    const before = await sent.innerText();
    await callWith(keys.ada, hub.url, 'send_message', { threadId, content: 'More.' });
    await eventually('the numbers are read again', async () => (await sent.innerText()) !== before);
    expect((await logged('get_dead_letters')).length).toBe(letters);
    await page.getByRole('button', { name: 'Read again the dead letters' }).click();
    await eventually('they are read', async () => (await logged('get_dead_letters')).length === letters + 1);
    expect(await logged('list_alerts')).toEqual([]);
  });

  it('sees all of long lists, page by page, and the log of a day', async () => {
    for (let number = 100; number < 160; number += 1) {
      await asBoss('set_group', { name: `g${number}`, members: [] });
      await asBoss('create_session', { sessionId: `s${number}` });
      await asBoss('create_key', { agentId: `k${number}` });
    }
    const page = await administer();
    for (const [region, first, later] of [
      ['Groups', 'g100', 'g159'],
      ['Sessions', 's100', 's159'],
      ['Keys', 'k159', 'k100'],
    ] as const) {
      const list = page.getByRole('region', { name: region });
      await list.locator('b', { hasText: first }).waitFor();
      expect(await list.locator('b', { hasText: later }).count()).toBe(0);
      await list.getByRole('button', { name: 'Next page' }).click();
      await list.locator('b', { hasText: later }).waitFor();
      await list.getByRole('button', { name: 'First page' }).click();
      await list.locator('b', { hasText: first }).waitFor();
    }
    const log = page.getByRole('region', { name: 'Audit log' });
    const rows = log.locator('.row');
    await eventually('a page of the log', async () => (await rows.count()) === 50);
    expect(await rows.filter({ hasText: 'create_key' }).count()).toBeGreaterThan(0);
    await log.getByLabel('Operation or command').fill('set_group');
    await log.getByRole('button', { name: 'Show' }).click();
    // The list without the filter has g159, too.
    await eventually('only these', async () => (await rows.filter({ hasText: 'create_key' }).count()) === 0);
    await log.getByText('g159').first().waitFor();
    await log.getByRole('button', { name: 'Next page' }).click();
    await eventually('its second page', async () => (await rows.count()) === 10);
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    await log.getByLabel('To', { exact: true }).fill(day(-2 * 86_400_000));
    await log.getByRole('button', { name: 'Show' }).click();
    await log.getByText('No entries.').waitFor();
    await log.getByLabel('To', { exact: true }).fill('');
    await log.getByLabel('From', { exact: true }).fill(day(0));
    await log.getByRole('button', { name: 'Show' }).click();
    await eventually('today’s', async () => (await rows.count()) === 50);
    expect(browser.faults).toEqual([]);
  });

  it('makes a link for an observer, who sees none of this', async () => {
    const page = await administer();
    const form = page.getByRole('form', { name: 'Make a key' });
    await form.getByRole('combobox', { name: /^For/ }).selectOption('link');
    await form.getByRole('button', { name: 'Make a link' }).click();
    const link = await form.locator('.copy code').innerText();
    const other = await startBrowser({ url: hub.url });
    const looking = await other.open(link.slice(new URL(link).origin.length));
    await looking.getByText('You are looking on.').waitFor();
    await looking.goto(`${hub.url}/app/admin`);
    await looking.getByText('This page is for administrators.').waitFor();
    const acts = looking.getByRole('button', {
      name: /\b(?:remove|revoke|rotate|make|set|close|join|discard|replay|reply|send|receipts)\b/i,
    });
    for (const path of [
      '/app/threads',
      `/app/thread/${threadId}`,
      '/app/overview',
      '/app/agent/ada',
      '/app/find?q=begin',
    ]) {
      await looking.goto(hub.url + path);
      await looking
        .locator('main a:visible, main p:visible', { hasText: /ada|Orders|Begin/ })
        .first()
        .waitFor();
      expect(await acts.allInnerTexts(), path).toEqual([]);
    }
    expect(other.faults).toEqual([]);
  });

  it('sees hostile texts of others as they are', async () => {
    for (const [index, text] of Object.values(hostileTexts).entries()) {
      const agentId = `mallory-${index}`;
      const { secret } = await asBoss('create_key', { agentId, label: cut(text, 60) });
      const named = { agentName: cut(text, 60) };
      await eventually('it registers', async () => {
        return (await callWith(secret, hub.url, 'register_agent', named)).status === 200;
      });
    }
    const page = await administer();
    await page
      .getByRole('link', { name: /mallory|script/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Remove mallory-1' }).first().click();
    for (const found of [foreignMarkup, strayBidi, rawControls, sidewaysScroll]) expect(await found(page)).toEqual([]);
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
    expect(browser.faults).toEqual([]);
  });
});
