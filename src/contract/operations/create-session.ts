import { z } from 'zod';
import { filledText, jsonObject, ttlSeconds } from '../fields.js';
import { defineOperation } from '../operation.js';
import { sessionRef, sessionView } from '../session.js';
import { inLine } from '../text/in-line.js';

export const createSession = defineOperation({
  name: 'create_session',
  summary: 'Create a session: agents, threads and messages of their own, invisible to other sessions.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    sessionId: sessionRef.optional().describe('The hub makes one if it is left out'),
    application: filledText('nameChars').optional().describe('What it is for'),
    ttl: ttlSeconds.optional().describe('Seconds; then the session closes itself'),
    annotations: jsonObject('metadataBytes').default({}),
  }),
  synonyms: { sessionId: ['id', 'session'], ttl: ['ttlSeconds'] },
  output: z.looseObject({ success: z.boolean(), session: sessionView }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ session: { sessionId, expiresAt } }) =>
    inLine(`Created session ${sessionId}${expiresAt === undefined ? '' : `, which closes itself at ${expiresAt}`}.`),
});
