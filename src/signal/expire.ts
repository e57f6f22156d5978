// Ends questions whose time is over, on every hub: the store lets only one of them end a question.
import { repeatEvery, type Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';
import type { SignalPorts } from './ports.js';

export interface ExpirePorts extends Pick<SignalPorts, 'announce' | 'wakeup'> {
  store: Pick<Store, 'sessionsWithDueSignals' | 'expireSignals'>;
  clock: Clock;
  log: Log;
}

const everyMs = 1_000;

/** Returns the function that stops it. */
export function startExpiringQuestions(ports: ExpirePorts): () => void {
  return repeatEvery(ports.clock, everyMs, () => expireOnce(ports));
}

async function expireOnce({ store, clock, log, announce, wakeup }: ExpirePorts): Promise<void> {
  try {
    const now = clock.now();
    for (const sessionId of await store.sessionsWithDueSignals({ now })) {
      let hasMore = true;
      // In small steps, so that sends can run in between.
      while (hasMore) {
        const step = await store.expireSignals({ sessionId, now });
        announce(sessionId, step.appended);
        if (step.expired > 0) wakeup.signals(sessionId);
        ({ hasMore } = step);
      }
    }
  } catch (error) {
    log.warn('expiring questions failed', { error: String(error) });
  }
}
