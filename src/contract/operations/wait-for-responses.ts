import { z } from 'zod';
import { list, timeoutMs } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderResponses, responsesResult } from '../text/responses.js';

export const waitForResponses = defineOperation({
  name: 'wait_for_responses',
  summary: 'Continue waiting for answers in a critical thread you created. Returns all since its opening.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    threadId: threadRef,
    waitForResponses: z.int().min(0).optional().describe('As at creation; 1 if that was 0'),
    required: list(participantId, 'participants').optional().describe('As at creation'),
    timeoutMs: timeoutMs.default(60_000),
    ack: z.enum(['auto', 'manual']).default('auto'),
  }),
  shownAs: { waitForResponses: 'wait_for_responses', timeoutMs: 'timeout_ms' },
  output: responsesResult,
  effect: 'changes',
  inDefaultProfile: false,
  text: (result, { ack }) =>
    [
      renderResponses(result),
      ...(ack === 'manual' && result.cursor !== null
        ? [`Acknowledge with cursor ${result.cursor} in your next call.`]
        : []),
    ].join('\n'),
});
