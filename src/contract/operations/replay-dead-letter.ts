import { z } from 'zod';
import { deadLetterRef } from '../ids.js';
import { copyStates } from '../message.js';
import { defineOperation } from '../operation.js';
import { nameList } from '../text/name-list.js';
import { inLine } from '../text/in-line.js';

export const replayDeadLetter = defineOperation({
  name: 'replay_dead_letter',
  summary: 'Deliver a dead letter again: the same message is pending for its recipient.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ id: deadLetterRef.describe('From get_dead_letters') }),
  synonyms: { id: ['deadLetterId'] },
  output: z.looseObject({
    success: z.boolean(),
    id: z.string(),
    messageId: z.string(),
    recipient: z.string(),
    /** The members it went to, if the recipient is a group. */
    recipients: z.array(z.string()).optional(),
    state: z.enum(copyStates),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ id, messageId, recipient, recipients }) =>
    inLine(`Replayed ${id}: message ${messageId} is pending for ${recipient}`) +
    `${recipients === undefined ? '' : ` (${nameList(recipients)})`}.`,
});
