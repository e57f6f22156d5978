import { z } from 'zod';
import { oneOf, text } from '../fields.js';
import { defineOperation } from '../operation.js';
import { attemptStates, wakeOutcomes, wakeRef, wakeRouteRef } from '../wake.js';

export const reportWake = defineOperation({
  name: 'report_wake',
  summary:
    'For a companion: the client took the wake (accepted), its command still runs (running, at least every 30 s), ended (finished), or it failed.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  doesNotCount: true,
  input: z.object({
    wakeId: wakeRef,
    routeId: wakeRouteRef,
    outcome: oneOf(wakeOutcomes),
    reason: text('wakeReasonChars').optional().describe('Why it failed'),
  }),
  output: z.looseObject({ success: z.boolean(), state: z.enum(attemptStates) }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ state }) => `The attempt is ${state}.`,
});
