// Closes sessions whose time is over and, with --retain-days, deletes old messages and questions. Every hub does it: the store lets only
// one of them close a session.
import { repeatEvery, type Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { AuditEntry, Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';
import { systemAgentId } from '../contract/ids.js';

export interface UpkeepPorts {
  store: Pick<Store, 'expiredSessions' | 'closeSession' | 'listSessions' | 'pruneMessages' | 'pruneSignals'>;
  clock: Clock;
  log: Log;
  wakeup: Wakeup;
  isStopping: () => boolean;
  /** Null: messages are kept. */
  retainDays: number | null;
}

const everyMs = 1_000;
const pruneEveryMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;
const sessionsAtOnce = 100;

/** Returns the function that stops it. */
export function startUpkeep(ports: UpkeepPorts): () => void {
  const { clock, log, retainDays } = ports;
  let pruneAt = clock.monotonic();
  return repeatEvery(clock, everyMs, async () => {
    try {
      await closeExpired(ports);
      if (retainDays === null || clock.monotonic() < pruneAt) return;
      pruneAt = clock.monotonic() + pruneEveryMs;
      await prune(ports, clock.now() - retainDays * dayMs);
    } catch (error) {
      log.warn('upkeep failed', { error: String(error) });
    }
  });
}

async function closeExpired({ store, clock, wakeup }: UpkeepPorts): Promise<void> {
  const at = clock.now();
  const reason = 'expired';
  for (const sessionId of await store.expiredSessions({ now: at })) {
    const audit: AuditEntry = {
      sessionId,
      at,
      actor: systemAgentId,
      keyId: null,
      address: '',
      act: 'close_session',
      target: sessionId,
      details: { reason },
    };
    const { wasClosed } = await store.closeSession({ sessionId, bySession: null, reason, at, audit });
    if (!wasClosed) wakeup.closed(sessionId);
  }
}

async function prune({ store, log, isStopping }: UpkeepPorts, before: number): Promise<void> {
  let messages = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['listSessions']>> = await store.listSessions({
      bySession: null,
      limit: sessionsAtOnce,
      after,
    });
    for (const { id: sessionId } of page.sessions) {
      // In small steps, so that sends can run in between.
      let afterSeq: number | null = 0;
      while (afterSeq !== null && !isStopping()) {
        const { count, next } = await store.pruneMessages({ sessionId, before, afterSeq });
        messages += count;
        afterSeq = next;
      }
      let hasMore = true;
      while (hasMore && !isStopping()) ({ hasMore } = await store.pruneSignals({ sessionId, before }));
    }
    after = page.hasMore ? (page.sessions.at(-1)?.id ?? null) : null;
  } while (after !== null && !isStopping());
  if (messages > 0) log.info('messages pruned', { messages });
}
