import { z } from 'zod';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const startPairing = defineOperation({
  name: 'start_pairing',
  summary: 'Start pairing a device of yours: for people. It works once, for 5 minutes.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    person: participantId.optional().describe('Yourself; nobody pairs a device for another'),
    claimHash: z
      .string()
      .regex(/^[\w-]{43}$/, 'must be a SHA-256 as base64url')
      .optional()
      .describe('Of the claim that the secret of a link gives; without it only the code works'),
  }),
  output: z.looseObject({
    success: z.boolean(),
    pairingId: z.string(),
    person: z.string(),
    code: z.string().describe('To type on the device'),
    expiresAt: z.string(),
    hubKid: z.string(),
    url: z.string().nullable().describe('The hub’s public URL; null if it has none'),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ code, expiresAt }) => inLine(`Type ${code} on the device, until ${expiresAt}.`),
});
