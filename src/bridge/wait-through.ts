// A wait that outlives its hub: when the hub stops or dies, the wait goes on at the next one until its time is up.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../client/unreachable.js';
import type { HubConnection, HubCall } from './hub-connection.js';

/** Between two looks for a hub that cannot be reached. */
const lookEveryMs = 200;
/** A hub ends a wait this much early only when it is stopping. */
const earlyMs = 250;

export interface ThroughWait extends HubCall {
  /** The input's field that holds the time to wait. */
  field: string;
  waitMs: number;
  signal: AbortSignal;
}

export async function waitThrough(hub: HubConnection, wait: ThroughWait): Promise<Record<string, unknown>> {
  const startedAt = performance.now();
  const leftMs = () => Math.max(0, Math.round(startedAt + wait.waitMs - performance.now()));
  for (;;) {
    const output = await ask(hub, { ...wait, input: { ...wait.input, [wait.field]: leftMs() } }, leftMs);
    const isOver = output !== undefined && (output['timedOut'] !== true || leftMs() < earlyMs);
    if (isOver) return { ...output, waitedMs: Math.round(performance.now() - startedAt) };
    wait.signal.throwIfAborted();
    hub.disconnect();
    await sleep(Math.min(lookEveryMs, leftMs()), undefined, { signal: wait.signal });
  }
}

/** Undefined when there is no hub at the moment and time is left to find one. */
async function ask(
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
