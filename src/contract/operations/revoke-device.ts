import { z } from 'zod';
import { deviceRef, deviceText, deviceView } from '../signal/device.js';
import { defineOperation } from '../operation.js';

export const revokeDevice = defineOperation({
  name: 'revoke_device',
  summary: 'End a device: its sign-ins, streams and pushes. Yours, or for administrators anyone’s.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ deviceId: deviceRef.describe('From list_devices') }),
  synonyms: { deviceId: ['id'] },
  output: z.looseObject({ success: z.boolean(), device: deviceView }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ device }) => `Revoked ${deviceText(device)}.`,
});
