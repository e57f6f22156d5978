// One reaper per hub, every second: ends expired copies, returns copies whose lease expired, and ends what is left of removed
// agents' inboxes.
import { repeatEvery, type Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Store } from '../../ports/store.js';

export interface ReaperPorts {
  store: Pick<Store, 'reap' | 'removedInboxes' | 'endRemovedInbox'>;
  clock: Clock;
  metrics: Metrics;
  log: Log;
  freed: (sessionId: string, agentId: string) => void;
}

const everyMs = 1_000;
/** How many manual leases of one copy may expire before it becomes a dead letter. */
const runOutsMax = 5;

/** Returns the function that stops it. */
export function startReaper(ports: ReaperPorts): () => void {
  return repeatEvery(ports.clock, everyMs, () => reapOnce(ports));
}

async function reapOnce({ store, clock, metrics, log, freed }: ReaperPorts): Promise<void> {
  try {
    let hasMore = true;
    // In small steps, so that sends can run in between.
    while (hasMore) {
      const reaped = await store.reap({ now: clock.now(), monotonicNow: clock.monotonic(), runOutsMax });
      metrics.copiesEnded('expired', reaped.expired);
      metrics.copiesEnded('dead_lettered', reaped.deadLettered);
      for (const { sessionId, agentId } of reaped.returned) freed(sessionId, agentId);
      ({ hasMore } = reaped);
    }
    for (const inbox of await store.removedInboxes()) {
      while ((await store.endRemovedInbox(inbox)).hasMore);
    }
  } catch (error) {
    log.warn('reap failed', { error: String(error) });
  }
}
