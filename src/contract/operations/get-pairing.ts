import { z } from 'zod';
import { deviceText, deviceView } from '../signal/device.js';
import { timeoutMs } from '../fields.js';
import { defineOperation } from '../operation.js';

export const getPairing = defineOperation({
  name: 'get_pairing',
  summary: 'Whether a pairing that you started was used, and by which device.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    pairingId: z.string().min(1).max(64),
    waitMs: timeoutMs.default(0).describe('How long to wait for the device'),
  }),
  output: z.looseObject({
    pairingId: z.string(),
    state: z.enum(['open', 'paired', 'ended']),
    triesLeft: z.number(),
    expiresAt: z.string(),
    device: deviceView
      .extend({ mac: z.string().nullable().describe('Over its keys, by the secret of the link') })
      .optional(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ state, triesLeft, device }) =>
    device === undefined ? `The pairing is ${state}; tries left: ${triesLeft}.` : `Paired ${deviceText(device)}.`,
});
