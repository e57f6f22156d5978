import { z } from 'zod';
import { pageLimit, oneOf } from '../fields.js';
import { messageRef, participantId, threadRef } from '../ids.js';
import { messageTypes, priorities } from '../message.js';
import { defineOperation } from '../operation.js';
import { messagesResult, renderMessagesResult, stepsAfterMessages } from '../text/messages-result.js';

export const getMessages = defineOperation({
  name: 'get_messages',
  summary: 'Read your Coterie inbox: unread mail, interrupts first, then by priority and age.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    sessionId: participantId
      .optional()
      .describe('Whose inbox (an agent id); yours when left out. Another’s is only peeked at'),
    target: participantId.optional().describe('Only what was addressed to this id or group'),
    // Not a default of the parser: only an explicit true is refused for another's inbox.
    markAsRead: z.boolean().optional().meta({ default: true, description: 'false: peek, change nothing' }),
    messageType: oneOf(messageTypes).optional(),
    priority: oneOf(priorities).optional(),
    threadId: threadRef.optional(),
    limit: pageLimit.default(50),
    cursor: z.string().optional().describe('Of an earlier answer: acknowledges it, or goes on'),
    ack: z.enum(['auto', 'manual']).default('auto'),
    include: z.enum(['unread', 'recent']).default('unread').describe('recent: your last 100, read or not'),
    messageId: messageRef.optional().describe('Read this one again, from offset on'),
    offset: z.int().min(0).default(0),
    view: z.enum(['full', 'compact']).default('full'),
  }),
  synonyms: { messageType: ['type'] },
  shownAs: { messageType: 'message_type' },
  output: messagesResult,
  effect: 'changes',
  inDefaultProfile: true,
  text: renderMessagesResult,
  next: stepsAfterMessages,
});
