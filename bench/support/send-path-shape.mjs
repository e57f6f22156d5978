// What both sides of bench/send-path.mjs share, so that they do the same.
export const batch = 128;
export const text = 'Auth fix complete. PR #42 open. Tests passing. The review found two small things, both fixed now.';

const warmMs = 1_000;
const runMs = Number(process.env['RUN_MS'] ?? 3_000);

/** Rate of a counter that something else drives, and the processor time each took: steadier on a busy machine. */
export async function times(count) {
  await pause(warmMs);
  const [before, begin, cpu] = [count(), performance.now(), process.cpuUsage()];
  await pause(runMs);
  const done = count() - before;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: done / ((performance.now() - begin) / 1000), cpuUs: (user + system) / done };
}

export function answer(figures) {
  process.send?.(figures, () => process.disconnect());
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
