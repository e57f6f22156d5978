// Leases copies to a reader, builds the answer and ties the lease to the answer's outcome. Shared by reads and waits.
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { HubError } from '../../contract/errors.js';
import type { NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { InboxFilter, LeasedCopies, Store, TakenCopies, WaitTurn } from '../../ports/store.js';
import { handOut, leaseCursor, type HandedOut } from './hand-out.js';
import { automaticLeaseMs, leaseOutcome, type LeasePorts } from './lease.js';
import type { ShownHeaders } from './shown-headers.js';

export interface TakePorts extends LeasePorts {
  store: LeasePorts['store'] & Pick<Store, 'leaseCopies' | 'fileCopies'>;
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
  bytesMax?: number;
  wait?: WaitTurn | undefined;
  client: { readonly isGone: boolean };
}

export interface ReadAnswer {
  output: HandedOut;
  replyOutcome?: ReplyOutcome;
  unread?: number;
}

/** Takes nothing if the client goes meanwhile. */
export async function takeCopies(ports: TakePorts, caller: NamedCaller, taking: Taking): Promise<TakenCopies> {
  await ports.returning.whenBack(caller);
  return ports.returning.follow(caller, takeUnlessGone(ports, caller, taking), () => taking.client.isGone);
}

async function takeUnlessGone(ports: TakePorts, caller: NamedCaller, taking: Taking): Promise<TakenCopies> {
  const taken = await leaseInTime(ports, caller, taking);
  if (taken.copies.length === 0 || !taking.client.isGone) return taken;
  const { sessionId, agentId } = caller;
  const { token } = taking;
  // Here and not only when the answer is written: the reader's next call waits for these copies.
  leaseOutcome(ports, { sessionId, agentId, token, keys: taken.copies.map(({ key }) => key) }).unsent();
  return { ...taken, copies: [], threads: [], hasMore: false };
}

async function leaseInTime(
  ports: TakePorts,
  { sessionId, agentId }: NamedCaller,
  { filter, limit, ack, token, model, bytesMax, wait }: Taking,
): Promise<TakenCopies> {
  const isManual = ack === 'manual';
  let turn = wait;
  let steps = 1;
  let scansUnfiled = false;
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
      ...(bytesMax === undefined ? {} : { bytesMax }),
      scansUnfiled,
      wait: turn,
    });
    if (taken.mustFile === true) {
      scansUnfiled = !(await fileInSteps(ports.store, { sessionId, agentId }, steps));
      steps *= 2;
      continue;
    }
    if (taken.copies.length === 0 || !isLate(ports, ack, askedAt)) return taken;
    const keys = taken.copies.map(({ key }) => key);
    await ports.store.releaseLease({ sessionId, agentId, token, keys, unsent: true });
    // With these copies the wait was no longer kept.
    turn = wait === 'last' ? undefined : wait && 'first';
  }
}

/** Then this hub was stalled: another hub may soon lease the same copies. It returns those it still holds. */
export function isLate({ clock }: TakePorts, ack: Taking['ack'], leasedAt: number): boolean {
  return ack === 'auto' && clock.monotonic() - leasedAt > automaticLeaseMs / 2;
}

/**
 * Calls of others run between the steps. A read that finds nothing in what is filed takes twice as many steps each time: what
 * comes early is found early, and a read that finds nothing looks only a few times. False if the disk takes no write: then the
 * read has to scan.
 */
export async function fileInSteps(
  store: Pick<Store, 'fileCopies'>,
  inbox: { sessionId: string; agentId: string },
  steps: number,
): Promise<boolean> {
  try {
    for (let step = 0; step < steps; step++) {
      const { hasMore } = await store.fileCopies(inbox);
      if (!hasMore) break;
    }
    return true;
  } catch (error) {
    if (error instanceof HubError && (error.code === 'STORE_FULL' || error.code === 'STORE_FAILED')) return false;
    throw error;
  }
}

export function answerWith(
  ports: TakePorts,
  { sessionId, agentId }: NamedCaller,
  { taken, taking, waitedMs }: { taken: TakenCopies; taking: Taking; waitedMs: number },
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
