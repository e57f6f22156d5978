// Removes audit entries past --audit-days, the only way that entries go. What is removed is whole days, so that the entries
// that record the pruning stay few.
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';

export interface PruneAuditPorts {
  store: Pick<Store, 'pruneAudit'>;
  clock: Clock;
  log: Log;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** In small steps, so that sends can run in between. */
const entriesPerStep = 1_000;

/** Every hour. Returns the function that stops it; 0 days keep everything. */
export function startAuditPruning(ports: PruneAuditPorts, days: number): () => void {
  if (days === 0) return () => {};
  let isStopped = false;
  let cancel = ports.clock.after(0, run);
  function run(): void {
    void prune(ports, days).finally(() => {
      if (!isStopped) cancel = ports.clock.after(hourMs, run);
    });
  }
  return () => {
    isStopped = true;
    cancel();
  };
}

async function prune({ store, clock, log }: PruneAuditPorts, days: number): Promise<void> {
  try {
    const at = clock.now();
    const before = (Math.floor(at / dayMs) - days) * dayMs;
    while ((await store.pruneAudit({ at, before, limit: entriesPerStep })).hasMore);
  } catch (error) {
    log.warn('pruning the audit log failed', { error: String(error) });
  }
}
