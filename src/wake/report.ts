// report_wake: what became of a wake, as its companion says.
import type { reportWake as contract } from '../contract/operations/report-wake.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { onOneLine } from '../contract/text/in-line.js';
import type { NamedCaller } from '../ports/caller.js';
import { leaseMs, type WakePorts } from './ports.js';

export async function reportWake(
  { store, clock, knownWakes }: WakePorts,
  { sessionId, agentId }: NamedCaller,
  { wakeId, routeId, outcome, reason }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const ref = { sessionId, agentId };
  const { state, news } = await store.reportWake({
    ...ref,
    wakeId,
    routeId,
    outcome,
    reason: reason === undefined ? null : onOneLine(reason),
    leaseMs,
    now: clock.now(),
  });
  await knownWakes.changed(ref, news);
  return { success: true, state };
}
