import { z } from 'zod';
import { pageUpTo, oneOf } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { copyStates, message } from '../message.js';
import { defineOperation } from '../operation.js';
import { receipt } from '../receipt.js';
import { nextPage, nothingLine } from '../text/more-lines.js';
import { renderOutbox } from '../text/render-outbox.js';

export const getSentMessages = defineOperation({
  name: 'get_sent_messages',
  summary: 'Your outbox, newest first: what you sent and the state of every copy.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  notCaller: ['source'],
  input: z.object({
    status: oneOf(copyStates).optional().describe('Only with a copy in this state'),
    target: participantId.optional().describe('Only to this agent or group'),
    threadId: threadRef.optional(),
    source: participantId.optional().describe("Admin only: another agent's outbox"),
    limit: pageUpTo('outboxPageSize').default(20),
    cursor: z.string().optional(),
  }),
  synonyms: { target: ['to', 'recipient'] },
  output: z.looseObject({
    messages: z.array(message.extend({ deliveries: z.array(receipt) })),
    hasMore: z.boolean(),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: (page) => [...renderOutbox(page.messages), ...nothingLine(page)].join('\n'),
  next: (page) => nextPage('get_sent_messages', page),
});
