// A wait that survives its hub: when the hub stops or crashes, the wait continues at the next one until its timeout.
// It starts a new hub only after a crash: one that stopped in good order was perhaps meant to stay stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../client/unreachable.js';
import type { HubConnection, HubCall } from './hub-connection.js';

/** Between two attempts to reach a hub. */
const retryMs = 200;
/** A wait that ends this much before its timeout was ended by a stopping hub. */
const earlyMs = 250;

export interface WaitAcrossHubs extends HubCall {
  /** The input field that holds the timeout. */
  field: string;
  waitMs: number;
  signal: AbortSignal;
}

export async function waitAcrossHubs(hub: HubConnection, wait: WaitAcrossHubs): Promise<Record<string, unknown>> {
  const startedAt = performance.now();
  const leftMs = () => Math.max(0, Math.round(startedAt + wait.waitMs - performance.now()));
  for (;;) {
    const output = await tryRequest(hub, { ...wait, input: { ...wait.input, [wait.field]: leftMs() } }, leftMs);
    const isOver = output !== undefined && (output['timedOut'] !== true || leftMs() < earlyMs);
    if (isOver) return { ...output, waitedMs: Math.round(performance.now() - startedAt) };
    wait.signal.throwIfAborted();
    hub.disconnect();
    const pause = () => sleep(Math.min(retryMs, leftMs()), undefined, { signal: wait.signal });
    await pause();
    if (output === undefined) continue;
    while (!(await hub.isBack())) {
      if (leftMs() === 0) return { ...output, waitedMs: Math.round(wait.waitMs) };
      await pause();
    }
  }
}

/** Undefined when no hub can be reached now and time is left to retry. */
async function tryRequest(
  hub: HubConnection,
  call: HubCall,
  leftMs: () => number,
): Promise<Record<string, unknown> | undefined> {
  try {
    return await hub.request(call);
  } catch (error) {
    if (lostOutcomeOf(error) === undefined || leftMs() === 0) throw error;
    return undefined;
  }
}
