import { z } from 'zod';
import { deviceName, deviceRef, deviceText, deviceView } from '../signal/device.js';
import { defineOperation } from '../operation.js';

export const renameDevice = defineOperation({
  name: 'rename_device',
  summary: 'Give a device another name. Yours, or for administrators anyone’s.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ deviceId: deviceRef.describe('From list_devices'), name: deviceName }),
  synonyms: { deviceId: ['id'] },
  output: z.looseObject({ success: z.boolean(), device: deviceView }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ device }) => `Renamed ${deviceText(device)}.`,
});
