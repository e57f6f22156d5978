import { z } from 'zod';
import { pageUpTo } from '../fields.js';
import { participantId } from '../ids.js';
import { keyText, keyView } from '../key.js';
import { defineOperation } from '../operation.js';

export const listKeys = defineOperation({
  name: 'list_keys',
  summary: 'The keys of your session, newest first: whose they are, what they may do, when they were last used.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    sessionId: participantId.optional().describe('A session that you administer; yours by default'),
    limit: pageUpTo('historyPageSize').default(50),
    cursor: z.string().optional(),
  }),
  output: z.looseObject({ keys: z.array(keyView), hasMore: z.boolean(), cursor: z.string().nullable() }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ keys }) => (keys.length === 0 ? 'No keys.' : keys.map((key) => `${key.state} ${keyText(key)}`).join('\n')),
  next: ({ cursor }) => (cursor === null ? [] : [`More: call list_keys with cursor ${cursor}`]),
});
