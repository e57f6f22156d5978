import { z } from 'zod';
import { deadLetterRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const discardDeadLetter = defineOperation({
  name: 'discard_dead_letter',
  summary: 'Take a dead letter off the list. The message and its receipts stay as they are.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ id: deadLetterRef.describe('From get_dead_letters') }),
  synonyms: { id: ['deadLetterId'] },
  output: z.looseObject({ success: z.boolean(), id: z.string(), messageId: z.string(), recipient: z.string() }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ id, messageId, recipient }) =>
    inLine(`Discarded ${id}: message ${messageId} to ${recipient} stays undelivered.`),
});
