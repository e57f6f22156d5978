import { z } from 'zod';
import { filledText } from '../fields.js';
import { defineOperation } from '../operation.js';
import { questionRef } from '../signal/question.js';
import { envelope, questionStatuses } from '../signal/signal.js';
import { inLine, inLines } from '../text/in-line.js';

export const answerQuestion = defineOperation({
  name: 'answer_question',
  summary: 'Answer a question that was put to you. For people only; the first answer counts.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    questionId: questionRef,
    option: z
      .union([z.int(), filledText('optionChars')])
      .optional()
      .describe('The text of an option, or its number from 1'),
    response: filledText('answerChars').optional().describe('Free text'),
    sealed: envelope.optional().describe('The answer, encrypted by the device'),
  }),
  output: z.looseObject({
    success: z.boolean(),
    questionId: z.string(),
    status: z.enum(questionStatuses),
    response: z.string().optional(),
    option: z.number().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ questionId, response }) =>
    `Question ${inLine(questionId)} is answered${response === undefined ? '' : `: ${inLines(response)}`}.`,
});
