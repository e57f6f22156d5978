import { z } from 'zod';
import { filledText } from '../fields.js';
import { messageRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const redactMessage = defineOperation({
  name: 'redact_message',
  summary:
    'Erase for good what a message says and its attachments, for example a secret. Its id, sender and time stay.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    messageId: messageRef,
    reason: filledText('summaryChars').optional().describe('Shown with the message'),
  }),
  synonyms: { messageId: ['id'] },
  output: z.looseObject({
    success: z.boolean(),
    messageId: z.string(),
    redacted: z.object({ by: z.string(), at: z.string(), reason: z.string().optional() }),
  }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ messageId }) =>
    `Redacted ${inLine(messageId)}. Who has read it already may still have it: change the secret, if it was one.`,
});
