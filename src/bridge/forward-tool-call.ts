// Forwards one tools/call to the hub; what happens to the answer's line decides whether its messages are read.
import { HubError, toHubError } from '../contract/errors.js';
import { shownMedia, type ShownMedia } from '../contract/shown-media.js';
import { withClosingLines } from '../contract/text/closing-lines.js';
import { waitMsFor } from '../mcp/client-limits.js';
import { resultOf, resultOfError, type ToolResult } from '../mcp/tool-result.js';
import type { HubConnection } from './hub-connection.js';
import { criticalOperation, openThenWait } from './open-then-wait.js';
import { planCall, type CallPlan, type PlanPorts } from './plan-call.js';
import type { ReplyEvidence } from './reply-evidence.js';
import type { Lease, Settlements } from './settlements.js';
import { ResponseNews } from './response-news.js';
import { waitThrough } from './wait-through.js';

export interface ForwardPorts extends PlanPorts {
  hub: HubConnection;
  settlements: Settlements;
  evidence: ReplyEvidence;
  /** The wait granted to clients the table does not know. */
  waitMsUnknownClient: number;
  /** Aborted when the client is gone: no wait is worth parking then. */
  gone: AbortSignal;
}

export interface ForwardedCall {
  requestId: string | number;
  name: string;
  arguments: Record<string, unknown> | undefined;
  clientName: string | undefined;
  /** Aborted when the client gives this call up. */
  cancelled: AbortSignal;
  progress: ((text: string) => void) | undefined;
}

/** Well inside the shortest idle limit seen in clients. */
const progressEveryMs = 15_000;

export async function forwardToolCall(ports: ForwardPorts, call: ForwardedCall): Promise<ToolResult> {
  try {
    // What the client has read counts as read before anything it asks next.
    await ports.settlements.done();
    const plan = planCall(ports, call.name, call.arguments ?? {});
    const { media, ...output } = await perform(ports, call, plan);
    settleLater(ports, call, plan, output);
    return resultOf({ output, text: textOf(plan, output), media: mediaOf(media) });
  } catch (thrown) {
    const isGivenUp = call.cancelled.aborted || ports.gone.aborted;
    return resultOfError(isGivenUp && !(thrown instanceof HubError) ? givenUp() : toHubError(thrown));
  }
}

async function perform(ports: ForwardPorts, call: ForwardedCall, plan: CallPlan): Promise<Record<string, unknown>> {
  const { input, mayRepeat, wait } = plan;
  const operation = plan.operation.name;
  if (wait === undefined) {
    return calledOnce(plan, await ports.hub.request({ operation, input, mayRepeat, signal: call.cancelled }));
  }
  const waitMs = Math.min(wait.askedMs, waitMsFor(call.clientName, ports.waitMsUnknownClient));
  const signal = AbortSignal.any([call.cancelled, ports.gone]);
  const news = new ResponseNews(ports.hub, plan);
  const stopTelling = keepTelling(call, news);
  try {
    if (operation === criticalOperation) {
      return calledOnce(plan, await openThenWait(ports.hub, plan, { askedMs: wait.askedMs, waitMs, signal, news }));
    }
    const output = await waitThrough(ports.hub, { operation, input, mayRepeat, signal, field: wait.field, waitMs });
    return waitMs < wait.askedMs ? { ...output, clampedToMs: waitMs } : output;
  } finally {
    stopTelling();
  }
}

/** The first of two tries had done it: to the caller, who called once, that is no duplicate. */
function calledOnce({ isKeyOurs }: CallPlan, output: Record<string, unknown>): Record<string, unknown> {
  return isKeyOurs && output['duplicate'] === true ? { ...output, duplicate: false } : output;
}

/** Messages are in the answer: its arrival decides whether they are read, unless the call was given up already. */
function settleLater(
  { evidence, settlements }: ForwardPorts,
  { requestId, cancelled }: ForwardedCall,
  { lease }: CallPlan,
  { cursor, messages, responses }: Record<string, unknown>,
): void {
  if (lease === undefined || typeof cursor !== 'string') return;
  const held: Lease = { cursor, ids: idsOf(messages ?? responses), ...lease };
  if (cancelled.aborted) settlements.release(held);
  else evidence.carries(requestId, settlements.handlersFor(held));
}

/** The hub sends what the model is to see beside the answer; what it cannot be is left out. */
function mediaOf(given: unknown): ShownMedia {
  const read = shownMedia.safeParse(given);
  return read.success ? read.data : [];
}

/** The contract's words; what it cannot read is shown as it came. */
function textOf({ operation, parsed }: CallPlan, output: Record<string, unknown>): string {
  return withClosingLines(parsed === undefined ? JSON.stringify(output) : operation.text(output, parsed), output);
}

function keepTelling({ progress, name }: ForwardedCall, news: ResponseNews): () => void {
  if (progress === undefined) return () => {};
  const tell = async () => progress((await news.text()) ?? `${name} is still waiting`);
  const timer = setInterval(() => void tell(), progressEveryMs);
  return () => clearInterval(timer);
}

function givenUp(): HubError {
  return new HubError('CANCELLED', 'The call was given up.', { hint: 'Call again; nothing was taken.' });
}

function idsOf(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) =>
    typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'string'
      ? [message.id]
      : [],
  );
}
