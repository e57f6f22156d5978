import { z } from 'zod';
import { timeoutMs } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';
import { attemptLine, attemptView, wakeStates } from '../wake.js';

export const testWake = defineOperation({
  name: 'test_wake',
  summary: 'Wake an agent without sending it anything, to see whether its wake routes work.',
  access: 'send',
  caller: 'required',
  callerField: 'senderId',
  input: z.object({
    target: participantId,
    waitMs: timeoutMs.default(0).describe('Waits this long for the end of the wake'),
  }),
  synonyms: { target: ['to', 'agent'], waitMs: ['timeoutMs'] },
  output: z.looseObject({
    wakeId: z.string(),
    state: z.enum(wakeStates),
    attempts: z.array(attemptView),
    /** Where it stands or stopped, as one sentence. */
    text: z.string(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ text, attempts }) => [inLine(text), ...attempts.map(attemptLine)].join('\n'),
});
