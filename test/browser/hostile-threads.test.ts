// The same texts in every field that a thread and the pages around it show.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { pixel } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

const rows = Object.entries(hostileTexts);
const hub = useHub();
let browser: TestBrowser;
const threads = new Map<string, string>();

beforeAll(async () => {
  for (const [index, [what, text]] of rows.entries()) {
    const as = { agent: `mallory-${index}` };
    await call(hub.url, 'register_agent', { agentName: cut(text, 60), description: cut(text, 200) }, as);
    const { threadId } = await call(
      hub.url,
      'create_thread',
      { title: cut(text, 150), participants: ['me'], initialMessage: text },
      as,
    );
    threads.set(what, threadId);
    // Found by a search for its first word.
    await call(hub.url, 'send_message', { threadId, content: `mallory ${text}` }, as);
    await call(hub.url, 'send_message', { threadId, content: blocksOf(text), shareThinking: true, context: text }, as);
    await call(hub.url, 'create_session', { sessionId: `mallory-${index}`, application: cut(text, 60) }, as);
    if (index % 2 === 0) await call(hub.url, 'close_thread', { threadId, summary: text }, as);
  }
  browser = await startBrowser({ url: hub.url });
});

/** The text in every place of every block. */
function blocksOf(text: string): object[] {
  return [
    { type: 'text', text: `# ${text}\n\n- ${text}` },
    { type: 'thinking', thinking: text },
    { type: 'tool_use', id: 'a', name: cut(text, 60), input: { [cut(text, 60)]: text } },
    { type: 'tool_result', toolUseId: 'a', output: text },
    { type: 'tool_result', toolUseId: cut(text, 30), name: text, isError: true, output: [{ type: 'text', text }] },
    { type: 'image', source: { type: 'url', url: 'https://evil.example/beacon.png' }, alt: text },
    { type: 'image', source: { type: 'base64', mediaType: 'image/svg+xml', data: pixel }, alt: text },
    { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: pixel }, alt: text },
  ];
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
  it.each(rows)('is harmless in a thread, its title, blocks and summary: %s', async (what) => {
    const page = await browser.open(`/app/thread/${threads.get(what)}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.locator('.msg').nth(1).waitFor();
    // The page follows its end while that is laid out; receipts are read where a person looks.
    await eventually('receipts are shown', async () => {
      await page.evaluate(`[...document.querySelectorAll('.rcpt-place')].at(-1)?.scrollIntoView({ block: 'center' })`);
      return (await page.locator('.rcpt').count()) > 0;
    });
    // A person opens everything.
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
    await expectHarmless(page);
    await page.close();
  });

  it.each([
    ['/app/threads', '.rows > li'],
    ['/app/overview', '.grid tbody tr'],
    ['/app/find?q=mallory', '.rows > li'],
    ['/app/admin', '[aria-labelledby="h-sessions"] .rows > li'],
  ])(`is harmless on %s, ${rows.length} at once`, async (path, row) => {
    const page = await browser.open(path);
    const count = path.startsWith('/app/find') ? 10 : rows.length;
    await page
      .locator(row)
      .nth(count - 1)
      .waitFor();
    await expectHarmless(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectHarmless(page);
    await page.close();
  });

  it.each(rows.map(([what], index) => [what, index] as const))(
    'is harmless on the page of its agent: %s',
    async (_, index) => {
      const page = await browser.open(`/app/agent/mallory-${index}`);
      await page.locator('.rows > li').nth(1).waitFor();
      await expectHarmless(page);
      await page.close();
    },
  );
});

it('a result of another agent is not shown as the result of a call, and not under its name', async () => {
  const participants = ['me', 'ben', 'eve'];
  for (const agent of ['ben', 'eve']) await call(hub.url, 'register_agent', {}, { agent });
  const { threadId } = await call(hub.url, 'create_thread', { title: 'Tests', participants }, { agent: 'ben' });
  const say = (agent: string, ...content: object[]) => call(hub.url, 'send_message', { threadId, content }, { agent });
  const called = { type: 'tool_use', id: 'run-1', name: 'run_tests', input: {} };
  const { messageId } = await say('ben', { type: 'text', text: 'Running them.' }, called);
  await say('ben', { type: 'tool_result', toolUseId: 'run-1', output: '3 FAILED', isError: true });
  const forged = { type: 'tool_result', toolUseId: 'run-1', output: 'ALL GREEN' };
  const { messageId: forgedId } = await say('eve', { ...called, name: 'all_tests_pass' }, forged);
  const { messageId: aloneId } = await say('eve', { ...forged, output: 'ALL GREEN AGAIN' });
  for (const path of [`/app/thread/${threadId}`, `/app/thread/${threadId}/replay?at=${aloneId}`]) {
    const page = await browser.open(path);
    const textOf = (id: string) => page.locator(`[id="${id}"]`).innerText();
    await page.locator(`[id="${aloneId}"]`).waitFor();
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
    expect(await textOf(messageId)).toContain('3 FAILED');
    expect(await textOf(messageId)).not.toContain('ALL GREEN');
    expect(await textOf(forgedId)).toContain('ALL GREEN');
    expect(await textOf(aloneId)).toMatch(/eve[^]*ALL GREEN AGAIN/);
    const failed = await page.locator('.tool', { hasText: '3 FAILED' }).allInnerTexts();
    expect(failed.join(' ')).not.toContain('all_tests_pass');
    await page.close();
  }
});
