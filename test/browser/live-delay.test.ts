// What an agent sends over MCP is on the page within a second. A busy machine delays single ones, so the median counts, and
// everything that a page asks for, so that is subtracted.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { call } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { lagOf } from './page-checks.js';

const hub = useHub();
const sends = 5;
let browser: TestBrowser;
let threadId: string;

type Agent = Awaited<ReturnType<typeof connectMcp>>;

beforeAll(async () => {
  for (const agent of ['ada', 'ben']) await call(hub.url, 'register_agent', {}, { agent });
  const input = { title: 'Orders', participants: ['me'] };
  ({ threadId } = await call(hub.url, 'create_thread', input, { agent: 'ada' }));
  browser = await startBrowser({ url: hub.url, look: desktop });
});

/** From the send's answer until the page shows it, by the page's own clock: this machine's, as the test's. */
async function delayOf(page: Page, shows: string, act: () => Promise<unknown>): Promise<number> {
  const shown = page.evaluate<number>(`new Promise((resolve) => {
    const isShown = () => ${shows};
    const seen = new MutationObserver(() => {
      if (!isShown()) return;
      seen.disconnect();
      resolve(Date.now());
    });
    seen.observe(document, { subtree: true, childList: true, characterData: true });
    if (isShown()) resolve(Date.now());
  })`);
  await act();
  const answeredAt = Date.now();
  return (await shown) - answeredAt - (await lagOf(page));
}

async function medianDelay(delay: (number: number) => Promise<number>): Promise<number> {
  const delays: number[] = [];
  for (let number = 1; number <= sends; number++) delays.push(await delay(number));
  return delays.toSorted((a, b) => a - b)[Math.floor(sends / 2)] ?? Infinity;
}

/** When its lists have been read and the stream is open. */
async function open(path: string): Promise<Page> {
  const page = await browser.open(path);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

const send = (agent: Agent, content: string) => agent.call('send_message', { threadId, content });

it('on the page of its thread', async () => {
  const agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ada`);
  const page = await open(`/app/thread/${threadId}`);
  const median = await medianDelay((number) => {
    const shows = `[...document.querySelectorAll('.msg-body')].some(({ textContent }) => textContent === 'No. ${number}.')`;
    return delayOf(page, shows, () => send(agent, `No. ${number}.`));
  });
  expect(median).toBeLessThan(1_000);
  await page.close();
});

it('in the list of threads, as one more unread', async () => {
  const agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ada`);
  const page = await open('/app/threads');
  await page.locator('.rows > li').waitFor();
  const median = await medianDelay(async () => {
    const { threads } = await call(hub.url, 'list_threads', {}, { agent: 'me' });
    const wanted = `'${threads[0].unread + 1}'`;
    return delayOf(page, `document.querySelector('.rows .count')?.firstChild.data === ${wanted}`, () =>
      send(agent, 'More.'),
    );
  });
  expect(median).toBeLessThan(1_000);
  await page.close();
});

it('on the overview, in what waits for its reader', async () => {
  const agent = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ada`);
  const page = await open('/app/overview');
  await page.locator('.grid tbody tr').nth(1).waitFor();
  const median = await medianDelay((number) => {
    const row = `[...document.querySelectorAll('.grid tbody tr')].find((row) => row.textContent.includes('ben'))`;
    const shows = `[...(${row}?.cells ?? [])].some(({ textContent }) => textContent.trim() === '${number}')`;
    return delayOf(page, shows, () => agent.call('send_message', { to: 'ben', content: 'Look.' }));
  });
  expect(median).toBeLessThan(1_000);
  await page.close();
});
