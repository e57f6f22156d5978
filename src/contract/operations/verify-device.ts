import { z } from 'zod';
import { deviceRef, deviceText, deviceView } from '../signal/device.js';
import { defineOperation } from '../operation.js';

export const verifyDevice = defineOperation({
  name: 'verify_device',
  summary: 'Say that you compared the safety number of a device of yours: for people.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ deviceId: deviceRef.describe('From list_devices') }),
  synonyms: { deviceId: ['id'] },
  output: z.looseObject({ success: z.boolean(), device: deviceView }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ device }) => `Verified ${deviceText(device)}.`,
});
