// The totals that /metrics shows beside the counters of this hub.
import type { Clock } from './ports/clock.js';
import type { Store } from './ports/store.js';
import type { Totals } from './runtime/prometheus-metrics.js';

/** Metrics scrapers time out quickly. */
const talliesMs = 2_000;

/** Null when the store does not answer in time. */
export async function totalsInTime(store: Store, clock: Clock): Promise<Totals | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), talliesMs)));
  try {
    return await Promise.race([readTotals(store, clock).catch(() => null), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function readTotals(store: Store, clock: Clock): Promise<Totals> {
  const [tallies, { waiting, oldestDueAt }] = await Promise.all([store.tallies(), store.countPushes()]);
  const oldestSeconds = oldestDueAt === null ? 0 : Math.max(0, clock.now() - oldestDueAt) / 1_000;
  return { ...tallies, pushes: { waiting, oldestSeconds } };
}
