import { z } from 'zod';
import { textOf } from '../content-block.js';
import { deadLetterView } from '../dead-letter.js';
import { defineOperation } from '../operation.js';
import { inLine, startInLine } from '../text/in-line.js';

const charsShown = 80;

export const getDeadLetters = defineOperation({
  name: 'get_dead_letters',
  summary: 'Messages that were not delivered, newest first: to whom, why, and what they say.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ limit: z.int().min(1).max(50).default(20), cursor: z.string().optional() }),
  output: z.looseObject({
    deadLetters: z.array(deadLetterView),
    hasMore: z.boolean(),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ deadLetters }) =>
    deadLetters.length === 0
      ? 'No dead letters.'
      : deadLetters
          .map(({ id, recipient, reason, at, messageId, message }) => {
            const shown = startInLine(textOf(message.content), charsShown);
            return `${inLine(`${id} ${reason} ${at} ${messageId} from ${message.sender} to ${recipient}`)}: ${shown}`;
          })
          .join('\n'),
  next: ({ deadLetters, cursor }) => [
    ...(cursor === null ? [] : [`More: call get_dead_letters with cursor ${cursor}`]),
    ...(deadLetters.length === 0
      ? []
      : ['Send one again with replay_dead_letter, or drop it with discard_dead_letter.']),
  ],
});
