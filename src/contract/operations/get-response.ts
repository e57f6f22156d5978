import { z } from 'zod';
import { timeoutMs } from '../fields.js';
import { defineOperation } from '../operation.js';
import { questionRef, questionResponse } from '../signal/question.js';
import { responseText, stepsAfterResponse } from '../text/render-questions.js';

export const getResponse = defineOperation({
  name: 'get_response',
  summary: 'The answer to your Coterie question, or that it is pending, declined, expired or cancelled.',
  access: 'signal',
  caller: 'required',
  input: z.object({
    questionId: questionRef,
    waitMs: timeoutMs.default(0).describe('Waits this long for the answer'),
  }),
  synonyms: { waitMs: ['timeoutMs'] },
  output: questionResponse,
  effect: 'reads',
  inDefaultProfile: true,
  text: responseText,
  next: stepsAfterResponse,
});
