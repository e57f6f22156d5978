import { z } from 'zod';
import { pageLimit, timeoutMs } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { messagesResult, renderMessagesResult, stepsAfterMessages } from '../text/messages-result.js';

export const waitForMentions = defineOperation({
  name: 'wait_for_mentions',
  summary:
    'Wait for Coterie mail: mentions, replies and messages to you; unread ones return at once. A time-out is normal: call again. ' +
    'After a failed call, get_messages with include "recent" shows what came.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    timeoutMs: timeoutMs.default(30_000),
    for: z.enum(['mentions', 'all']).default('mentions').describe('all: plain thread posts too'),
    from: participantId.optional(),
    threadId: threadRef.optional(),
    limit: pageLimit.default(50),
    ack: z.enum(['auto', 'manual']).default('auto'),
    cursor: z.string().optional().describe('Acknowledges that answer'),
    view: z.enum(['full', 'compact']).default('full'),
  }),
  output: messagesResult,
  effect: 'changes',
  inDefaultProfile: true,
  text: renderMessagesResult,
  next: stepsAfterMessages,
});
