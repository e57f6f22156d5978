import { z } from 'zod';
import { filledText } from '../fields.js';
import { defineOperation } from '../operation.js';
import { questionRef } from '../signal/question.js';
import { envelope, questionStatuses } from '../signal/signal.js';
import { inLine } from '../text/in-line.js';

export const declineQuestion = defineOperation({
  name: 'decline_question',
  summary: 'Refuse to answer a question that was put to you. For people only.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    questionId: questionRef,
    reason: filledText('answerChars').optional(),
    sealed: envelope.optional().describe('The reason, encrypted by the device'),
  }),
  output: z.looseObject({ success: z.boolean(), questionId: z.string(), status: z.enum(questionStatuses) }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ questionId }) => `Question ${inLine(questionId)} is declined.`,
});
