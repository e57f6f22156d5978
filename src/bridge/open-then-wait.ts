// create_critical_thread through the bridge: the hub opens the thread and answers at once, and the wait for the responses
// is one that can be cut to the client's limit, outlive the hub and be settled when the answer has arrived.
import type { HubConnection } from './hub-connection.js';
import type { CallPlan } from './plan-call.js';
import type { ResponseNews } from './response-news.js';
import { waitThrough } from './wait-through.js';

export const criticalOperation = 'create_critical_thread';

export async function openThenWait(
  hub: HubConnection,
  { operation, input, parsed, mayRepeat, lease }: CallPlan,
  { askedMs, waitMs, signal, news }: { askedMs: number; waitMs: number; signal: AbortSignal; news: ResponseNews },
): Promise<Record<string, unknown>> {
  const startedAt = performance.now();
  const request = { operation: operation.name, input, mayRepeat, signal, waitMsMax: 0 };
  const { clampedToMs: _, ...opened } = await hub.request(request);
  if (parsed?.['waitForResponses'] === 0) return opened;
  news.follow(opened['threadId']);
  const waited = await waitThrough(hub, {
    operation: 'wait_for_responses',
    input: {
      threadId: opened['threadId'],
      ack: lease === undefined ? 'auto' : 'manual',
      ...(lease?.reader === undefined ? {} : { agentId: lease.reader }),
    },
    ...{ mayRepeat: true, signal, field: 'timeoutMs' },
    // A wait that is not cut lasts until the whole time since the opening has passed, as the hub counts it.
    waitMs: waitMs < askedMs ? Math.max(0, waitMs - (performance.now() - startedAt)) : waitMs,
  });
  return { ...opened, ...waited, ...(waitMs < askedMs ? { clampedToMs: waitMs } : {}) };
}
