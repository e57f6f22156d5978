// test_wake: wakes an agent without sending it anything, and says where the wake stands or stopped.
import { HubError } from '../contract/errors.js';
import type { testWake as contract } from '../contract/operations/test-wake.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { readUntilFound, type WaitContext } from '../message/wait/read-until.js';
import { WakeSignal } from '../message/wait/wake-signal.js';
import type { NamedCaller } from '../ports/caller.js';
import type { AgentRef, WakeRecord } from '../ports/wake.js';
import { outcomeText } from './describe.js';
import type { WakePorts } from './ports.js';
import { viewAttempt } from './view.js';

/** Hints between hubs may be lost. */
const lookEveryMs = 2_000;

export async function testWake(
  ports: WakePorts,
  caller: NamedCaller,
  { input, context }: { input: InputOf<typeof contract>; context: WaitContext },
): Promise<OutputOf<typeof contract>> {
  const { sessionId } = caller;
  const ref = { sessionId, agentId: input.target };
  await requireWakeable(ports, ref);
  const freePlace = input.waitMs === 0 ? undefined : ports.reserveWait(caller);
  try {
    const started = await ports.store.startTestWake({ ...ref, wakeId: ports.ids.wakeId(), now: ports.clock.now() });
    await ports.knownWakes.changed(ref);
    const ended = input.waitMs === 0 ? undefined : await endOf(ports, ref, { started, waitMs: input.waitMs, context });
    const wake = ended ?? (await ports.store.findWake({ ...ref, wakeId: started.id })) ?? forgotten(started);
    const facts = await ports.store.wakeFacts({ ...ref, now: ports.clock.now() });
    return {
      wakeId: wake.id,
      state: wake.state,
      attempts: wake.attempts.map(viewAttempt),
      text: outcomeText(input.target, wake, facts, facts.at),
    };
  } finally {
    freePlace?.();
  }
}

async function requireWakeable({ store }: WakePorts, { sessionId, agentId }: AgentRef): Promise<void> {
  const agent = await store.findAgent({ sessionId, id: agentId });
  if (agent?.kind !== 'human') return;
  throw new HubError('INVALID_INPUT', `'${agentId}' is a person, who has no wake routes.`, {
    hint: 'Send an alert with send_alert, or ask with ask_question.',
    details: { field: 'target' },
  });
}

/** It ended without an attempt. */
function forgotten(test: WakeRecord): WakeRecord {
  return { ...test, state: 'abandoned' };
}

async function endOf(
  ports: WakePorts,
  ref: AgentRef,
  { started, waitMs, context }: { started: WakeRecord; waitMs: number; context: WaitContext },
): Promise<WakeRecord | undefined> {
  const signal = new WakeSignal();
  const stopListening = ports.knownWakes.onHint(ref, (hint) => {
    if (hint === 'state') signal.signal();
  });
  let cancelTimer: (() => void) | undefined;
  try {
    return await readUntilFound<WakeRecord>(ports, {
      sessionId: ref.sessionId,
      signal,
      deadline: ports.clock.monotonic() + Math.min(waitMs, context.waitMsMax ?? waitMs),
      context,
      async read() {
        cancelTimer?.();
        const wake = await ports.store.findWake({ ...ref, wakeId: started.id });
        if (wake === null || wake.state !== 'open') return wake ?? forgotten(started);
        cancelTimer = ports.clock.after(lookEveryMs, () => signal.signal());
        return undefined;
      },
      progressText: () => `waiting for ${ref.agentId} to wake`,
    });
  } finally {
    cancelTimer?.();
    stopListening();
  }
}
