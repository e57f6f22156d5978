import { z } from 'zod';
import { messageRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { receipt, receiptLine } from '../receipt.js';
import { inLine } from '../text/in-line.js';

export const getReceipts = defineOperation({
  name: 'get_receipts',
  summary: 'The state of every copy of a message you sent: pending, delivered, read, expired or dead, when and why.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ messageId: messageRef }),
  output: z.looseObject({ messageId: z.string(), deliveries: z.array(receipt) }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ messageId, deliveries }) =>
    [
      `Message ${inLine(messageId)}:`,
      ...deliveries.map(receiptLine),
      ...(deliveries.length === 0 ? ['It had no recipients.'] : []),
    ].join('\n'),
});
