import { z } from 'zod';
import { position, pageUpTo } from '../fields.js';
import { message } from '../message.js';
import { defineOperation } from '../operation.js';
import { nothingLine } from '../text/more-lines.js';
import { renderXml } from '../text/render-messages.js';

export const getSessionHistory = defineOperation({
  name: 'get_session_history',
  summary: 'The messages of the session that you may read, in order, from any place on. Changes nothing in your inbox.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    after: position.default(0).describe('After this cursor, message id or seq'),
    limit: pageUpTo('historyPageSize').default(50).describe('How many are examined'),
  }),
  output: z.looseObject({
    messages: z.array(
      message.extend({
        /** Who got a copy: the first of them, and how many others. */
        recipients: z.array(z.string()),
        moreRecipients: z.number().optional(),
      }),
    ),
    /** Of the messages: those that were opened as such, not mere labels. */
    threads: z.array(z.object({ threadId: z.string(), title: z.string() })),
    /** The seq of the last message examined, and of the last one of the session. */
    position: z.number(),
    last: z.number(),
    hasMore: z.boolean(),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: (page) =>
    [...(page.messages.length === 0 ? [] : [renderXml(page.messages, [])]), ...nothingLine(page)].join('\n'),
  next: ({ hasMore, cursor }) => (hasMore ? [`More: call get_session_history with after "${cursor}"`] : []),
});
