import { z } from 'zod';
import { messageRef } from '../ids.js';
import { copyStates, deadReasons } from '../message.js';
import { defineOperation } from '../operation.js';

export const getReceipts = defineOperation({
  name: 'get_receipts',
  summary: 'Where every copy of a message you sent stands: pending, delivered, read, expired or dead, when and why.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ messageId: messageRef }),
  output: z.looseObject({
    messageId: z.string(),
    deliveries: z.array(
      z.looseObject({
        recipient: z.string(),
        state: z.enum(copyStates),
        at: z.string(),
        attempts: z.number(),
        deliveredAt: z.string().optional(),
        reason: z.enum(deadReasons).optional(),
      }),
    ),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ messageId, deliveries }) =>
    [
      `Message ${messageId}:`,
      ...deliveries.map(({ recipient, state, at, reason }) => {
        return `${recipient} ${state} ${at}${reason === undefined ? '' : ` (${reason})`}`;
      }),
      ...(deliveries.length === 0 ? ['It had no recipients.'] : []),
    ].join('\n'),
});
