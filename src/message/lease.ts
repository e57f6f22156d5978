// The fate of an answer that handed out messages: they become read, or come again. See docs/life-of-a-message.md.
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';
import type { LeasedCopies, Store } from '../ports/store.js';

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

export interface LeaseFate {
  arrived(): void;
  lost(): void;
  unsent(): void;
  cancelled(): void;
}

/** What the doors report decides once; only a cancellation may overrule `arrived`. */
export function leaseFate(ports: LeasePorts, lease: LeasedCopies): LeaseFate {
  let state: 'in doubt' | 'arrived' | 'back' = 'in doubt';

  const giveBack = (unsent: boolean) => {
    if (state !== 'in doubt') return;
    state = 'back';
    supervise(ports, lease, ports.store.releaseLease({ ...lease, unsent }));
  };

  return {
    arrived() {
      if (state !== 'in doubt') return;
      state = 'arrived';
      const confirmed = ports.store.confirmLease({ ...lease, at: ports.clock.now() });
      confirmed.then(
        (seqs) => ports.metrics.copiesEnded('read', seqs.length),
        (error: unknown) => ports.log.warn('confirm failed', { error: String(error) }),
      );
    },
    lost: () => giveBack(false),
    unsent: () => giveBack(true),
    cancelled() {
      if (state === 'arrived') {
        state = 'back';
        supervise(ports, lease, ports.store.reopenCopies({ ...lease, at: ports.clock.now() }));
      } else giveBack(false);
    },
  };
}

/** A copy that came back must find the next reader; if the store cannot say so now, its restart will. */
function supervise(ports: LeasePorts, lease: LeasedCopies, returned: Promise<number[]>): void {
  returned.then(
    (seqs) => {
      if (seqs.length === 0) return;
      ports.metrics.redelivered(seqs.length);
      ports.freed(lease.sessionId, lease.agentId);
    },
    (error: unknown) => ports.log.warn('release failed', { error: String(error) }),
  );
}
