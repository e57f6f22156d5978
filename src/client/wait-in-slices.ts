// Splits a long wait into several requests: node's fetch times out after 300 s without response headers.
import { callerSpellings } from '../contract/operation.js';

/** Well below that limit, and below the two minutes after which many proxies close an idle connection. */
const sliceMs = 110_000;

type SendRequest = (
  operation: string,
  input: Record<string, unknown>,
  /** How long the hub may hold this request. */
  waitMsMax?: number,
) => Promise<Record<string, unknown>>;

/** Performs any operation; a wait too long for one request is split. */
export function requestInSlices(
  send: SendRequest,
  operation: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!needsSlices(input)) return send(operation, input);
  return operation === 'create_critical_thread'
    ? openThenWaitInSlices(send, operation, input)
    : waitInSlices((fields) => send(operation, fields), input);
}

type WaitInput = Record<string, unknown> & { timeoutMs: number };

/** True for a wait too long for one request. */
function needsSlices(input: Record<string, unknown>): input is WaitInput {
  return typeof input['timeoutMs'] === 'number' && input['timeoutMs'] > sliceMs;
}

/** The thread is created once, with the first slice; the other slices wait in that thread. */
async function openThenWaitInSlices(
  send: SendRequest,
  operation: string,
  input: WaitInput,
): Promise<Record<string, unknown>> {
  const { clampedToMs, ...opened } = await send(operation, input, sliceMs);
  if (clampedToMs === undefined || opened['timedOut'] !== true) return opened;
  const firstMs = typeof opened['waitedMs'] === 'number' ? opened['waitedMs'] : sliceMs;
  const { threadId } = opened;
  const timeoutMs = Math.max(0, input.timeoutMs - firstMs);
  const waited = await waitInSlices((fields) => send('wait_for_responses', fields), {
    threadId,
    timeoutMs,
    ...callerOf(input),
  });
  return { ...opened, ...waited, waitedMs: firstMs + Number(waited['waitedMs']) };
}

/** A caller named in the first request is named in the following ones. */
function callerOf(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => callerFields.has(name.replaceAll('_', '').toLowerCase())),
  );
}

const callerFields: ReadonlySet<string> = new Set(callerSpellings.map((name) => name.toLowerCase()));

type SendSlice = (input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Repeats the request until it returns something, or the whole timeout has passed. */
async function waitInSlices(send: SendSlice, input: WaitInput): Promise<Record<string, unknown>> {
  let leftMs = input.timeoutMs;
  let waitedMs = 0;
  let next: Record<string, unknown> = input;
  for (;;) {
    const thisSliceMs = Math.min(leftMs, sliceMs);
    const answer = await send({ ...next, timeoutMs: thisSliceMs });
    const tookMs = typeof answer['waitedMs'] === 'number' ? answer['waitedMs'] : thisSliceMs;
    waitedMs += tookMs;
    leftMs -= thisSliceMs;
    // A stopping hub ends waits early; another request would not reach it.
    if (answer['timedOut'] !== true || leftMs <= 0 || tookMs < thisSliceMs - 1_000) return { ...answer, waitedMs };
    // The first request has used the cursor.
    const { cursor: _, ...rest } = next;
    next = rest;
  }
}
