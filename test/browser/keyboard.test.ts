// Without a pointer: every step from the inbox to an answer by keys alone.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
let browser: TestBrowser;
const as = { agent: 'ada' };

beforeAll(async () => {
  browser = await startBrowser({ url: hub.url });
});

const ask = async (question: string): Promise<string> =>
  (await call(hub.url, 'ask_question', { question, options: ['Yes', 'No'], context: 'Some.' }, as)).questionId;

const getResponse = (questionId: string) => call(hub.url, 'get_response', { questionId, waitMs: 20_000 }, as);

async function inboxWith(question: string): Promise<Page> {
  const page = await browser.open('/');
  await page.getByRole('article').filter({ hasText: question }).waitFor();
  return page;
}

it('J moves to the question, 2 answers with the second option', async () => {
  const questionId = await ask('By number?');
  const page = await inboxWith('By number?');
  await page.keyboard.press('j');
  await page.locator('[data-item]:focus').waitFor();
  await page.keyboard.press('2');
  expect(await getResponse(questionId)).toMatchObject({ response: 'No', option: 2 });
});

it('Enter opens it, R writes, Control and Enter send', async () => {
  const questionId = await ask('By words?');
  const page = await inboxWith('By words?');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/app/question/${questionId}`);
  await page.getByLabel('Your answer').waitFor();
  await page.getByText('Some.').waitFor();
  await page.keyboard.press('r');
  await page.locator('.field:focus').waitFor();
  await page.keyboard.type('Perhaps 2 of them');
  await page.keyboard.press('Control+Enter');
  expect(await getResponse(questionId)).toMatchObject({ response: 'Perhaps 2 of them' });
});

it('Tab reaches every option, the field and the decline, and each shows the focus', async () => {
  const questionId = await ask('By Tab?');
  const page = await browser.open(`/app/question/${questionId}`);
  await page.getByRole('button', { name: 'Yes' }).waitFor();
  const reached: string[] = [];
  for (let presses = 0; presses < 30 && !reached.includes('Decline to answer'); presses++) {
    await page.keyboard.press('Tab');
    const { name, isVisible } = await page.evaluate<{ name: string; isVisible: boolean }>(`(() => {
      const { activeElement } = document;
      const { outlineStyle, boxShadow } = getComputedStyle(activeElement);
      const name = activeElement.labels?.[0]?.textContent ?? activeElement.textContent;
      return { name: name.trim(), isVisible: outlineStyle !== 'none' || boxShadow !== 'none' };
    })()`);
    expect(isVisible, name).toBe(true);
    reached.push(name);
  }
  expect(reached).toEqual(expect.arrayContaining(['1Yes', '2No', 'Your answer', 'Decline to answer']));
  await page.keyboard.press('Enter');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Not my part.');
  await page.keyboard.press('Enter');
  expect(await getResponse(questionId)).toMatchObject({ answered: false, status: 'declined', reason: 'Not my part.' });
  expect(browser.faults).toEqual([]);
});

it('T opens and folds the tool calls of a thread, I the receipts of a message', async () => {
  const { threadId } = await call(hub.url, 'create_thread', { title: 'Keys', participants: ['me'] }, as);
  const content = [
    { type: 'text', text: 'Ran it.' },
    { type: 'tool_use', id: 'a', name: 'run', input: {} },
    { type: 'tool_result', toolUseId: 'a', output: 'done' },
  ];
  await call(hub.url, 'send_message', { threadId, content }, as);
  const page = await browser.open(`/app/thread/${threadId}`);
  await page.locator('details.rcpt').waitFor();
  for (const [key, what] of [
    ['t', 'details.tool'],
    ['i', 'details.rcpt'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`${what}[open]`).waitFor();
    await page.keyboard.press(key);
    await page.locator(`${what}:not([open])`).waitFor();
  }
  await page.close();
});
