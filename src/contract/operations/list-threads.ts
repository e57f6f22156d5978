import { z } from 'zod';
import { pageLimit, text } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { threadStatuses, threadView } from '../thread.js';
import { inLine } from '../text/in-line.js';

export const listThreads = defineOperation({
  name: 'list_threads',
  summary: 'List the Coterie threads you may see, newest first.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    status: z.enum(threadStatuses).optional(),
    participant: participantId.optional(),
    title: text('titleChars').optional().describe('Only those whose title has this in it'),
    limit: pageLimit.default(50),
    cursor: z.string().optional(),
  }),
  synonyms: { participant: ['participantId'] },
  output: z.looseObject({
    threads: z.array(threadView.extend({ critical: z.boolean(), unread: z.number() })),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: true,
  text: ({ threads }, filter) =>
    threads.length === 0
      ? isFiltered(filter)
        ? 'No such threads.'
        : 'No threads yet.'
      : threads
          .map(({ threadId, title, status, critical, creator, participants, moreParticipants = 0, unread }) => {
            const mail = unread === 0 ? '' : `, ${unread} unread`;
            const kind = critical ? 'critical, ' : '';
            const count = participants.length + moreParticipants;
            return inLine(`${threadId} "${title}" ${status}, ${kind}by ${creator}, ${count} participants${mail}`);
          })
          .join('\n'),
  next: ({ threads, cursor }, filter) => {
    if (cursor !== null) return [`More: call list_threads with the same fields and cursor "${cursor}"`];
    if (threads.length > 0) return [];
    return [
      isFiltered(filter)
        ? 'list_threads without status, participant and title shows all.'
        : 'Open one with create_thread.',
    ];
  },
});

interface Filter {
  status?: string | undefined;
  participant?: string | undefined;
  title?: string | undefined;
}

function isFiltered({ status, participant, title }: Filter): boolean {
  return status !== undefined || participant !== undefined || title !== undefined;
}
