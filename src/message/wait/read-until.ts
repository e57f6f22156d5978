// The loop of every wait: register, read, park only if no signal came meanwhile, and read once more at the end.
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { HubError } from '../../contract/errors.js';
import type { AnswerHold } from '../../ports/answer-room.js';
import type { NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { Metrics } from '../../ports/metrics.js';
import { reportProgress } from '../../contract/progress.js';
import type { WakeSignal } from './wake-signal.js';

export interface ParkPorts {
  clock: Clock;
  metrics: Metrics;
  wakeDelays: { note(sessionId: string, ms: number): void };
  /** Ends every wait when the hub stops. */
  stopping: StopSignal;
  /** Undefined while the session is open. */
  waitRefusal: (sessionId: string) => Promise<HubError | undefined>;
}

export interface StopSignal {
  readonly isStopping: boolean;
  onStop(callback: () => void): () => void;
}

/** The part of a call that a wait needs. */
export interface WaitContext {
  client: { readonly isGone: boolean; onGone(callback: () => void): () => void; readonly answer?: AnswerHold };
  waitMsMax?: number | undefined;
  progress?: ((text: string) => void) | undefined;
  model?: ModelReader | undefined;
}

export interface Reading<Found> {
  sessionId: string;
  /** Already registered: every later commit signals it. */
  signal: WakeSignal;
  /** Monotonic. */
  deadline: number;
  context: WaitContext;
  /** Undefined: nothing found yet. `isLast`: no further read follows. */
  read: (isLast: boolean) => Promise<Found | undefined>;
  /** The progress text for clients that asked for progress. */
  progressText: () => string;
}

/** What a read found; undefined if the deadline passed or the hub stopped first. */
export async function readUntilFound<Found>(ports: ParkPorts, reading: Reading<Found>): Promise<Found | undefined> {
  const stopProgress = reportProgress(ports.clock, reading.context.progress, reading.progressText);
  try {
    return await readOn(ports, reading);
  } finally {
    stopProgress();
  }
}

async function readOn<Found>(ports: ParkPorts, reading: Reading<Found>): Promise<Found | undefined> {
  const { signal, deadline, context } = reading;
  let wokenAt: number | undefined;
  let refusal: HubError | undefined;
  for (;;) {
    signal.isSignalled = false;
    const isLastRead = ports.clock.monotonic() >= deadline || ports.stopping.isStopping || refusal !== undefined;
    const found = await reading.read(isLastRead);
    if (found !== undefined) {
      if (wokenAt !== undefined) noteWoken(ports, reading, ports.clock.monotonic() - wokenAt);
      return found;
    }
    if (context.client.isGone) throw clientGone();
    if (refusal !== undefined) throw refusal;
    if (signal.isSignalled) continue;
    if (isLastRead) return undefined;
    // Asked only before parking, so that a message that is there costs no more. What came just before is read first.
    refusal = await ports.waitRefusal(reading.sessionId);
    if (context.client.isGone) throw clientGone();
    // A wait parked now would not be woken by what has happened meanwhile.
    if (refusal !== undefined || signal.isSignalled || ports.stopping.isStopping) continue;
    await park(ports, reading);
    wokenAt = ports.clock.monotonic();
    if (context.client.isGone) throw clientGone();
  }
}

function noteWoken(
  { metrics, wakeDelays }: ParkPorts,
  { sessionId }: Pick<Reading<unknown>, 'sessionId'>,
  ms: number,
): void {
  metrics.wakeTook(ms);
  wakeDelays.note(sessionId, ms);
}

/** Sleeps until a signal, the deadline, the client's disconnect or the hub's stop, whichever is first. */
function park(
  ports: ParkPorts,
  { signal, deadline, context }: Pick<Reading<unknown>, 'signal' | 'deadline' | 'context'>,
): Promise<void> {
  return new Promise((resolve) => {
    const undo: (() => void)[] = [];
    const wake = () => {
      signal.onSignal = undefined;
      for (const stop of undo.splice(0)) stop();
      resolve();
    };
    signal.onSignal = wake;
    undo.push(ports.clock.after(Math.max(0, deadline - ports.clock.monotonic()), wake));
    undo.push(context.client.onGone(wake), ports.stopping.onStop(wake));
  });
}

function clientGone(): HubError {
  return new HubError('CANCELLED', 'The client disconnected while it waited.', {
    hint: 'Call again; nothing was taken.',
  });
}

/** Reads when there is room for what is found, which then counts until the client has taken it. */
export async function readWithRoom<Found>(
  { client }: Pick<WaitContext, 'client'>,
  { caller, bytes }: { caller: NamedCaller; bytes: number },
  read: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const giveBack = await client.answer?.take(caller, bytes);
  const found = await read();
  if (found === undefined) giveBack?.();
  return found;
}
