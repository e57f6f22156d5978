import { z } from 'zod';
import { list } from '../fields.js';
import { messageRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const ackMessages = defineOperation({
  name: 'ack_messages',
  summary: 'Acknowledge delivered messages: by ids, up to a seq, or by the cursor of the answer.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    ids: list(messageRef, 'ackIds').optional(),
    upTo: z.int().min(1).optional().describe('A seq: all delivered to you up to it'),
    cursor: z.string().optional(),
    release: z.boolean().default(false).describe('Release them instead: they are redelivered'),
  }),
  output: z.looseObject({ success: z.boolean(), acknowledged: z.array(z.string()), notFound: z.array(z.string()) }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ acknowledged, notFound }) =>
    [
      `Acknowledged ${acknowledged.length} messages.`,
      ...(notFound.length === 0 ? [] : [`Not waiting for your acknowledgement: ${notFound.map(inLine).join(', ')}`]),
    ].join('\n'),
});
