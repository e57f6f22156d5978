// What a page of the console costs, by the browser's own clock and performance entries.

/** The pages of the first view, and what is there when they show something. */
export function pagesOf(threadId) {
  return {
    overview: { path: '/app/overview', shown: '.grid tbody tr' },
    threads: { path: '/app/threads', shown: '.rows > li' },
    thread: { path: `/app/thread/${threadId}`, shown: '.msg' },
  };
}

/** Opens a page in a tab of its own; milliseconds from the navigation to the frame after its content is there. */
export async function openMeasured(context, url, { path, shown }) {
  const page = await context.newPage();
  await page.addInitScript(`(() => {
    globalThis.longTasks = [0];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask', buffered: true });
    const look = () => requestAnimationFrame(() => {
      if (document.querySelector(${JSON.stringify(shown)}) === null) look();
      else requestAnimationFrame(() => (globalThis.shownAt = performance.now()));
    });
    look();
  })()`);
  await page.goto(url + path);
  await page.evaluate(`(async () => {
    while (globalThis.shownAt === undefined) await new Promise(requestAnimationFrame);
  })()`);
  return { page, shownMs: await page.evaluate('shownAt') };
}

/** The longest task since the last call; 0 when none was long (50 ms). */
export async function longestTask(page) {
  // Entries come after the task that they are of.
  await page.evaluate('new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 100))');
  return page.evaluate('Math.max(...longTasks.splice(0, longTasks.length, 0))');
}

/** As a person with a wheel: so many turns back, and the same way forward. */
export async function scroll(page, turns) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  for (let turn = 0; turn < turns * 2; turn++) {
    await page.mouse.wheel(0, turn < turns ? -1_200 : 1_200);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}
