import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { questionRef } from '../signal/question.js';
import { wrappedKey } from '../signal/signal.js';
import { inLine } from '../text/in-line.js';

export const shareSignal = defineOperation({
  name: 'share_signal',
  summary: 'Let devices that were paired later read an encrypted question or alert. For paired devices.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    signalId: questionRef,
    wraps: z.array(wrappedKey).min(1).max(100),
    answerWraps: z.array(wrappedKey).max(100).optional().describe('Of its encrypted answer'),
  }),
  output: z.looseObject({ success: z.boolean(), signalId: z.string(), added: z.number() }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ signalId, added }) => `${added} more can read ${inLine(signalId)}.`,
});
