import { z } from 'zod';
import { contextText, filledText, oneOf } from '../fields.js';
import { defineOperation } from '../operation.js';
import { signalFields } from '../signal/question.js';
import { alertTypes, encryptionLevels } from '../signal/signal.js';
import { inLine } from '../text/in-line.js';

export const sendAlert = defineOperation({
  name: 'send_alert',
  summary: 'Notify people through Coterie; no answer is expected.',
  access: 'signal',
  caller: 'required',
  input: z.object({
    message: filledText('questionChars'),
    alertType: oneOf(alertTypes).default('info'),
    context: contextText.optional(),
    sessionId: filledText('nameChars').optional().describe('A label'),
    encrypt: z.boolean().default(true),
    ...signalFields,
    idempotencyKey: filledText('idempotencyKeyChars').optional(),
  }),
  synonyms: { message: ['content', 'text'], alertType: ['type'] },
  shownAs: { idempotencyKey: 'idempotency_key' },
  output: z.looseObject({
    success: z.boolean(),
    alertId: z.string(),
    devices: z.number(),
    message: z.string(),
    encryption: z.enum(encryptionLevels),
    duplicate: z.boolean().optional(),
    warnings: z.array(z.string()).optional(),
  }),
  effect: 'changes',
  inDefaultProfile: true,
  text: ({ alertId, message, warnings = [] }) => [`${message} (${alertId}).`, ...warnings].map(inLine).join('\n'),
});
