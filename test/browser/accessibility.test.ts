// Every page, in light and dark, on a phone and on a desktop: axe finds nothing serious, nothing scrolls sideways, and
// nothing moves for those who want no motion.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { desktop, phone, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { everyBlock } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { atRest, findingsOf, movingParts, sidewaysScroll } from './page-checks.js';

const hub = useHub();
const emptyHub = useHub();
let browser: TestBrowser;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const as = { agent: 'ada' };
  const ask = async (input: object): Promise<string> =>
    (await call(hub.url, 'ask_question', { options: ['Now', 'Tonight at 22:00', 'Not this week'], ...input }, as))
      .questionId;
  const me = { agent: 'me' };
  ids['first'] = await ask({ question: 'Is a short outage possible today?' });
  await call(hub.url, 'answer_question', { questionId: ids['first'], option: 1 }, me);
  ids['pending'] = await ask({
    question: 'The migration locks `orders` for about 40 seconds. When should it run?',
    context:
      'Adding the column **rewrites** the table.\n\n- 8.1 million rows\n- `503` meanwhile\n\n```sql\nALTER TABLE orders;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[more](https://example.org)',
    inReplyTo: ids['first'],
    defaultAnswer: 'Not this week',
    priority: 'high',
    ttl: 3_600,
  });
  ids['declined'] = await ask({ question: 'May I rename the folder?' });
  await call(hub.url, 'decline_question', { questionId: ids['declined'], reason: 'Ask later.' }, me);
  ids['cancelled'] = await ask({ question: 'Merge without a review?' });
  await call(hub.url, 'cancel_question', { questionId: ids['cancelled'], reason: 'Reviewed.' }, as);
  ids['expired'] = await ask({ question: 'Use the second region?', ttl: 1 });
  await call(hub.url, 'get_response', { questionId: ids['expired'], waitMs: 5_000 }, as);
  for (const alertType of ['error', 'warning', 'success', 'info']) {
    await call(hub.url, 'send_alert', { message: `It is \`${alertType}\`.`, context: 'More of it.', alertType }, as);
  }
  ids['message'] = (
    await call(hub.url, 'send_message', { to: 'me', content: 'The notes are **drafted**.' }, as)
  ).messageId;
  const { threadId } = await call(
    hub.url,
    'create_thread',
    { title: 'Orders migration', participants: ['me'], initialMessage: '@me **Look** at this.' },
    as,
  );
  ids['thread'] = threadId;
  await call(hub.url, 'send_message', { threadId, content: everyBlock, shareThinking: true }, as);
  const closed = await call(hub.url, 'create_thread', { title: 'Over', participants: ['me'] }, as);
  ids['closed'] = closed.threadId;
  await call(hub.url, 'close_thread', { threadId: closed.threadId, summary: 'It is **done**.' }, as);
  browser = await startBrowser({ url: hub.url });
});

const looks = [
  { name: 'phone, light', theme: 'light', size: phone },
  { name: 'phone, dark', theme: 'dark', size: phone },
  { name: 'desktop, light', theme: 'light', size: desktop },
  { name: 'desktop, dark', theme: 'dark', size: desktop },
] as const;

const pages: Record<string, () => string> = {
  'the inbox': () => '/',
  'the history': () => '/app/history',
  'a pending question': () => `/app/question/${ids['pending']}`,
  'an answered question': () => `/app/question/${ids['first']}`,
  'a declined question': () => `/app/question/${ids['declined']}`,
  'a cancelled question': () => `/app/question/${ids['cancelled']}`,
  'an expired question': () => `/app/question/${ids['expired']}`,
  'a question that does not exist': () => '/app/question/q-000000',
  'a message': () => `/app/message/${ids['message']}`,
  'the threads': () => '/app/threads',
  'a thread': () => `/app/thread/${ids['thread']}`,
  'a replay': () => `/app/thread/${ids['thread']}/replay`,
  'a replay of the session': () => '/app/replay',
  'a closed thread': () => `/app/thread/${ids['closed']}`,
  'a thread that does not exist': () => '/app/thread/t000000000000',
  'the overview': () => '/app/overview',
  'an agent': () => '/app/agent/ada',
  'an agent that does not exist': () => '/app/agent/nobody',
  'a search': () => '/app/find?q=look',
  'a search for nothing': () => '/app/find?q=nowhere-at-all',
  'the administration': () => '/app/admin',
  'the settings': () => '/app/settings',
  pairing: () => '/app/pair',
  'a page that does not exist': () => '/app/nothing-here',
};

async function check(page: Page) {
  await page.getByRole('main').waitFor();
  // Not waitForFunction: the page's policy allows no eval.
  await page.locator('.bone').first().waitFor({ state: 'detached' });
  for (const { name, theme, size } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: theme });
    expect(await findingsOf(page), name).toEqual([]);
    expect(await sidewaysScroll(page), name).toEqual([]);
  }
  expect(await atRest(() => movingParts(page))).toEqual([]);
  await page.setViewportSize({ width: 320, height: 568 });
  expect(await sidewaysScroll(page), '320 px').toEqual([]);
}

describe('axe and the narrowest phone', () => {
  it.each(Object.entries(pages))('find nothing on %s', async (_, path) => {
    const page = await browser.open(path());
    await check(page);
    expect(browser.faults).toEqual([]);
    await page.close();
  });

  it('find motion where it is wanted, so that its absence means something', async () => {
    const page = await browser.open('/app/settings');
    await page.getByRole('heading').first().waitFor();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await eventually('something moves', async () => (await movingParts(page)).length > 0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await atRest(() => movingParts(page))).toEqual([]);
    await page.close();
  });

  it('find nothing on the first page of an empty hub', async () => {
    const first = await startBrowser({ url: emptyHub.url });
    await check(await first.open());
    expect(first.faults).toEqual([]);
  });
});
