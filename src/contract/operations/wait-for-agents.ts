import { z } from 'zod';
import { list, timeoutMs } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { shortened } from '../text/shortened.js';
import { inLine } from '../text/in-line.js';

export const waitForAgents = defineOperation({
  name: 'wait_for_agents',
  summary: 'Wait until the named agents, or so many agents, are registered and seen: a start barrier.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    count: z.int().min(1).max(10_000).optional(),
    agentIds: list(participantId, 'participants').optional(),
    timeoutMs: timeoutMs.default(30_000),
  }),
  output: z.looseObject({
    complete: z.boolean(),
    present: z.array(z.string()),
    missing: z.array(z.string()),
    timedOut: z.boolean(),
    waitedMs: z.number(),
    clampedToMs: z.number().optional(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ complete, present, missing }) =>
    complete
      ? `All are here: ${present.map(inLine).join(', ')}.`
      : `Still waiting${missing.length === 0 ? '' : ` for ${missing.map(inLine).join(', ')}`}; here: ${present.map(inLine).join(', ') || 'no one'}.`,
  next: ({ complete, clampedToMs }) => (complete ? [] : [`Call wait_for_agents again${shortened(clampedToMs)}.`]),
});
