// The console stays quick however many messages the session has. On a busy machine every task is long, so each figure is
// held against its promise, or against the same page of a session with few messages, looked at in turns.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { longestTask, openMeasured, pagesOf, scroll } from '../../bench/support/page-figures.mjs';
import { desktop, startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { tempFolder } from '../support/temp-folder.js';

const filler = fileURLToPath(new URL('../../bench/support/fill-console.mjs', import.meta.url));
const threadId = 't000000000000';
const many = 50_000;
/** Enough that a thread's page holds as many of them as it ever does. */
const few = 400;
const rounds = 3;
const taskMs = 100;
const firstViewMs = 1_000;
const elementsMax = 12_000;
const callsMax = 200;

let browser: TestBrowser;
const hubs: Record<string, string> = {};

/** The address of a hub with so many messages. */
async function start(messages: number, threads: number): Promise<string> {
  const data = tempFolder();
  const { status, stderr } = spawnSync(process.execPath, [filler, data, String(messages), String(threads)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return (await startHubInProcess({ data })).url;
}

beforeAll(async () => {
  hubs['in one thread'] = await start(many, 1);
  hubs['in 1,000 threads'] = await start(many, 1_000);
  hubs['few'] = await start(few, 1);
  browser = await startBrowser({ url: hubs['few'], look: desktop });
});

interface Looked {
  firstViewMs: number;
  taskMs: number;
  /** Elements of the page, and calls that it made. */
  elements: number;
  calls: number;
}

type Name = keyof ReturnType<typeof pagesOf>;

async function look(where: string, name: Name): Promise<Looked> {
  const opened = await openMeasured(browser.context, hubs[where] ?? '', pagesOf(threadId)[name]);
  const { page } = opened;
  if (name === 'thread') await scroll(page, 25);
  const looked = {
    firstViewMs: opened.shownMs,
    taskMs: await longestTask(page),
    elements: await page.evaluate<number>('document.querySelectorAll("*").length'),
    calls: await page.evaluate<number>(
      'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/v1/")).length',
    ),
  };
  await page.close();
  return looked;
}

function least(looked: readonly Looked[], figure: keyof Looked): number {
  return Math.min(...looked.map((each) => each[figure]));
}

describe.each(['in one thread', 'in 1,000 threads'])('50,000 messages %s', (where) => {
  it.each<Name>(['overview', 'threads', 'thread'])(
    'the page %s is soon there, and no task of it is long',
    { tags: 'long', timeout: 120_000 },
    async (name) => {
      const [ofMany, ofFew]: [Looked[], Looked[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        ofMany.push(await look(where, name));
        if (least(ofMany, 'taskMs') <= taskMs && least(ofMany, 'firstViewMs') <= firstViewMs) break;
        ofFew.push(await look('few', name));
      }
      // Only what a busy machine needs for few messages as well may take longer than promised. Its figures vary: the best
      // with many must not be worse than the worst with few.
      const allowed = (promised: number, figure: 'taskMs' | 'firstViewMs') =>
        Math.max(promised, ...ofFew.map((each) => 1.5 * each[figure]));
      expect(least(ofMany, 'taskMs')).toBeLessThanOrEqual(allowed(taskMs, 'taskMs'));
      expect(least(ofMany, 'firstViewMs')).toBeLessThanOrEqual(allowed(firstViewMs, 'firstViewMs'));
      // What does not depend on the machine.
      expect(least(ofMany, 'elements')).toBeLessThanOrEqual(elementsMax);
      expect(least(ofMany, 'calls')).toBeLessThanOrEqual(callsMax);
    },
  );
});

it(
  'a replay of 50,000 messages goes to any place and to the end, and holds a small part',
  { timeout: 180_000 },
  async () => {
    const page = await browser.context.newPage();
    await page.goto(`${hubs['in 1,000 threads']}/app/replay?at=30000`);
    const shows = (number: number) =>
      eventually(
        `No. ${number} is the last`,
        async () => {
          const last = await page.locator('.msg .md').allTextContents();
          return last.at(-1)?.startsWith(`No. ${number}.`);
        },
        40_000,
      );
    await shows(30_000);
    const slider = page.getByRole('slider', { name: 'Position in the session' });
    await slider.fill('45000');
    await shows(45_000);
    await page.getByLabel('Pace').selectOption('10');
    await page.getByRole('button', { name: 'Play' }).click();
    await shows(many);
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThanOrEqual(elementsMax);
    const calls = await page.evaluate<number>(
      'performance.getEntriesByType("resource").filter(({ name }) => name.includes("get_session_history")).length',
    );
    expect(calls).toBeLessThanOrEqual(callsMax);
    await page.close();
  },
);

it('all 50,000 messages are saved for a model', { tags: 'long', timeout: 300_000 }, async () => {
  const page = await browser.context.newPage();
  await page.goto(`${hubs['in 1,000 threads']}/app/replay`);
  await page.getByText('Export the session').click();
  await page.getByLabel('Export as').selectOption('openai');
  const [saved] = await Promise.all([
    page.waitForEvent('download', { timeout: 250_000 }),
    page.getByRole('button', { name: 'Save the file' }).click(),
  ]);
  const text = readFileSync(await saved.path(), 'utf8');
  expect(JSON.parse(text).messages.length).toBeGreaterThanOrEqual(many);
  expect(text.match(/No\. \d+\./g)).toHaveLength(many);
  await page.close();
});
