// The console with 1, 10 and 50 thousand messages in one thread, and 50 thousand in a thousand threads: how long the first view of
// each page takes, and its longest task while it is opened and scrolled. In a real Chromium, by its own performance entries.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { fillConsole, threadIdOf } from './support/fill-console.mjs';
import { longestTask, openMeasured, pagesOf, scroll } from './support/page-figures.mjs';
import { withHub } from './support/processes.mjs';
import { printTable } from './support/table.mjs';

const sizes = (process.env['SIZES'] ?? '1000,10000,50000').split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const turns = Number(process.env['TURNS'] ?? 60);
const shapes = [...sizes.map((messages) => ({ messages, threads: 1 })), { messages: sizes.at(-1), threads: 1_000 }];

const program = spawnSync(process.execPath, [fileURLToPath(new URL('../scripts/chromium.mjs', import.meta.url))], {
  encoding: 'utf8',
}).stdout.trim();

/** A profile of its own, as a person who opens the console has one: nothing of another hub is in its cache. */
async function measure(url) {
  const profile = mkdtempSync(join(tmpdir(), 'coterie-bench-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    args: ['--headless=new', '--no-sandbox', '--disable-gpu'],
    viewport: { width: 1_280, height: 860 },
  });
  const figures = {};
  try {
    for (const [name, opened] of Object.entries(pagesOf(threadIdOf(0)))) {
      const { page, shownMs } = await openMeasured(context, url, opened);
      figures[`${name}, first view`] = shownMs;
      figures[`${name}, longest task when opened`] = await longestTask(page);
      if (name === 'thread') {
        await scroll(page, turns);
        figures['thread, longest task when scrolled'] = await longestTask(page);
      }
      await page.close();
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  return figures;
}

/** Hubs of all shapes run side by side and are looked at in turns. */
async function withHubs([shape, ...others], urls, use) {
  if (shape === undefined) return use(urls);
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fillConsole(data, shape);
  return withHub((url) => withHubs(others, [...urls, url], use), [], { data });
}

await withHubs(shapes, [], async (urls) => {
  const found = shapes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, url] of urls.entries()) found[index].push(await measure(url));
  }
  const names = Object.keys(found[0][0]);
  printTable(
    ['messages', 'threads', ...names.map((name) => `${name}, ms`)],
    shapes.map(({ messages, threads }, index) => [
      messages.toLocaleString('en'),
      threads.toLocaleString('en'),
      ...names.map((name) => spread(found[index].map((figures) => figures[name]))),
    ]),
  );
});

/** The median, and the smallest and largest; the browser names no task below 50 ms. */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b).map((value) => (value === 0 ? '<50' : String(Math.round(value))));
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]}–${sorted.at(-1)})`;
}
