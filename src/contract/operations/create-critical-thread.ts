import { z } from 'zod';
import { content } from '../content-block.js';
import { filledText, list, timeoutMs } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThread } from '../text/render-thread.js';
import { renderResponses, responsesResult, stepsAfterResponses } from '../text/responses.js';
import { threadView } from '../thread.js';
import { inLine } from '../text/in-line.js';

export const createCriticalThread = defineOperation({
  name: 'create_critical_thread',
  summary: 'Open a Coterie thread whose messages are all urgent, and wait for replies.',
  access: 'send',
  caller: 'required',
  callerField: 'creator_id',
  input: z.object({
    title: filledText('titleChars'),
    participants: list(participantId, 'participants'),
    initialMessage: content,
    waitForResponses: z.int().min(0).default(1).describe('How many; 0: do not wait'),
    timeoutMs: timeoutMs.default(60_000),
    required: list(participantId, 'participants').optional().describe('Who must answer'),
    idempotencyKey: filledText('idempotencyKeyChars').optional(),
    private: z.boolean().default(false),
  }),
  synonyms: {
    title: ['threadName'],
    participants: ['participantIds'],
    initialMessage: ['message', 'content', 'text', 'body'],
  },
  shownAs: {
    initialMessage: 'initial_message',
    waitForResponses: 'wait_for_responses',
    timeoutMs: 'timeout_ms',
    idempotencyKey: 'idempotency_key',
  },
  output: threadView.extend(responsesResult.shape).extend({
    success: z.boolean(),
    unknownParticipants: z.array(z.string()),
    messageId: z.string(),
    duplicate: z.boolean().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: true,
  text: (result, { waitForResponses }) => {
    const unknown = result.unknownParticipants;
    return [
      result.duplicate === true ? 'Critical thread was already created:' : 'Critical thread created successfully:',
      renderThread(result),
      `Message: ${inLine(result.messageId)}`,
      ...(unknown.length === 0 ? [] : [`Not registered, so not added: ${unknown.map(inLine).join(', ')}`]),
      ...(waitForResponses === 0 ? [] : [renderResponses(result)]),
    ].join('\n');
  },
  next: (result, { waitForResponses }) =>
    waitForResponses === 0
      ? [`To collect answers call wait_for_responses with threadId ${result.threadId}.`]
      : stepsAfterResponses(result),
});
