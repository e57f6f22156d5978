import { z } from 'zod';
import { filledText } from '../fields.js';
import { defineOperation } from '../operation.js';
import { sessionRef, sessionView } from '../session.js';
import { inLine } from '../text/in-line.js';

export const closeSession = defineOperation({
  name: 'close_session',
  summary: 'Close a session and its threads for good. Waits there end; what was said can still be read.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    sessionId: sessionRef.optional().describe('Your own if it is left out'),
    reason: filledText('summaryChars').optional().describe('Also the summary of its open threads'),
  }),
  synonyms: { sessionId: ['id', 'session'], reason: ['summary'] },
  output: z.looseObject({
    success: z.boolean(),
    session: sessionView,
    closedThreads: z.number(),
    /** It was closed before; nothing changed. */
    alreadyClosed: z.boolean().optional(),
  }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ session: { sessionId, closedAt = '' }, closedThreads, alreadyClosed = false }) =>
    alreadyClosed
      ? `Session ${inLine(sessionId)} was closed already, at ${inLine(closedAt)}.`
      : `Closed session ${inLine(sessionId)} with ${closedThreads} open threads.`,
});
