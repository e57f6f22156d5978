// Every message has a link: also one between two others, and one with a label in place of a thread.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { everyBlock } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { findingsOf, foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

const hub = useHub();
let browser: TestBrowser;

const as = (agent: string) => ({ agent });

async function send(input: object): Promise<string> {
  return (await call(hub.url, 'send_message', input, as('ada'))).messageId;
}

beforeAll(async () => {
  for (const agent of ['ada', 'ben']) await call(hub.url, 'register_agent', {}, as(agent));
  browser = await startBrowser({ url: hub.url, look: { width: 360 } });
});

async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  for (const found of [foreignMarkup, strayBidi, rawControls, sidewaysScroll]) expect(await found(page)).toEqual([]);
  expect(browser.faults).toEqual([]);
}

describe('a message between two others', () => {
  it('is found, and opened with its receipts and what it answers', async () => {
    const first = await send({ to: 'ben', content: 'Is the mangrove ready?' });
    const answer = { to: 'ada', content: 'The mangrove is ready.', replyTo: first };
    await call(hub.url, 'send_message', answer, as('ben'));
    const page = await browser.open('/app/find?q=mangrove');
    await page.getByRole('list', { name: 'Found messages' }).getByText('The mangrove is ready.').click();
    await page.getByRole('heading', { name: 'From ben' }).waitFor();
    await page.getByText('ada not yet').first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.locator('a.reply-to').click();
    await page.getByText('Is the mangrove ready?').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/message/${first}`);
    await page.goto(`${hub.url}/app/agent/ada`);
    await page.getByRole('region', { name: 'Got lately' }).getByText('The mangrove is ready.').click();
    await page.getByRole('heading', { name: 'From ben' }).waitFor();
    await expectSound(page);
    await page.close();
  });

  it('with a label and every kind of block is shown whole', async () => {
    const id = await send({ to: 'ben', threadId: 'release 7', content: everyBlock, shareThinking: true });
    const page = await browser.open(`/app/message/${id}`);
    await page.getByText('release 7').waitFor();
    expect(await page.locator('.msg details').count()).toBeGreaterThan(1);
    await expectSound(page);
    await page.close();
  });

  it('that does not exist is said to be unknown', async () => {
    const page = await browser.open('/app/message/mb99zzz');
    await page.getByText('MESSAGE_UNKNOWN').waitFor();
    await page.close();
  });

  it.each(Object.entries(hostileTexts))('is harmless: %s', async (_, text) => {
    const id = await send({ to: 'ben', threadId: cut(text, 100), content: text, context: text });
    const page = await browser.open(`/app/message/${id}`);
    await page.locator('.msg').waitFor();
    await expectSound(page);
    await page.close();
  });
});

it('a message of a thread is shown at its place there', async () => {
  const { threadId } = await call(hub.url, 'create_thread', { title: 'Orders', participants: ['ben'] }, as('ada'));
  const id = await send({ threadId, content: 'In its place' });
  const page = await browser.open(`/app/message/${id}`);
  await page.locator('.msg-meant', { hasText: 'In its place' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/app/thread/${threadId}`);
  await page.close();
});
