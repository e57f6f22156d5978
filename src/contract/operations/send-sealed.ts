import { z } from 'zod';
import { oneOf } from '../fields.js';
import { filledText } from '../fields.js';
import { limited } from '../input/schema-limits.js';
import { limits } from '../limits.js';
import { defineOperation } from '../operation.js';
import { asked, questionFields, signalIdPattern } from '../signal/question.js';
import { alertTypes, envelope, signalKinds } from '../signal/signal.js';
import { askedText, stepsAfterAsking } from '../text/render-questions.js';

const optionCount = limited(
  z
    .int()
    .min(0)
    .refine((given) => given <= limits.questionOptions, { error: () => `must be at most ${limits.questionOptions}` }),
  { maximum: 'questionOptions' },
);

export const sendSealed = defineOperation({
  name: 'send_sealed',
  summary: 'Send a question, a permission prompt or an alert that was encrypted beside the agent.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    kind: oneOf(signalKinds).default('question'),
    id: z.string().regex(signalIdPattern, 'must be q- or a-, then 6 to 40 digits or small letters'),
    envelope,
    optionCount: optionCount.default(0),
    callHash: z.string().min(1).max(128).optional().describe('SHA-256 of the tool call of a permission prompt'),
    defaultAnswer: envelope.optional().describe('Encrypted to the sender itself'),
    replyKid: z.string().max(64).optional().describe('The key to which answers are encrypted'),
    ...questionFields,
    alertType: oneOf(alertTypes).default('info'),
    sessionId: filledText('nameChars').optional().describe('A label'),
  }),
  shownAs: { idempotencyKey: 'idempotency_key' },
  output: asked,
  effect: 'changes',
  inDefaultProfile: false,
  text: askedText,
  next: stepsAfterAsking,
});
