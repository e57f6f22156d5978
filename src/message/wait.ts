// wait_for_mentions: unread messages at once, else parked until one arrives, the time is up or the client goes away.
import type { ModelReader } from '../contract/budget/model-reader.js';
import type { waitForMentions as contract } from '../contract/operations/wait-for-mentions.js';
import type { InputOf } from '../contract/operation.js';
import { HubError } from '../contract/errors.js';
import type { NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Metrics } from '../ports/metrics.js';
import type { Store } from '../ports/store.js';
import { acknowledgeCursor, requireCursor, type AcknowledgePorts } from './acknowledge.js';
import { handOut, type HandedOut } from './hand-out.js';
import { ParkedWait, type ParkedWaits, type WaitFilter } from './parked-waits.js';
import { answerWith, takeCopies, type ReadAnswer, type Taken, type TakePorts, type Taking } from './take-copies.js';

export interface WaitPorts extends TakePorts, AcknowledgePorts {
  store: Store;
  clock: Clock;
  ids: Ids;
  metrics: Metrics;
  parked: ParkedWaits;
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
  model?: ModelReader | undefined;
}

type Input = InputOf<typeof contract>;

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
  const { limit, ack } = input;
  const taking: Taking = { filter, limit, ack, token: ports.ids.leaseToken(), model: context.model };
  let found: Taken | undefined;
  try {
    found = await readUntilFound(ports, { caller, wait, taking, deadline: startedAt + waitMs, context });
  } finally {
    ports.parked.remove(wait);
    ports.metrics.waitParked(-1);
    // A signal that came after this wait's last read tells of a message it does not have: the next wait looks.
    if (wait.isSignalled) ports.freed(caller.sessionId, caller.agentId);
  }
  const waitedMs = ports.clock.monotonic() - startedAt;
  const answer: ReadAnswer =
    found === undefined
      ? { output: nothingCame(caller.agentId, waitedMs) }
      : answerWith(ports, caller, found, { ...taking, waitedMs });
  return waitMs < input.timeoutMs ? { ...answer, output: { ...answer.output, clampedToMs: waitMs } } : answer;
}

interface Search {
  caller: NamedCaller;
  wait: ParkedWait;
  taking: Taking;
  deadline: number;
  context: WaitContext;
}

/** Registered before the first read; parks only if no signal came since; reads once more when the time is up. */
async function readUntilFound(ports: WaitPorts, search: Search): Promise<Taken | undefined> {
  const { caller, wait, taking, deadline, context } = search;
  let wokenAt: number | undefined;
  for (;;) {
    wait.isSignalled = false;
    const isLastRead = ports.clock.monotonic() >= deadline || ports.stopping.isStopping;
    const found = await takeCopies(ports, caller, taking);
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

function nothingCame(reader: string, waitedMs: number): HandedOut {
  return handOut(reader, { copies: [], threads: [], hasMore: false, cursor: null, waitedMs, timedOut: true });
}

function clientGone(): HubError {
  return new HubError('CANCELLED', 'The client went away while it waited.', { hint: 'Call again; nothing was taken.' });
}
