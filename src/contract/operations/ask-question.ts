import { z } from 'zod';
import { filledText } from '../fields.js';
import { defineOperation } from '../operation.js';
import { asked, asking, questionFields } from '../signal/question.js';
import { askedText, stepsAfterAsking } from '../text/render-questions.js';

export const askQuestion = defineOperation({
  name: 'ask_question',
  summary: 'Ask a person through Coterie (their phone or the app). Get the answer with get_response.',
  access: 'signal',
  caller: 'required',
  input: z.object({
    ...asking,
    encrypt: z.boolean().default(true),
    ...questionFields,
    defaultAnswer: filledText('answerChars').optional().describe('Only if it expires'),
  }),
  shownAs: { idempotencyKey: 'idempotency_key' },
  output: asked,
  effect: 'changes',
  inDefaultProfile: true,
  text: askedText,
  next: stepsAfterAsking,
});
