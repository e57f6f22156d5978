import { z } from 'zod';
import { pageUpTo, oneOf } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { isoTime } from '../iso-time.js';
import { copyStates, message, messageTypes } from '../message.js';
import { defineOperation } from '../operation.js';
import { nextPage, nothingLine } from '../text/more-lines.js';
import { renderXml } from '../text/render-messages.js';

export const queryMessageHistory = defineOperation({
  name: 'query_message_history',
  summary: 'Stored messages of anyone, newest first, with their bodies. Needs threadId, source or target.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  notCaller: ['source'],
  input: z.object({
    threadId: threadRef.optional(),
    source: participantId.optional().describe('Who sent it'),
    target: participantId.optional().describe('Who got it, or the group it was sent to'),
    messageType: oneOf(messageTypes).optional(),
    status: oneOf(copyStates).optional().describe('Only with a copy in this state'),
    since: isoTime('start').optional().describe('ISO 8601'),
    until: isoTime('end').optional().describe('ISO 8601'),
    limit: pageUpTo('historyPageSize').default(50),
    cursor: z.string().optional(),
  }),
  synonyms: { messageType: ['type'], target: ['to', 'recipient'] },
  shownAs: { messageType: 'message_type' },
  output: z.looseObject({ messages: z.array(message), hasMore: z.boolean(), cursor: z.string().nullable() }),
  effect: 'reads',
  inDefaultProfile: false,
  text: (page) =>
    [...(page.messages.length === 0 ? [] : [renderXml(page.messages, [])]), ...nothingLine(page)].join('\n'),
  next: (page) => nextPage('query_message_history', page),
});
