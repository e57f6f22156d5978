// A thread is replayed from its history: by the slider, message by message, and by itself.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { findingsOf, sidewaysScroll } from './page-checks.js';

const hub = useHub();
const as = { agent: 'ada' };
const count = 130;
const ids: string[] = [];
let threadId = '';
let browser: TestBrowser;

beforeAll(async () => {
  await call(hub.url, 'register_agent', {}, { agent: 'ben' });
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Outage', participants: ['ben'] }, as));
  for (let number = 0; number < count; number += 1) {
    ids.push((await call(hub.url, 'send_message', { threadId, content: `line ${number}` }, as)).messageId);
    // Other threads use numbers of the same session.
    if (number % 10 === 0) await call(hub.url, 'send_message', { to: 'ben', content: 'aside' }, as);
  }
  browser = await startBrowser({ url: hub.url, look: { width: 360 } });
});

function last(page: Page): Promise<string> {
  return page.evaluate<string>(`[...document.querySelectorAll('.msg .msg-body')].at(-1)?.textContent ?? ''`);
}

async function comesTo(page: Page, text: string): Promise<void> {
  await eventually(`it is at ${text}`, async () => (await last(page)) === text);
}

it('goes by keys from message to message and to both ends, over pages that are read on demand', async () => {
  const page = await browser.open(`/app/thread/${threadId}`);
  await page.getByRole('link', { name: 'Replay', exact: true }).click();
  const slider = page.getByRole('slider', { name: 'Position in the thread' });
  await slider.focus();
  await slider.press('End');
  await comesTo(page, `line ${count - 1}`);
  await slider.press('ArrowLeft');
  await comesTo(page, `line ${count - 2}`);
  expect(await page.locator('.msg').count()).toBeLessThanOrEqual(100);
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/\d:\d\d/);
  await slider.press('Home');
  // The notice that opened the thread.
  await comesTo(page, '');
  await slider.press('ArrowRight');
  await slider.press('ArrowRight');
  await comesTo(page, 'line 1');
  expect(await sidewaysScroll(page)).toEqual([]);
  expect(await findingsOf(page)).toEqual([]);
  await page.close();
});

it('begins at the message of a link, plays to the end, and the address follows', async () => {
  const from = count - 10;
  const page = await browser.open(`/app/thread/${threadId}/replay?at=${ids[from]}`);
  await comesTo(page, `line ${from}`);
  await page.getByRole('slider', { name: 'Speed' }).fill('60');
  await page.getByRole('button', { name: 'Play' }).press('Enter');
  await comesTo(page, `line ${count - 1}`);
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await eventually('the address names the last', () => page.url().endsWith(`?at=${ids.at(-1)}`));
  // Once more, from the beginning, and stopped on the way: inside the page, so that no slow machine comes too late.
  await page.evaluate(`(async () => {
    const button = document.querySelector('.replay button');
    button.click();
    while (button.textContent !== 'Pause') await new Promise(requestAnimationFrame);
    button.click();
  })()`);
  await page.getByRole('button', { name: 'Play' }).waitFor();
  expect(await last(page)).not.toBe(`line ${count - 1}`);
  expect(browser.faults).toEqual([]);
  await page.close();
});

it('says what is wrong with a link to nowhere', async () => {
  const page = await browser.open('/app/thread/t000000000000/replay');
  await page.getByText(/THREAD_UNKNOWN/).waitFor();
  await page.close();
});
