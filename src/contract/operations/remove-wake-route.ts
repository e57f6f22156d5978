import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { companionId, wakeRouteRef } from '../wake.js';

export const removeWakeRoute = defineOperation({
  name: 'remove_wake_route',
  summary: 'Remove a wake route of yours. With companion, only if it is still that companion’s.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  doesNotCount: true,
  input: z.object({ routeId: wakeRouteRef, companion: companionId.optional() }),
  /** `removed` is false if it was gone before, or another companion has taken it over. */
  output: z.looseObject({ success: z.boolean(), removed: z.boolean() }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ removed }) => (removed ? 'Removed the wake route.' : 'There was no such wake route.'),
});
