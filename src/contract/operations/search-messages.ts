import { z } from 'zod';
import { filledText, pageUpTo, oneOf } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { isoTime } from '../iso-time.js';
import { message, messageTypes } from '../message.js';
import { defineOperation } from '../operation.js';
import { nextPage, nothingLine } from '../text/more-lines.js';
import { renderCompact } from '../text/render-messages.js';
import { showSnippets } from '../text/snippets.js';

export const searchMessages = defineOperation({
  name: 'search_messages',
  summary: 'Find messages you may read by their words, best first. All words must occur; "a phrase" and wor* work.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  notCaller: ['source'],
  input: z.object({
    query: filledText('searchQueryChars'),
    threadId: threadRef.optional(),
    from: participantId.optional().describe('Only of this sender'),
    messageType: oneOf(messageTypes).optional(),
    since: isoTime('start').optional().describe('ISO 8601'),
    until: isoTime('end').optional().describe('ISO 8601'),
    limit: pageUpTo('searchPageSize').default(20),
    cursor: z.string().optional(),
  }),
  synonyms: { query: ['q', 'text'], from: ['source', 'sender'], messageType: ['type'] },
  shownAs: { messageType: 'message_type' },
  output: z.looseObject({
    messages: z.array(message.extend({ snippet: z.string() })),
    hasMore: z.boolean(),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: (page) =>
    [...(page.messages.length === 0 ? [] : [renderCompact(showSnippets(page.messages))]), ...nothingLine(page)].join(
      '\n',
    ),
  next: (page) => nextPage('search_messages', page),
});
