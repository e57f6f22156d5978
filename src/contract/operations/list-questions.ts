import { z } from 'zod';
import { oneOf, pageLimit } from '../fields.js';
import { defineOperation } from '../operation.js';
import { questionRef, questionView } from '../signal/question.js';
import { questionStatuses } from '../signal/signal.js';
import { questionLine } from '../text/render-questions.js';

export const listQuestions = defineOperation({
  name: 'list_questions',
  summary: 'List questions, newest first: those you asked, or that were put to you; an admin sees all.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    status: oneOf(questionStatuses).optional(),
    questionId: questionRef.optional().describe('This one only'),
    forMe: z.boolean().optional().describe('Only yours; false: all, for an admin'),
    limit: pageLimit.default(50),
    cursor: z.string().optional(),
  }),
  output: z.looseObject({ questions: z.array(questionView), cursor: z.string().nullable() }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ questions }) => (questions.length === 0 ? 'No questions.' : questions.map(questionLine).join('\n')),
  next: ({ cursor }) =>
    cursor === null ? [] : [`More: call list_questions with the same fields and cursor "${cursor}"`],
});
