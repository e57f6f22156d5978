import { z } from 'zod';
import { pageLimit } from '../fields.js';
import { defineOperation } from '../operation.js';
import { listedSession } from '../session.js';
import { inLine } from '../text/in-line.js';

export const listSessions = defineOperation({
  name: 'list_sessions',
  summary: 'List the sessions that you administer, by id: your own, and those that keys of your session created.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ limit: pageLimit.default(50), cursor: z.string().optional() }),
  output: z.looseObject({ sessions: z.array(listedSession), hasMore: z.boolean(), cursor: z.string().nullable() }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ sessions }) =>
    sessions.length === 0
      ? 'No sessions.'
      : sessions
          .map(({ sessionId, status, application, agents, threads, lastSeq, closeReason }) => {
            const purpose = application === undefined ? '' : ` for ${application}`;
            const why = closeReason === undefined ? '' : ` (${closeReason})`;
            return inLine(
              `${sessionId} ${status}${why}${purpose}: ${agents} agents, ${threads} threads, last seq ${lastSeq}`,
            );
          })
          .join('\n'),
  next: ({ cursor }) => (cursor === null ? [] : [`More: call list_sessions with cursor "${cursor}"`]),
});
