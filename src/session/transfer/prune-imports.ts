// Deletes what remains of imports that were given up.
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Store } from '../../ports/store.js';

export interface PrunePorts {
  store: Pick<Store, 'pruneImports'>;
  clock: Clock;
  log: Log;
}

const everyMs = 10 * 60_000;
const keptMs = 60 * 60_000;

/** At start, then now and then. Returns the function that stops it. */
export function startImportPruning(ports: PrunePorts): () => void {
  const { clock } = ports;
  let cancel: (() => void) | undefined;
  let isStopped = false;
  function run(): void {
    void prune(ports).finally(() => {
      if (!isStopped) cancel = clock.after(everyMs, run);
    });
  }
  run();
  return () => {
    isStopped = true;
    cancel?.();
  };
}

async function prune({ store, clock, log }: PrunePorts): Promise<void> {
  try {
    await store.pruneImports({ before: clock.now() - keptMs });
  } catch (error) {
    log.warn('prune imports failed', { error: String(error) });
  }
}
