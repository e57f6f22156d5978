import { z } from 'zod';
import { timeoutMs } from '../fields.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';
import { awaitStates, companionId, wakeRouteRef, wakeView } from '../wake.js';

export const awaitWake = defineOperation({
  name: 'await_wake',
  summary: 'For a companion: wait until its agent must be woken. Takes no message, and renews the route.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  doesNotCount: true,
  input: z.object({
    routeId: wakeRouteRef,
    companion: companionId,
    timeoutMs: timeoutMs.default(25_000),
  }),
  output: z.looseObject({
    wake: wakeView.nullable(),
    /** Why there is no wake; `wake` when there is one. */
    state: z.enum(awaitStates),
    /** When the hub would look again by itself; calling again at once is right too. */
    retryAt: z.string().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ wake, state, retryAt }) =>
    wake === null ? inLine(`No wake: ${state}${retryAt === undefined ? '' : ` until ${retryAt}`}`) : inLine(wake.text),
});
