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
  /** Copies are free again: this agent's waits should look. */
  freed: (sessionId: string, agentId: string) => void;
}

/** For stores that several hubs share; with one hub an automatic lease ends with its connection. */
export const automaticLeaseMs = 10_000;

/** How soon a store that would not take a verdict is told again. */
const tellAgainMs = 1_000;

/** What the doors report decides once; only a cancellation may overrule `arrived`. */
export function leaseOutcome(ports: LeasePorts, lease: LeasedCopies): ReplyOutcome {
  let state: 'in doubt' | 'arrived' | 'back' = 'in doubt';
  const { store, clock, metrics } = ports;
  const cameBack = (seqs: number[]) => {
    if (seqs.length === 0) return;
    metrics.redelivered(seqs.length);
    ports.freed(lease.sessionId, lease.agentId);
  };
  const giveBack = (unsent: boolean) => {
    if (state !== 'in doubt') return;
    state = 'back';
    tell(ports, () => store.releaseLease({ ...lease, unsent }), cameBack);
  };
  return {
    arrived() {
      if (state !== 'in doubt') return;
      state = 'arrived';
      const at = clock.now();
      tell(
        ports,
        () => store.confirmLease({ ...lease, at }),
        (seqs) => metrics.copiesEnded('read', seqs.length),
      );
    },
    lost: () => giveBack(false),
    unsent: () => giveBack(true),
    cancelled() {
      if (state !== 'arrived') return giveBack(false);
      state = 'back';
      tell(ports, () => store.reopenCopies({ ...lease, at: clock.now() }), cameBack);
    },
  };
}

/**
 * A verdict the store does not take now (its disk is full, its database away) is told again until it does: nothing else
 * ends an automatic lease in time. A store that has closed needs no telling; its next start frees the lease.
 */
function tell(ports: LeasePorts, verdict: () => Promise<number[]>, then: (seqs: number[]) => void): void {
  verdict().then(then, (error: unknown) => {
    if (error instanceof HubError && error.code === 'STORE_UNAVAILABLE' && error.details.outcome !== 'not_stored')
      return;
    ports.log.warn('verdict not stored', { error: String(error) });
    ports.clock.after(tellAgainMs, () => tell(ports, verdict, then));
  });
}
