import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { publicKeys } from '../signal/signal.js';
import { inLine } from '../text/in-line.js';

export const setAgentKey = defineOperation({
  name: 'set_agent_key',
  summary: 'Register the public keys of the program that encrypts for you.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object(publicKeys.shape),
  output: z.looseObject({ success: z.boolean(), kid: z.string() }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ kid }) => `Answers can be encrypted for ${inLine(kid)}.`,
});
