// Waits for a condition instead of a time.
const lookEveryMs = 10;

/** Calls `probe` until it returns something other than undefined or false; fails after `withinMs`. */
export async function eventually<Found>(
  what: string,
  probe: () => Promise<Found | undefined | false> | Found | undefined | false,
  withinMs = 10_000,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
