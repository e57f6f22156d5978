import { z } from 'zod';
import { pageLimit, timeoutMs } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { handedOut, renderHandedOut } from '../text/handed-out.js';

export const waitForMentions = defineOperation({
  name: 'wait_for_mentions',
  summary:
    'Wait for messages meant for you; unread ones come at once. A time-out is normal: call again. ' +
    'After a failed call, get_messages with include "recent" shows what was handed out.',
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
    cursor: z.string().optional().describe('Acknowledges an earlier answer'),
    view: z.enum(['full', 'compact']).default('full'),
  }),
  output: handedOut,
  effect: 'changes',
  inDefaultProfile: true,
  text: renderHandedOut,
});
