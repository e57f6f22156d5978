// await_wake: a companion's wait. It reads the store, parks, and reads again on a hint or when the store said to look again.
import type { awaitWake as contract } from '../contract/operations/await-wake.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { readUntilFound, type WaitContext } from '../message/wait/read-until.js';
import { WakeSignal } from '../message/wait/wake-signal.js';
import type { NamedCaller } from '../ports/caller.js';
import type { AgentRef, NextWake } from '../ports/wake.js';
import { wakeText } from './describe.js';
import { leaseMs, type WakePorts } from './ports.js';

/** A companion that has disconnected may be connecting anew. */
const leaveMs = 5_000;
/** The store and this hub may differ by a rounding. */
const lateMs = 5;

type Input = InputOf<typeof contract>;

export async function awaitWake(
  ports: WakePorts,
  caller: NamedCaller,
  { input, context }: { input: Input; context: WaitContext },
): Promise<OutputOf<typeof contract>> {
  const { sessionId, agentId } = caller;
  const ref = { sessionId, agentId };
  const waitMs = Math.min(input.timeoutMs, context.waitMsMax ?? input.timeoutMs);
  const deadline = ports.clock.monotonic() + waitMs;
  const signal = new WakeSignal();
  // While the store has named a time, further mail changes nothing.
  let isPaused = false;
  let cancelTimer: (() => void) | undefined;
  const freePlace = ports.reserveWait(caller);
  const stopListening = ports.knownWakes.onHint(ref, (hint) => {
    if (hint === 'state' || !isPaused) signal.signal();
  });
  let last: NextWake | undefined;
  try {
    await readUntilFound<NextWake>(ports, {
      sessionId,
      signal,
      deadline,
      context,
      async read() {
        cancelTimer?.();
        const isFirst = last === undefined;
        last = await askStore(ports, ref, { input, isFirst, leaseMs: Math.max(leaseMs, waitMs + leaseMs / 2) });
        if (last.wake !== null || last.state === 'replaced') return last;
        isPaused = last.retryAt !== null;
        if (last.retryAt !== null) {
          cancelTimer = ports.clock.after(Math.max(0, last.retryAt - last.now) + lateMs, () => signal.signal());
        }
        return undefined;
      },
      progressText: () => `a companion of ${agentId} is waiting`,
    });
  } catch (error) {
    if (context.client.isGone) await leave(ports, ref, input);
    throw error;
  } finally {
    cancelTimer?.();
    stopListening();
    freePlace();
  }
  return viewOf(last);
}

interface Asking {
  input: Pick<Input, 'routeId' | 'companion'>;
  isFirst: boolean;
  leaseMs: number;
}

async function askStore(
  ports: WakePorts,
  ref: AgentRef,
  { input, isFirst, leaseMs: lease }: Asking,
): Promise<NextWake> {
  const { knownWakes } = ports;
  const { routeId, companion } = input;
  const next = await ports.store.nextWake({
    ...ref,
    routeId,
    companion,
    wakeId: ports.ids.wakeId(),
    calledMsAgo: knownWakes.calledMsAgo(ref),
    isWaiting: ports.isWaiting(ref.sessionId, ref.agentId),
    leaseMs: lease,
    now: ports.clock.now(),
  });
  if (next.wake !== null || next.news.length > 0) await knownWakes.changed(ref, next.news);
  else if (isFirst && next.leaseUntil !== null) knownWakes.renewed(ref, routeId, next.leaseUntil);
  return next;
}

/** So that a companion that died is soon shown as gone. */
async function leave({ store, clock, knownWakes }: WakePorts, ref: AgentRef, input: Input): Promise<void> {
  const { routeId, companion } = input;
  const left = { ...ref, routeId, companion, now: clock.now(), leaseMs: leaveMs };
  await store.leaveWakeRoute(left).then(
    () => knownWakes.changed(ref),
    () => {},
  );
}

function viewOf(next: NextWake | undefined): OutputOf<typeof contract> {
  if (next === undefined) throw new Error('every wait reads at least once');
  const { wake, state, retryAt } = next;
  if (wake !== null) {
    const { wakeId, unread, senders: from, highest, isTest } = wake;
    return { wake: { wakeId, unread, from, highest, isTest, text: wakeText(wake) }, state };
  }
  return { wake: null, state, ...(retryAt === null ? {} : { retryAt: new Date(retryAt).toISOString() }) };
}
