import { z } from 'zod';
import { filledText } from '../fields.js';
import { defineOperation } from '../operation.js';
import { questionRef } from '../signal/question.js';
import { questionStatuses } from '../signal/signal.js';
import { inLine } from '../text/in-line.js';

export const cancelQuestion = defineOperation({
  name: 'cancel_question',
  summary: 'Take back a question that no one has answered yet.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ questionId: questionRef, reason: filledText('answerChars').optional() }),
  output: z.looseObject({ success: z.boolean(), questionId: z.string(), status: z.enum(questionStatuses) }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ questionId }) => `Question ${inLine(questionId)} is cancelled.`,
});
