// Deletes what remains of imports that were given up: staged parts, and rows of a session that never came to be.
import type { Clock } from '../../ports/clock.js';
import type { Ids } from '../../ports/ids.js';
import type { Log } from '../../ports/log.js';
import type { Store } from '../../ports/store.js';

export interface PrunePorts {
  store: Pick<Store, 'pruneImports' | 'takeLeftImports' | 'clearImport'>;
  clock: Clock;
  ids: Ids;
  log: Log;
}

const everyMs = 60_000;
const keptMs = 60 * 60_000;

/** At start, then now and then. Returns the function that stops it. */
export function startImportPruning(ports: PrunePorts): () => void {
  const { clock } = ports;
  let cancel: (() => void) | undefined;
  const stopping = new AbortController();
  function run(): void {
    void prune(ports, stopping.signal).finally(() => {
      if (!stopping.signal.aborted) cancel = clock.after(everyMs, run);
    });
  }
  run();
  return () => {
    stopping.abort();
    cancel?.();
  };
}

/** After the signal it asks the store for nothing more: the store is closed then. */
async function prune({ store, clock, ids, log }: PrunePorts, signal: AbortSignal): Promise<void> {
  try {
    await toTheEnd(() => store.pruneImports({ before: clock.now() - keptMs }), signal);
    if (signal.aborted) return;
    const importId = ids.importId();
    for (const sessionId of await store.takeLeftImports({ importId, now: clock.now() })) {
      await toTheEnd(() => store.clearImport({ sessionId, importId, at: clock.now(), keepsName: false }), signal);
      if (signal.aborted) return;
      log.info('an import that ended early was cleared', { session: sessionId });
    }
  } catch (error) {
    if (!signal.aborted) log.warn('prune imports failed', { error: String(error) });
  }
}

/** Calls of others run between the steps. */
export async function toTheEnd(step: () => Promise<{ hasMore: boolean }>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    const { hasMore } = await step();
    if (!hasMore) return;
  }
}
