// wait_for_mentions: unread messages at once, else parked until one arrives, the time is up or the client goes away.
import type { waitForMentions as contract } from '../contract/operations/wait-for-mentions.js';
import type { InputOf } from '../contract/operation.js';
import { HubError } from '../contract/errors.js';
import type { NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Metrics } from '../ports/metrics.js';
import type { HandedCopies, Store } from '../ports/store.js';
import { acknowledgeCursor, requireCursor, type AcknowledgePorts } from './acknowledge.js';
import { handOut, leaseCursor, type HandedOut } from './hand-out.js';
import { automaticLeaseMs, leaseFate, type LeaseFate, type LeasePorts } from './lease.js';
import { ParkedWait, type ParkedWaits, type WaitFilter } from './parked-waits.js';

export interface WaitPorts extends LeasePorts, AcknowledgePorts {
  store: Store;
  clock: Clock;
  ids: Ids;
  metrics: Metrics;
  parked: ParkedWaits;
  manualLeaseMs: number;
  /** For readers that are named only as an inbox's owner. */
  saw: (reader: NamedCaller) => void;
  /** Ends every wait when the hub stops. */
  stopping: StopSignal;
}

export interface StopSignal {
  readonly isStopping: boolean;
  onStop(callback: () => void): () => void;
}

/** The part of a call that a wait must watch. */
export interface WaitContext {
  client: { readonly isGone: boolean; onGone(callback: () => void): () => void };
  waitMsMax?: number | undefined;
  progress?: ((text: string) => void) | undefined;
}

type Input = InputOf<typeof contract>;
type Found = HandedCopies & { unread: number };

export interface ReadAnswer {
  output: HandedOut;
  fate?: LeaseFate;
  unread?: number;
}

/** Well inside the shortest idle limit seen in clients, so that progress keeps them patient. */
const progressEveryMs = 15_000;

export async function waitForMentions(
  ports: WaitPorts,
  caller: NamedCaller,
  input: Input,
  context: WaitContext,
): Promise<ReadAnswer> {
  if (input.cursor !== undefined) await acknowledgeCursor(ports, caller, requireCursor(input.cursor));
  const startedAt = ports.clock.monotonic();
  const waitMs = Math.min(input.timeoutMs, context.waitMsMax ?? input.timeoutMs);
  const filter: WaitFilter = {
    wakingOnly: input.for === 'mentions',
    ...(input.from === undefined ? {} : { from: input.from }),
    ...(input.threadId === undefined ? {} : { threadId: input.threadId }),
  };
  const wait = new ParkedWait(caller.sessionId, caller.agentId, filter);
  ports.parked.add(wait);
  ports.metrics.waitParked(1);
  const token = ports.ids.leaseToken();
  let found: Found | undefined;
  try {
    found = await readUntilFound(ports, { wait, input, token, deadline: startedAt + waitMs, context });
  } finally {
    ports.parked.remove(wait);
    ports.metrics.waitParked(-1);
    // A signal that came after this wait's last read tells of a message it does not have: the next wait looks.
    if (wait.isSignalled) ports.freed(caller.sessionId, caller.agentId);
  }
  const waitedMs = ports.clock.monotonic() - startedAt;
  return answer(ports, { caller, input, token, found, waitedMs, waitMs });
}

interface Search {
  wait: ParkedWait;
  input: Input;
  token: string;
  deadline: number;
  context: WaitContext;
}

/** Registered before the first read; parks only if no signal came since; reads once more when the time is up. */
async function readUntilFound(ports: WaitPorts, search: Search): Promise<Found | undefined> {
  const { wait, deadline, context } = search;
  let wokenAt: number | undefined;
  for (;;) {
    wait.isSignalled = false;
    const isLastRead = ports.clock.monotonic() >= deadline || ports.stopping.isStopping;
    const found = await lease(ports, search);
    if (found.copies.length > 0) {
      if (wokenAt !== undefined) ports.metrics.wakeTook(ports.clock.monotonic() - wokenAt);
      return found;
    }
    if (context.client.isGone) throw clientGone();
    if (wait.isSignalled) continue;
    if (isLastRead) return undefined;
    await park(ports, search);
    wokenAt = ports.clock.monotonic();
    if (context.client.isGone) throw clientGone();
  }
}

async function lease(ports: WaitPorts, { wait, input, token }: Search): Promise<Found> {
  const isManual = input.ack === 'manual';
  return ports.store.leaseCopies({
    sessionId: wait.sessionId,
    agentId: wait.agentId,
    filter: wait.filter,
    limit: input.limit,
    token,
    isManual,
    now: ports.clock.now(),
    monotonicNow: ports.clock.monotonic(),
    leaseMs: isManual ? ports.manualLeaseMs : automaticLeaseMs,
  });
}

/** Sleeps until a signal, the deadline, the client's going or the hub's stopping, whichever is first. */
function park(ports: WaitPorts, { wait, deadline, context }: Search): Promise<void> {
  return new Promise((resolve) => {
    const undo: (() => void)[] = [];
    const wake = () => {
      wait.onSignal = undefined;
      for (const stop of undo.splice(0)) stop();
      resolve();
    };
    wait.onSignal = wake;
    undo.push(ports.clock.after(Math.max(0, deadline - ports.clock.monotonic()), wake));
    undo.push(context.client.onGone(wake), ports.stopping.onStop(wake));
    if (context.progress !== undefined) undo.push(keepTelling(ports, wait, context.progress));
  });
}

function keepTelling(ports: WaitPorts, wait: ParkedWait, progress: (text: string) => void): () => void {
  let stop: () => void;
  const tell = () => {
    progress(`${wait.agentId} is waiting for messages`);
    stop = ports.clock.after(progressEveryMs, tell);
  };
  stop = ports.clock.after(progressEveryMs, tell);
  return () => stop();
}

function answer(
  ports: WaitPorts,
  done: {
    caller: NamedCaller;
    input: Input;
    token: string;
    found: Found | undefined;
    waitedMs: number;
    waitMs: number;
  },
): ReadAnswer {
  const { caller, input, token, found, waitedMs, waitMs } = done;
  const { sessionId, agentId } = caller;
  const clamped = waitMs < input.timeoutMs ? { clampedToMs: waitMs } : {};
  if (found === undefined) {
    const nothing = { copies: [], threads: [], hasMore: false, cursor: null, waitedMs, timedOut: true };
    return { output: { ...handOut(agentId, nothing), ...clamped } };
  }
  const leased = { sessionId, agentId, token, keys: found.copies.map(({ key }) => key) };
  const fate = leaseFate(ports, leased);
  const output = handOut(agentId, { ...found, cursor: leaseCursor(leased), waitedMs, timedOut: false });
  // A manual lease outlives the answer: only an acknowledgement, or its time, ends it.
  return {
    output: { ...output, ...clamped },
    fate: input.ack === 'manual' ? untilAcknowledged(fate) : fate,
    unread: found.unread,
  };
}

const ignore = () => {};

/** For manual leases: an answer that did not arrive gives the messages back; what arrived is up to the reader. */
export function untilAcknowledged(fate: LeaseFate): LeaseFate {
  return { ...fate, arrived: ignore };
}

function clientGone(): HubError {
  return new HubError('CANCELLED', 'The client went away while it waited.', { hint: 'Call again; nothing was taken.' });
}
