// A long wait as several calls: node's fetch gives up on a reply whose headers take more than 300 s.

/** Well under that limit, and under the two minutes after which many proxies close a silent connection. */
const sliceMs = 110_000;

type Ask = (input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** True for a wait that one call cannot hold. */
export function needsSlices(input: Record<string, unknown>): input is { timeoutMs: number } {
  return typeof input['timeoutMs'] === 'number' && input['timeoutMs'] > sliceMs;
}

/** Asks until there is an answer other than "nothing yet", or the whole time has passed. */
export async function waitInSlices(ask: Ask, input: { timeoutMs: number }): Promise<Record<string, unknown>> {
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
