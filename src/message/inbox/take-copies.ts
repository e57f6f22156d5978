// Leases copies to a reader, builds the answer and ties the lease to the answer's outcome. Shared by reads and waits.
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { HandedCopies, InboxFilter, LeasedCopies, Store } from '../../ports/store.js';
import { handOut, leaseCursor, type HandedOut } from './hand-out.js';
import { automaticLeaseMs, leaseOutcome, type LeasePorts } from './lease.js';
import type { ShownHeaders } from './shown-headers.js';

export interface TakePorts extends LeasePorts {
  store: LeasePorts['store'] & Pick<Store, 'leaseCopies'>;
  clock: Clock;
  manualLeaseMs: number;
  shownHeaders: ShownHeaders;
}

export interface Taking {
  filter: InboxFilter;
  limit: number;
  ack: 'auto' | 'manual';
  token: string;
  model: ModelReader | undefined;
}

export type Taken = HandedCopies & { unread: number };

export interface ReadAnswer {
  output: HandedOut;
  replyOutcome?: ReplyOutcome;
  unread?: number;
}

export async function takeCopies(
  ports: TakePorts,
  { sessionId, agentId }: NamedCaller,
  { filter, limit, ack, token, model }: Taking,
): Promise<Taken> {
  const isManual = ack === 'manual';
  for (;;) {
    const askedAt = ports.clock.monotonic();
    const taken = await ports.store.leaseCopies({
      sessionId,
      agentId,
      filter,
      limit,
      token,
      isManual,
      now: ports.clock.now(),
      monotonicNow: askedAt,
      leaseMs: isManual ? ports.manualLeaseMs : automaticLeaseMs,
      tokensMax: model?.tokensMax ?? null,
    });
    const isLate = ports.clock.monotonic() - askedAt > automaticLeaseMs / 2;
    if (isManual || !isLate || taken.copies.length === 0) return taken;
    // This hub was stalled: another hub may soon lease the same copies. It returns those it still holds.
    const keys = taken.copies.map(({ key }) => key);
    await ports.store.releaseLease({ sessionId, agentId, token, keys, unsent: true });
  }
}

export function answerWith(
  ports: TakePorts,
  { sessionId, agentId }: NamedCaller,
  { taken, taking, waitedMs }: { taken: Taken; taking: Taking; waitedMs: number },
): ReadAnswer {
  const { token, ack, model } = taking;
  const lease = { sessionId, agentId, token, keys: taken.copies.map(({ key }) => key) };
  const reader = { sessionId, agentId, model };
  const threads = ports.shownHeaders.newTo(reader, taken.threads, taken.copies);
  const knownThreads = taken.threads.filter((header) => !threads.includes(header));
  const found = { ...taken, threads, knownThreads, cursor: leaseCursor(lease), waitedMs, timedOut: false };
  const output = handOut(agentId, found, model);
  if (taken.copies.length === 0) return { output, unread: taken.unread };
  const replyOutcome = ports.shownHeaders.follow(reader, threads, outcomeOf(ports, lease, ack));
  return { output, replyOutcome, unread: taken.unread };
}

export function outcomeOf(ports: LeasePorts, lease: LeasedCopies, ack: Taking['ack']): ReplyOutcome {
  const outcome = leaseOutcome(ports, lease);
  return ack === 'manual' ? untilAcknowledged(outcome) : outcome;
}

const ignore = () => {};

/** For manual leases: a lost answer returns the messages; after an arrived one the reader must acknowledge them. */
function untilAcknowledged(outcome: ReplyOutcome): ReplyOutcome {
  return { ...outcome, arrived: ignore };
}
