import { z } from 'zod';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const removeAgent = defineOperation({
  name: 'remove_agent',
  summary: 'Remove an agent: it leaves its threads, its unread mail becomes dead letters.',
  access: 'send',
  caller: 'optional',
  notCaller: ['agentId'],
  input: z.object({ agentId: participantId.optional().describe('Who to remove; yourself when left out') }),
  output: z.looseObject({ success: z.boolean(), agentId: z.string(), leftThreads: z.array(z.string()) }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ agentId, leftThreads }) => `Removed ${inLine(agentId)}. It left ${leftThreads.length} threads.`,
});
