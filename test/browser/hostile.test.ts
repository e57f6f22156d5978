// Whatever agents write, in any place that a person sees: nothing runs, nothing is fetched, nothing is drawn over the page.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

const rows = Object.entries(hostileTexts);
const hub = useHub();
let browser: TestBrowser;
/** By what each tries. */
const questions = new Map<string, string>();

beforeAll(async () => {
  for (const [index, [what, text]] of rows.entries()) {
    const agent = `mallory-${index}`;
    const as = { agent };
    await call(hub.url, 'register_agent', { agentName: cut(text, 60), description: cut(text, 200) }, as);
    const { questionId } = await call(
      hub.url,
      'ask_question',
      {
        question: text,
        options: [cut(text, 100), 'No'],
        context: contextOf(text),
        threadId: cut(text, 40),
        projectId: cut(text, 60),
        encrypt: index % 2 === 0,
        defaultAnswer: 'No',
      },
      as,
    );
    questions.set(what, questionId);
    await call(
      hub.url,
      'send_alert',
      { message: text, context: text, alertType: 'error', sessionId: cut(text, 60) },
      as,
    );
    await call(hub.url, 'send_message', { to: 'me', content: text }, as);
  }
  browser = await startBrowser({ url: hub.url });
});

/** In a paragraph, and where it fits also in a heading and a list. */
function contextOf(text: string): string {
  const all = `${text}\n\n# ${text}\n\n- ${text}`;
  return Buffer.byteLength(all) <= 4_096 ? all : text;
}

async function expectHarmless(page: Page) {
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  expect(await foreignMarkup(page)).toEqual([]);
  expect(await strayBidi(page)).toEqual([]);
  expect(await rawControls(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toEqual([]);
  expect(browser.faults).toEqual([]);
}

describe('a hostile text', () => {
  it(`is harmless in the inbox, ${rows.length} at once: questions, options, names, alerts and mail`, async () => {
    const page = await browser.open('/');
    await page
      .getByRole('article')
      .nth(rows.length - 1)
      .waitFor();
    await expectHarmless(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectHarmless(page);
    await page.close();
  });

  it.each(rows)('is harmless on the page of its question: %s', async (what) => {
    const page = await browser.open(`/app/question/${questions.get(what)}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'No', exact: false }).last().waitFor();
    await expectHarmless(page);
    // A person may click what is offered: links of the agent's text open elsewhere or nowhere, never here.
    for (const link of await page.locator('.md a').all())
      await link.click({ modifiers: ['Control'], noWaitAfter: true, timeout: 2_000 }).catch(() => {});
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
    await page.close();
  });
});
