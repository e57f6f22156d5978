// The session is replayed from its history: who wrote to whom, in which thread, at any speed; what is shown is the store's.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { output } from '../cli/run-cli.js';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';
import { cut, hostileTexts } from './hostile-texts.js';
import { findingsOf, foreignMarkup, rawControls, sidewaysScroll, strayBidi } from './page-checks.js';

const as = (agent: string) => ({ agent });

async function lastOf(page: Page): Promise<string> {
  return page.evaluate<string>(`[...document.querySelectorAll('.msg .md')].at(-1)?.textContent ?? ''`);
}

async function comesTo(page: Page, text: string): Promise<void> {
  await eventually(`it is at ${text}`, async () => (await lastOf(page)) === text);
}

describe('a session', () => {
  const hub = useHub();
  const count = 120;
  let browser: TestBrowser;

  beforeAll(async () => {
    for (const agent of ['ada', 'ben', 'cleo']) await call(hub.url, 'register_agent', {}, as(agent));
    const open = (title: string) => call(hub.url, 'create_thread', { title, participants: ['ben', 'cleo'] }, as('ada'));
    const threads = [await open('Orders'), await open('Lint rules')];
    for (let number = 0; number < count; number += 1) {
      const where = number % 3 === 2 ? { to: 'ben' } : { threadId: threads[number % 3].threadId };
      await call(hub.url, 'send_message', { ...where, content: `line ${number}` }, as('ada'));
    }
    browser = await startBrowser({ url: hub.url, look: { width: 360 } });
  });

  /** Everything that the hub has, as a page would say it. */
  async function stored(): Promise<{ seq: number; text: string; route: string }[]> {
    const all = [];
    const titles = new Map<string, string>();
    for (let after = 0, hasMore = true; hasMore;) {
      const page = await call(hub.url, 'get_session_history', { after, limit: 100 }, as('me'));
      for (const { threadId, title } of page.threads) titles.set(threadId, title);
      for (const { seq, sender, content, recipients, threadId } of page.messages) {
        if (sender === 'system') continue;
        const place = threadId === undefined ? '' : ` in ${titles.get(threadId)}`;
        all.push({ seq, text: content[0].text, route: `to ${recipients.join(', ')}${place}` });
      }
      ({ hasMore, position: after } = page);
    }
    return all;
  }

  it('shows whom each message went to and in which thread, as the store has it', async () => {
    const page = await browser.open('/app/replay');
    const slider = page.getByRole('slider', { name: 'Position in the session' });
    await slider.focus();
    await slider.press('End');
    await comesTo(page, `line ${count - 1}`);
    const shown = await page.evaluate<
      { text: string; route: string }[]
    >(`[...document.querySelectorAll('.msg')].map((each) => ({
      text: each.querySelector('.md').textContent,
      route: each.querySelector('.route').textContent.trim(),
    }))`);
    expect(shown.length).toBeLessThanOrEqual(100);
    const last = (await stored()).slice(-shown.length);
    expect(shown).toEqual(last.map(({ text, route }) => ({ text, route })));
    expect(await sidewaysScroll(page)).toEqual([]);
    expect(await findingsOf(page)).toEqual([]);
    await page.close();
  });

  it('goes by keys from message to message, and a link leads to the same moment', async () => {
    const page = await browser.open('/app/replay');
    const slider = page.getByRole('slider', { name: 'Position in the session' });
    await slider.focus();
    await slider.press('End');
    await comesTo(page, `line ${count - 1}`);
    for (let step = 2; step <= 4; step += 1) {
      await slider.press('ArrowLeft');
      await comesTo(page, `line ${count - step}`);
    }
    const moment = (await stored()).find(({ text }) => text === `line ${count - 4}`);
    await eventually('the address names it', () => page.url().endsWith(`?at=${moment?.seq}`));
    const other = await browser.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await comesTo(other, `line ${count - 4}`);
    await other.close();
    await page.close();
  });

  it('plays at any speed, and all of it in a time', async () => {
    const from = (await stored()).at(-12)?.seq;
    const page = await browser.open(`/app/replay?at=${from}`);
    await comesTo(page, `line ${count - 12}`);
    const speed = page.getByRole('slider', { name: 'Speed' });
    await speed.press('End');
    await page.locator('[aria-valuetext="1000 times as fast"]').waitFor();
    await page.getByRole('button', { name: 'Play' }).press('Enter');
    await comesTo(page, `line ${count - 1}`);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.getByLabel('Pace').selectOption('10');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    // From the beginning, and through.
    await eventually('it is on its way', async () => /^line \d{1,2}$/.test(await lastOf(page)));
    await eventually('it is through', async () => (await lastOf(page)) === `line ${count - 1}`, 40_000);
    expect(browser.faults).toEqual([]);
    await page.close();
  });

  it('is saved as Markdown, as JSON lines, and for an import as the command does', async () => {
    const page = await browser.open('/app/replay');
    await page.getByText('Export the session').click();
    const save = async (format: string) => {
      await page.getByLabel('Export as').selectOption(format);
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the file' }).click(),
      ]);
      return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
    };
    const markdown = await save('markdown');
    expect(markdown.name).toBe('default.md');
    expect(markdown.text).toMatch(/^# Session default\n/);
    for (const part of ['## Orders (', '## Direct messages', `line ${count - 1}`])
      expect(markdown.text).toContain(part);
    const lines = (await save('jsonl')).text.trim().split('\n');
    const said = lines.map((line) => JSON.parse(line)).filter(({ sender }) => sender !== 'system');
    expect(said.map(({ seq }) => seq)).toEqual((await stored()).map(({ seq }) => seq));
    const whole = await save('session');
    expect(whole.name).toBe('default.jsonl');
    const kinds = (text: string) => text.trim().split('\n').length;
    expect(kinds(whole.text)).toBe(kinds(await output(['export', '-', ...hub.flags])));
    await page.close();
  });
});

describe('hostile texts', () => {
  const hub = useHub();

  it('are harmless in a replay, in messages, names and titles', async () => {
    for (const [index, text] of Object.values(hostileTexts).entries()) {
      const agent = as(`mallory-${index}`);
      await call(hub.url, 'register_agent', { agentName: cut(text, 60) }, agent);
      const input = { title: cut(text, 150), participants: ['me'], initialMessage: text };
      const { threadId } = await call(hub.url, 'create_thread', input, agent);
      const tool = { type: 'tool_use', id: 'a', name: cut(text, 60), input: { text } };
      await call(hub.url, 'send_message', { threadId, content: [{ type: 'text', text: `- ${text}` }, tool] }, agent);
      await call(hub.url, 'send_message', { to: 'me', content: text }, agent);
    }
    const browser = await startBrowser({ url: hub.url, look: desktop });
    const page = await browser.open('/app/replay?at=99999');
    await page.locator('.msg').nth(20).waitFor();
    for (const width of [desktop.width, 320]) {
      await page.setViewportSize({ width, height: 720 });
      // All of them: a place shows fifty messages and more.
      const slider = page.getByRole('slider', { name: 'Position in the session' });
      for (const place of ['50', '100', (await slider.getAttribute('max')) ?? '']) {
        await slider.fill(place);
        await eventually('it is there', () => page.url().endsWith(`?at=${place}`));
        await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
        expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
        expect(await foreignMarkup(page)).toEqual([]);
        expect(await strayBidi(page)).toEqual([]);
        expect(await rawControls(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toEqual([]);
      }
    }
    expect(browser.faults).toEqual([]);
  });
});
