// Repeats a call that the hub refused with BUSY: nothing of it was done, and the error says when to come again.
import { HubError } from '../contract/errors.js';

/** How long a call is repeated unless the program says otherwise. */
export const busyMsDefault = 30_000;
/** However soon the hub asks to come again. */
const callsMax = 10;
/** For a hub that does not say it. */
const retryAfterMsDefault = 1_000;

/** It may be refused after it has created the thread, when it waits for the responses. */
const mayHaveBegun: ReadonlySet<string> = new Set(['create_critical_thread']);

interface BusyCall {
  operation: string;
  input: Record<string, unknown>;
  busyMs: number;
  signal: AbortSignal | undefined;
}

type Send = (input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Throws BUSY if the next call would come after `busyMs`, or after the end of the wait that is asked for. */
export async function repeatWhileBusy(send: Send, call: BusyCall): Promise<Record<string, unknown>> {
  const { operation, input, signal } = call;
  const startedAt = performance.now();
  const wait = waitIn(input);
  const untilMs = Math.min(call.busyMs, wait?.ms ?? Infinity);
  for (let calls = 1; ; calls += 1) {
    const lostMs = calls === 1 ? 0 : Math.round(performance.now() - startedAt);
    try {
      if (wait === undefined || lostMs === 0) return await send(input);
      return withWaited(await send({ ...input, [wait.field]: Math.max(0, wait.ms - lostMs) }), lostMs);
    } catch (error) {
      if (!isBusy(error) || mayHaveBegun.has(operation) || calls === callsMax) throw error;
      const pauseMs = retryAfterOf(error);
      if (performance.now() - startedAt + pauseMs > untilMs) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function isBusy(error: unknown): error is HubError {
  return error instanceof HubError && error.code === 'BUSY';
}

/** A little later than asked, each caller by another time: they were refused together and must not come back together. */
function retryAfterOf({ details }: HubError): number {
  const asked = details['retryAfterMs'];
  return (typeof asked === 'number' && asked >= 0 ? asked : retryAfterMsDefault) * (1 + Math.random() / 4);
}

const waitFields: ReadonlySet<string> = new Set(['timeoutms', 'waitms']);

/** The field, as the caller spells it, that says how long the hub may hold this call. */
function waitIn(input: Record<string, unknown>): { field: string; ms: number } | undefined {
  for (const [field, ms] of Object.entries(input)) {
    if (typeof ms === 'number' && waitFields.has(field.replaceAll('_', '').toLowerCase())) return { field, ms };
  }
  return undefined;
}

/** The caller waited for the busy hub, too. */
function withWaited(answer: Record<string, unknown>, lostMs: number): Record<string, unknown> {
  const { waitedMs } = answer;
  return typeof waitedMs === 'number' ? { ...answer, waitedMs: waitedMs + lostMs } : answer;
}

/** Ends early, with the signal's own reason, when the caller gives up. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
