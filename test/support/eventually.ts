// Waits for a condition instead of a time.
const pauseMsMin = 5;
const pauseMsMax = 100;
/** What took long so far may be looked at less often: a look costs the machine that the test waits for. */
const pauseShare = 0.1;
/** What comes at once on a machine with nothing else to do; less than a test may take, so that a failure says what did not come. */
const withinMsUsual = 20_000;

/** Calls `probe` until it returns something other than undefined or false; fails after `withinMs`. */
export async function eventually<Found>(
  what: string,
  probe: () => Promise<Found | undefined | false> | Found | undefined | false,
  withinMs = withinMsUsual,
): Promise<Found> {
  const start = performance.now();
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    const elapsedMs = performance.now() - start;
    if (elapsedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    const pauseMs = Math.min(pauseMsMax, Math.max(pauseMsMin, elapsedMs * pauseShare));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
