// How a reply that handed out messages ends: they become read, or are delivered again. See docs/life-of-a-message.md.
import { HubError } from '../../contract/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { LeasedCopies, Store } from '../../ports/store.js';

export interface LeasePorts {
  store: Pick<Store, 'confirmLease' | 'releaseLease' | 'reopenCopies'>;
  clock: Clock;
  metrics: Metrics;
  log: Log;
  /** Copies are free again: the agent's waits must read again. */
  freed: (sessionId: string, agentId: string) => void;
}

/** For stores shared by several hubs; with one hub an automatic lease ends with its connection. */
export const automaticLeaseMs = 10_000;

/** Delay before a failed store call is retried. */
const retryMs = 1_000;

/** The first report of the transport decides; only a cancellation may override `arrived`. */
export function leaseOutcome(ports: LeasePorts, lease: LeasedCopies): ReplyOutcome {
  let state: 'open' | 'arrived' | 'returned' = 'open';
  const { store, clock, metrics } = ports;
  const onReturned = (seqs: number[]) => {
    if (seqs.length === 0) return;
    metrics.redelivered(seqs.length);
    ports.freed(lease.sessionId, lease.agentId);
  };
  const release = (unsent: boolean) => {
    if (state !== 'open') return;
    state = 'returned';
    settle(ports, () => store.releaseLease({ ...lease, unsent }), onReturned);
  };
  return {
    arrived() {
      if (state !== 'open') return;
      state = 'arrived';
      const at = clock.now();
      settle(
        ports,
        () => store.confirmLease({ ...lease, at }),
        (seqs) => metrics.copiesEnded('read', seqs.length),
      );
    },
    lost: () => release(false),
    unsent: () => release(true),
    cancelled() {
      if (state !== 'arrived') return release(false);
      state = 'returned';
      settle(ports, () => store.reopenCopies({ ...lease, at: clock.now() }), onReturned);
    },
  };
}

/**
 * Retries while the store fails (disk full, database unreachable): nothing else ends an automatic lease in time. Not
 * after the store has closed: its next start frees the lease.
 */
function settle(ports: LeasePorts, write: () => Promise<number[]>, then: (seqs: number[]) => void): void {
  write().then(then, (error: unknown) => {
    if (error instanceof HubError && error.code === 'STORE_UNAVAILABLE' && error.details.outcome !== 'not_stored')
      return;
    ports.log.warn('lease outcome not stored', { error: String(error) });
    ports.clock.after(retryMs, () => settle(ports, write, then));
  });
}
