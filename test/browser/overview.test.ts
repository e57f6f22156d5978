// The overview, an agent's page, search and the palette: what they show is what the hub has.
import { beforeAll, describe, expect, it } from 'vitest';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { parkedAt } from '../support/metrics.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';
import { findingsOf, sidewaysScroll } from './page-checks.js';

const hub = useHub();
let browser: TestBrowser;
let threadId: string;

const as = (agent: string) => ({ agent });

beforeAll(async () => {
  for (const agent of ['ada', 'ben', 'cleo']) await call(hub.url, 'register_agent', {}, as(agent));
  ({ threadId } = await call(hub.url, 'create_thread', { title: 'Orders', participants: ['ben', 'me'] }, as('ada')));
  for (const content of ['The quick fox', 'jumps', 'over'])
    await call(hub.url, 'send_message', { threadId, content }, as('ada'));
  await call(hub.url, 'send_message', { to: 'cleo', content: 'Are you there?', ttl: 1 }, as('ben'));
  await eventually(
    'the letter is dead',
    async () => (await call(hub.url, 'get_dead_letters', {}, as('me'))).deadLetters.length > 0,
    20_000,
  );
  browser = await startBrowser({ url: hub.url, look: desktop });
});

describe('the overview', () => {
  it('shows agents with presence and unread as the hub has them', async () => {
    const page = await browser.open('/app/overview');
    const row = page.getByRole('row', { name: /ben/ });
    await row.waitFor();
    const { agents } = await call(hub.url, 'list_agents', {}, as('me'));
    const ben = agents.find(({ id }: { id: string }) => id === 'ben');
    await row.getByText(ben.presence, { exact: true }).waitFor();
    await row
      .getByRole('cell', { name: String(ben.unread), exact: true })
      .first()
      .waitFor();
    await page.close();
  });

  it('draws the volume and who talks to whom, and loads their code only then', async () => {
    const inbox = await browser.open('/');
    await inbox.getByRole('heading', { name: 'Inbox' }).waitFor();
    // The page's own: the worker fetches all of them for later.
    const loaded: string[] = await inbox.evaluate('performance.getEntriesByType("resource").map(({ name }) => name)');
    expect(loaded.some((url) => /\/index-/.test(url))).toBe(true);
    expect(loaded.filter((url) => /\/(?:plot|talk-layout)-/.test(url))).toEqual([]);
    await inbox.close();
    const page = await browser.open('/app/overview');
    await page.locator('.uplot canvas').waitFor();
    const node = page.getByRole('link', { name: 'ada: show only its messages' });
    await node.click();
    await page.getByRole('link', { name: 'ada: show all' }).waitFor();
    expect(new URL(page.url()).searchParams.get('who')).toBe('ada');
    expect(browser.faults).toEqual([]);
    await page.close();
  });

  it('has a question and a dead letter under what needs attention, and discards the letter', async () => {
    const page = await browser.open('/app/overview');
    await page.getByText('1 dead letter', { exact: true }).waitFor();
    const { questionId } = await call(hub.url, 'ask_question', { question: 'Now?', options: ['Yes'] }, as('ada'));
    await page.getByText('A question waits for you').waitFor();
    await call(hub.url, 'cancel_question', { questionId }, as('ada'));
    await page.getByText('A question waits for you').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Nothing needs you.').waitFor();
    expect((await call(hub.url, 'get_dead_letters', {}, as('me'))).deadLetters).toEqual([]);
    await page.close();
  });
});

describe('a loop, waking and old mail', () => {
  const clock = movableClock();
  const other = useHub({ clock });
  const say = (from: string, to: string) => post(other.url, 'send_message', { to, content: 'your turn' }, as(from));

  it('are shown as the hub has them', async () => {
    for (const agent of ['ada', 'ben', 'cleo']) await call(other.url, 'register_agent', {}, as(agent));
    await say('ada', 'cleo');
    const ageMs = 2 * 3_600_000 + 14 * 60_000;
    // In the middle of that minute, however long the rest takes.
    const lookedAt = clock.now() + ageMs + 30_000;
    clock.advance(ageMs);
    const waiting = call(other.url, 'wait_for_mentions', { timeoutMs: 60_000 }, as('ben'));
    await parkedAt(other, 1);
    for (let turn = 0; ; turn += 1) {
      const { body } = await (turn % 2 === 0 ? say('ada', 'ben') : say('ben', 'ada'));
      if (body.error?.code === 'LOOP_GUARD') break;
      expect(turn).toBeLessThan(200);
    }
    await waiting;
    const watching = await startBrowser({ url: other.url, look: { width: 360 } });
    const page = await watching.open('/app/overview');
    // The page's clock must be about that of the hub.
    await page.clock.setFixedTime(lookedAt);
    await page.reload();
    const attention = page.getByRole('region', { name: /^Needs attention/ });
    await attention.getByText(/(?:ada and ben|ben and ada) only answer each other/).waitFor();
    await attention.getByText('1 unread, the oldest for 2 h 14 min.').waitFor();
    const { wakes } = await call(other.url, 'get_activity', {}, as('me'));
    const figures = page.getByRole('region', { name: 'Throughput, last hour' });
    await figures
      .locator('div', { hasText: /^Wake p50, 1 h/ })
      .getByText(`${wakes.p50} ms`)
      .waitFor();
    await figures.getByRole('img', { name: /woken answered within/ }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toEqual([]);
    expect(watching.faults).toEqual([]);
  });
});

describe('find', () => {
  it('finds messages by words and filters, and leads to their place in the thread', async () => {
    const page = await browser.open('/app/find');
    await page.getByRole('searchbox').fill('quick');
    await page.keyboard.press('Enter');
    const found = page.getByRole('list', { name: 'Found messages' }).getByRole('link');
    await found.waitFor();
    await page.getByRole('combobox', { name: 'Sender' }).selectOption('ben');
    await page.getByText('Nothing has these words.').waitFor();
    await page.getByRole('combobox', { name: 'Sender' }).selectOption('ada');
    await found.click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.locator('.msg-meant', { hasText: 'The quick fox' }).waitFor();
    await page.close();
  });

  it('knows every thread by its title, also old and closed ones', async () => {
    const open = (title: string) => call(hub.url, 'create_thread', { title, participants: ['me'] }, as('ada'));
    const { threadId: old } = await open('Ancient pottery');
    await call(hub.url, 'send_message', { threadId: old, content: 'a quick vase' }, as('ada'));
    await call(hub.url, 'close_thread', { threadId: old }, as('ada'));
    for (let number = 0; number < 15; number += 1) await open(`Newer ${number}`);
    const page = await browser.open('/app/find?q=quick');
    const field = page.getByRole('combobox', { name: 'Thread' });
    await field.fill('potter');
    await page.getByRole('option', { name: /Ancient pottery/ }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const found = page.getByRole('list', { name: 'Found messages' });
    await found.getByText('vase').waitFor();
    // It was among those of all threads before.
    await eventually('only what is in it', async () => (await found.getByRole('link').count()) === 1);
    expect(await found.innerText()).toContain('vase');
    expect(await field.inputValue()).toBe('Ancient pottery');
    await field.fill('');
    await page.getByRole('list', { name: 'Found messages' }).getByText('fox').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Page, thread/ }).fill('potter');
    await page.getByRole('option', { name: /Ancient pottery/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ancient pottery' }).waitFor();
    expect(browser.faults).toEqual([]);
    await page.close();
  });

  it('goes to a thread, an agent or a search from the palette, by keys alone', async () => {
    const page = await browser.open('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const type = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Page, thread/ }).waitFor();
      await page.keyboard.type(text);
    };
    // What Enter goes to: names come from the hub.
    const chosen = (text: string) => page.locator('[role="option"][aria-selected="true"]', { hasText: text });
    await type('orde');
    await chosen('Orders').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await type('cleo');
    await chosen('agent').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'cleo' }).waitFor();
    await type('jumps');
    await chosen('jumps').waitFor();
    await page.keyboard.press('Enter');
    const found = page.getByRole('list', { name: 'Found messages' }).getByRole('link');
    await found.waitFor();
    expect(browser.faults).toEqual([]);
    await page.close();
  });
});
