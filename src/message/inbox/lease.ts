// How a reply that handed out messages ends: they become read, or are delivered again. See docs/life-of-a-message.md.
import { HubError } from '../../contract/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { LeasedCopies, Store, WaitReference } from '../../ports/store.js';
import type { ReturningCopies } from './returning-copies.js';

export interface LeasePorts {
  store: Pick<Store, 'confirmLease' | 'releaseLease' | 'reopenCopies' | 'endWait'>;
  clock: Clock;
  metrics: Metrics;
  log: Log;
  returning: ReturningCopies;
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
    const write = () => ports.returning.follow(lease, store.releaseLease({ ...lease, unsent }), () => true);
    settle(ports, write, onReturned);
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

/** For a wait that the store may keep and that takes nothing any more. */
export function endKeptWait(ports: LeasePorts, wait: WaitReference): void {
  settle(
    ports,
    () => ports.store.endWait(wait),
    (isReturned) => {
      if (isReturned) ports.freed(wait.sessionId, wait.agentId);
    },
  );
}

/**
 * Retries while the store fails (disk full, database unreachable): nothing else ends an automatic lease in time. Not
 * after the store has closed: its next start frees the lease.
 */
function settle<Written>(ports: LeasePorts, write: () => Promise<Written>, then: (written: Written) => void): void {
  write().then(then, (error: unknown) => {
    if (error instanceof HubError && error.code === 'STORE_UNAVAILABLE' && error.details.outcome !== 'not_stored')
      return;
    ports.log.warn('lease outcome not stored', { error: String(error) });
    ports.clock.after(retryMs, () => settle(ports, write, then));
  });
}
