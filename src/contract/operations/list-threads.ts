import { z } from 'zod';
import { pageLimit } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { threadStatuses, threadView } from '../thread.js';

export const listThreads = defineOperation({
  name: 'list_threads',
  summary: 'List the threads you may see, newest first.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    status: z.enum(threadStatuses).optional(),
    participant: participantId.optional(),
    limit: pageLimit.default(50),
    cursor: z.string().optional(),
  }),
  synonyms: { participant: ['participantId'] },
  output: z.looseObject({
    threads: z.array(threadView.extend({ critical: z.boolean(), unread: z.number() })),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ threads, cursor }, filter) =>
    threads.length === 0
      ? filter.status === undefined && filter.participant === undefined
        ? 'No threads yet. Open one with create_thread.'
        : 'No such threads. list_threads without status and participant shows all.'
      : [
          ...threads.map(({ threadId, title, status, participants, moreParticipants = 0, unread }) => {
            const mail = unread === 0 ? '' : `, ${unread} unread`;
            return `${threadId} "${title}" ${status}, ${participants.length + moreParticipants} participants${mail}`;
          }),
          ...(cursor === null ? [] : [`More: call list_threads with cursor ${cursor}`]),
        ].join('\n'),
});
