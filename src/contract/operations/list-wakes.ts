import { z } from 'zod';
import { pageUpTo } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';
import { agentWake, attemptLine, wakeBudgetView, wakeRecordView, wakeRouteView } from '../wake.js';

export const listWakes = defineOperation({
  name: 'list_wakes',
  summary: 'Your wake routes, the latest wakes with each attempt, and the wake budget.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  doesNotCount: true,
  input: z.object({
    agent: participantId.optional().describe('Admin only: of this agent'),
    limit: pageUpTo('wakePageSize').default(20),
  }),
  output: z.looseObject({
    agent: z.string(),
    wake: agentWake,
    routes: z.array(wakeRouteView),
    /** Newest first. */
    wakes: z.array(wakeRecordView),
    budget: wakeBudgetView,
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ agent, wake, routes, wakes, budget: { wakesPerHour, usedInLastHour } }) =>
    [
      inLine(`${agent}: ${wake.text}`),
      `${usedInLastHour} of ${wakesPerHour} wakes used in the last hour`,
      ...routes.map(({ routeId, kind, label, state }) =>
        inLine(`route ${routeId} ${kind}${label === '' ? '' : ` (${label})`} ${state}`),
      ),
      ...wakes.flatMap(({ wakeId, state, isTest, startedAt, attempts }) => [
        inLine(`wake ${wakeId}${isTest ? ' (test)' : ''} ${state}, started ${startedAt}`),
        ...attempts.map((attempt) => `  ${attemptLine(attempt)}`),
      ]),
    ].join('\n'),
});
