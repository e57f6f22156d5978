// A long wait as several calls: node's fetch gives up on a reply whose headers take more than 300 s.
import { callerSpellings } from '../contract/operation.js';

/** Well under that limit, and under the two minutes after which many proxies close a silent connection. */
const sliceMs = 110_000;

type Ask = (
  operation: string,
  input: Record<string, unknown>,
  /** The longest the hub may hold this request. */
  waitMsMax?: number,
) => Promise<Record<string, unknown>>;

/** Any operation, however long it waits. */
export function requestInSlices(
  ask: Ask,
  operation: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!needsSlices(input)) return ask(operation, input);
  return operation === 'create_critical_thread'
    ? openThenWaitInSlices(ask, operation, input)
    : waitInSlices((fields) => ask(operation, fields), input);
}

/** True for a wait that one call cannot hold. */
function needsSlices(input: Record<string, unknown>): input is { timeoutMs: number } {
  return typeof input['timeoutMs'] === 'number' && input['timeoutMs'] > sliceMs;
}

/** The thread is opened once; the hub ends the first slice, and the others go on in that thread. */
async function openThenWaitInSlices(
  ask: Ask,
  operation: string,
  input: { timeoutMs: number },
): Promise<Record<string, unknown>> {
  const { clampedToMs, ...opened } = await ask(operation, input, sliceMs);
  if (clampedToMs === undefined || opened['timedOut'] !== true) return opened;
  const firstMs = typeof opened['waitedMs'] === 'number' ? opened['waitedMs'] : sliceMs;
  const { threadId } = opened;
  const timeoutMs = Math.max(0, input.timeoutMs - firstMs);
  const waited = await waitInSlices((fields) => ask('wait_for_responses', fields), {
    ...{ threadId, timeoutMs },
    ...callerOf(input),
  });
  return { ...opened, ...waited, waitedMs: firstMs + Number(waited['waitedMs']) };
}

/** Whoever named itself in the first call does so in those that follow. */
function callerOf(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => namesCaller.has(name.replaceAll('_', '').toLowerCase())),
  );
}

const namesCaller: ReadonlySet<string> = new Set(callerSpellings.map((name) => name.toLowerCase()));

type AskOne = (input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Asks until there is an answer other than "nothing yet", or the whole time has passed. */
async function waitInSlices(ask: AskOne, input: { timeoutMs: number }): Promise<Record<string, unknown>> {
  let leftMs = input.timeoutMs;
  let waitedMs = 0;
  let next: Record<string, unknown> = input;
  for (;;) {
    const askedMs = Math.min(leftMs, sliceMs);
    const answer = await ask({ ...next, timeoutMs: askedMs });
    const tookMs = typeof answer['waitedMs'] === 'number' ? answer['waitedMs'] : askedMs;
    waitedMs += tookMs;
    leftMs -= askedMs;
    // A wait that a stopping hub ended early is over too: asking again would only find nobody there.
    if (answer['timedOut'] !== true || leftMs <= 0 || tookMs < askedMs - 1_000) return { ...answer, waitedMs };
    // The cursor has done its work with the first call.
    const { cursor: _, ...rest } = next;
    next = rest;
  }
}
