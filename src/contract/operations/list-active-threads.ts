import { z } from 'zod';
import { pageLimit } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';
import { threadStatuses, threadView } from '../thread.js';

export const listActiveThreads = defineOperation({
  name: 'list_active_threads',
  summary: 'List the threads of the newest 2,000 messages that you may see, the last active first.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    status: z.enum(threadStatuses).optional(),
    participant: participantId.optional(),
    limit: pageLimit.default(50),
  }),
  synonyms: { participant: ['participantId'] },
  output: z.looseObject({
    threads: z.array(
      threadView.extend({
        critical: z.boolean(),
        unread: z.number(),
        /** When something was said in it last. */
        lastAt: z.string(),
      }),
    ),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ threads }) =>
    threads.length === 0
      ? 'No thread is active.'
      : threads
          .map(({ threadId, title, status, lastAt, unread }) =>
            inLine(`${threadId} "${title}" ${status}, last ${lastAt}${unread === 0 ? '' : `, ${unread} unread`}`),
          )
          .join('\n'),
  next: () => ['list_threads has the others.'],
});
