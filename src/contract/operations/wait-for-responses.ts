import { z } from 'zod';
import { list, timeoutMs } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { acknowledgeWith } from '../text/messages-result.js';
import { renderResponses, responsesResult, stepsAfterResponses } from '../text/responses.js';

export const waitForResponses = defineOperation({
  name: 'wait_for_responses',
  summary: 'Go on waiting for replies in a critical Coterie thread you opened. Returns all so far.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    threadId: threadRef,
    waitForResponses: z.int().min(0).optional().describe('How many; as at creation'),
    required: list(participantId, 'participants').optional().describe('As at creation'),
    timeoutMs: timeoutMs.default(60_000),
    ack: z.enum(['auto', 'manual']).default('auto'),
  }),
  shownAs: { waitForResponses: 'wait_for_responses', timeoutMs: 'timeout_ms' },
  output: responsesResult,
  effect: 'changes',
  inDefaultProfile: true,
  text: renderResponses,
  next: (result, { ack }) => [
    ...stepsAfterResponses(result),
    ...(ack === 'manual' && result.cursor !== null ? [acknowledgeWith(result.cursor)] : []),
  ],
});
