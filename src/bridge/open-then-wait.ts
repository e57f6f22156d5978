// create_critical_thread through the bridge: the hub creates the thread without waiting, then a separate call waits for
// the responses. That wait can be clamped to the client's limit, survive a hub restart, and be settled on arrival.
import type { HubConnection } from './hub-connection.js';
import type { CallPlan } from './plan-call.js';
import type { ResponseProgress } from './response-progress.js';
import { waitAcrossHubs } from './wait-across-hubs.js';

export const criticalOperation = 'create_critical_thread';

interface WaitForResponses {
  askedMs: number;
  waitMs: number;
  signal: AbortSignal;
  responses: ResponseProgress;
}

export async function openThenWait(
  hub: HubConnection,
  { operation, input, parsed, mayRepeat, lease }: CallPlan,
  { askedMs, waitMs, signal, responses }: WaitForResponses,
): Promise<Record<string, unknown>> {
  const startedAt = performance.now();
  const request = { operation: operation.name, input, mayRepeat, signal, waitMsMax: 0 };
  const { clampedToMs: _, ...opened } = await hub.request(request);
  if (parsed?.['waitForResponses'] === 0) return opened;
  responses.follow(opened['threadId']);
  const waited = await waitAcrossHubs(hub, {
    operation: 'wait_for_responses',
    input: {
      threadId: opened['threadId'],
      ack: lease === undefined ? 'auto' : 'manual',
      ...(lease?.reader === undefined ? {} : { agentId: lease.reader }),
    },
    mayRepeat: true,
    signal,
    field: 'timeoutMs',
    // An unclamped wait is measured by the hub, from the creation of the thread.
    waitMs: waitMs < askedMs ? Math.max(0, waitMs - (performance.now() - startedAt)) : waitMs,
  });
  return { ...opened, ...waited, ...(waitMs < askedMs ? { clampedToMs: waitMs } : {}) };
}
