// Threads in the page: what it shows is what the hub has, as it happens; a person writes, opens and closes.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { everyBlock } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
let browser: TestBrowser;
let threadId: string;

const as = (agent: string) => ({ agent });

async function send(agent: string, content: unknown, more: object = {}): Promise<string> {
  return (await call(hub.url, 'send_message', { threadId, content, ...more }, as(agent))).messageId;
}

beforeAll(async () => {
  for (const agent of ['ada', 'ben', 'cleo']) await call(hub.url, 'register_agent', {}, as(agent));
  const opened = await call(
    hub.url,
    'create_thread',
    { title: 'Orders migration', participants: ['ben', 'me'] },
    as('ada'),
  );
  threadId = opened.threadId;
  browser = await startBrowser({ url: hub.url, look: desktop });
});

function messages(page: Page) {
  return page.locator('.msg');
}

/** The texts of the messages on the page, in their order. */
function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.msg .msg-body')].map((body) => body.textContent)`);
}

describe('a thread', () => {
  it('shows what an agent sends over MCP, with type, priority, mentions and what it answers', async () => {
    const page = await browser.open(`/app/thread/${threadId}`);
    await page.getByRole('heading', { name: 'Orders migration' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ada`);
    const { structured } = await agent.call('send_message', {
      threadId,
      content: '@ben @me Measure the **lock**.',
      message_type: 'DIRECTIVE',
      priority: 'high',
    });
    const first = messages(page).filter({ hasText: 'Measure the lock' });
    await first.waitFor();
    await first.getByText('DIRECTIVE').waitFor();
    await first.getByText('high', { exact: true }).waitFor();
    await first.locator('.mention-you', { hasText: '@me' }).waitFor();
    expect(await first.getByRole('link', { name: '@ben' }).getAttribute('href')).toBe('/app/agent/ben');
    await send('ben', 'Taken.', { replyTo: structured.messageId });
    const reply = messages(page).filter({ hasText: 'Taken.' });
    await reply.getByRole('link', { name: /ada @ben @me Measure/ }).waitFor();
    await page.close();
  });

  it('says who has read a message, and who has not and why', async () => {
    const id = await send('ada', 'Who reads this?');
    const page = await browser.open(`/app/thread/${threadId}`);
    const line = page.locator(`#${id} .rcpt summary`);
    await line.getByText(/ben not yet: /).waitFor();
    await call(hub.url, 'get_messages', {}, as('ben'));
    await call(hub.url, 'get_messages', {}, as('ben'));
    await line.getByText(/read by all 2, last by /).waitFor();
    await line.click();
    await page
      .locator(`#${id} .rcpt-list`)
      .getByText(/ben read \d\d:\d\d:\d\d/)
      .waitFor();
    await page.close();
  });

  it('shows every kind of block: tool calls folded with their results, thinking marked, pictures from the hub', async () => {
    const id = await send('ada', everyBlock, { shareThinking: true });
    const page = await browser.open(`/app/thread/${threadId}?at=${id}`);
    const shown = page.locator(`#${id}`);
    await shown.waitFor();
    expect(await shown.locator('details.think').count()).toBeGreaterThan(0);
    const tool = shown.locator('details.tool').first();
    expect(await tool.getAttribute('open')).toBeNull();
    await tool.locator('summary').click();
    await tool.getByText('Result', { exact: true }).waitFor();
    await eventually('the picture is shown', async () =>
      page.evaluate(`[...document.querySelectorAll('#${id} img')].some((image) => image.naturalWidth > 0)`),
    );
    expect(browser.faults).toEqual([]);
    await page.close();
  });

  it('is written in by the person, with a mention that wakes the agent', async () => {
    const page = await browser.open(`/app/thread/${threadId}`);
    const waiting = connectMcp('v1', `${hub.url}/mcp?agent=ben`).then((client) =>
      client.call('wait_for_mentions', { timeoutMs: 20_000 }),
    );
    const field = page.getByRole('textbox', { name: 'Message to this thread' });
    await field.fill('Please look, @be');
    await page.getByRole('group', { name: 'Mention' }).getByRole('button', { name: '@ben' }).click();
    await page.getByText(/^Wakes ben\./).waitFor();
    await field.press('Control+Enter');
    expect((await waiting).text).toContain('Please look, @ben');
    await messages(page).filter({ hasText: 'Please look, @ben' }).waitFor();
    await page.close();
  });

  it('is closed with a summary and opened again', async () => {
    const page = await browser.open('/app/threads');
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Release notes');
    await page.getByRole('group', { name: 'Members' }).getByRole('button', { name: 'cleo' }).click();
    await page.getByRole('button', { name: 'Open the thread' }).click();
    await page.getByRole('heading', { name: 'Release notes' }).waitFor();
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.getByRole('textbox', { name: /Summary/ }).fill('All **done**.');
    await page.getByRole('button', { name: 'Close thread' }).click();
    const closed = page.getByRole('region', { name: 'Closed' });
    await closed.getByText('done', { exact: true }).waitFor();
    await closed.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('textbox', { name: 'Message to this thread' }).waitFor();
    await page.close();
  });

  it('of another team is only looked at until one joins', async () => {
    const other = await call(hub.url, 'create_thread', { title: 'Lint rules', initialMessage: 'Tabs.' }, as('cleo'));
    const page = await browser.open(`/app/thread/${other.threadId}`);
    await messages(page).filter({ hasText: 'Tabs.' }).waitFor();
    await page.getByRole('button', { name: 'Join' }).first().click();
    await page.getByRole('textbox', { name: 'Message to this thread' }).fill('Spaces.');
    await page.getByRole('button', { name: 'Send' }).click();
    await messages(page).filter({ hasText: 'Spaces.' }).waitFor();
    await page.close();
  });

  it('that does not exist is said so', async () => {
    const page = await browser.open('/app/thread/t000000000000');
    await page.getByText(/THREAD_UNKNOWN/).waitFor();
    await page.close();
  });
});

describe('the list of threads', () => {
  it('begins with the one in which something was said last', async () => {
    const later = await call(hub.url, 'create_thread', { title: 'Later', participants: ['me'] }, as('ada'));
    const page = await browser.open('/app/threads');
    const first = page.locator('.rows > li').first();
    await first.getByText('Later').waitFor();
    await send('ada', 'Once more.');
    await first.getByText('Orders migration').waitFor();
    await call(hub.url, 'send_message', { threadId: later.threadId, content: 'And here.' }, as('ada'));
    await first.getByText('Later').waitFor();
    await page.close();
  });
});

describe('a long thread', () => {
  let ids: string[];
  let longId: string;

  beforeAll(async () => {
    const opened = await call(hub.url, 'create_thread', { title: 'Long', participants: ['me'] }, as('ada'));
    longId = opened.threadId;
    const sent = [];
    for (let index = 0; index < 900; index++)
      sent.push(await call(hub.url, 'send_message', { threadId: longId, content: `No. ${index}.` }, as('ada')));
    ids = sent.map(({ messageId }) => messageId);
  });

  it('opens at its end, loads older pages as one scrolls, and keeps a bounded part', { tags: 'long' }, async () => {
    const page = await browser.open(`/app/thread/${longId}`);
    await messages(page).filter({ hasText: 'No. 899.' }).waitFor();
    await eventually('the last message is in view', () =>
      page.evaluate('scrollY + innerHeight >= document.documentElement.scrollHeight - 150'),
    );
    await eventually(
      'the first message is reached',
      async () => {
        await page.evaluate('scrollTo(0, 0)');
        return (await shownTexts(page))[0] === 'No. 0.';
      },
      25_000,
    );
    expect(await messages(page).count()).toBeLessThanOrEqual(300);
    const texts = await shownTexts(page);
    expect(texts).toEqual(texts.map((_, index) => `No. ${index}.`));
    await call(hub.url, 'send_message', { threadId: longId, content: 'No. 900.' }, as('ada'));
    await page.getByRole('button', { name: '1 new, to the newest' }).click();
    await messages(page).filter({ hasText: 'No. 900.' }).waitFor();
    await page.close();
  });

  it('is opened at any of its messages by a link', async () => {
    const page = await browser.open(`/app/thread/${longId}?at=${ids[300]}`);
    const meant = page.locator(`#${ids[300]}`);
    await meant.getByText('No. 300.').waitFor();
    await eventually('it is in view and has the focus', () =>
      page.evaluate(`(() => {
        const { top, bottom } = document.getElementById('${ids[300]}').getBoundingClientRect();
        return document.activeElement.id === '${ids[300]}' && top >= 0 && bottom <= innerHeight;
      })()`),
    );
    expect(await shownTexts(page)).toContain('No. 310.');
    expect(browser.faults).toEqual([]);
    await page.close();
  });
});
