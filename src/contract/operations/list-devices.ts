import { z } from 'zod';
import { deviceText, deviceView } from '../signal/device.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';

export const listDevices = defineOperation({
  name: 'list_devices',
  summary: 'Your paired devices; for administrators, those of everyone in the session.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ person: participantId.optional().describe('Of this person only') }),
  output: z.looseObject({ devices: z.array(deviceView) }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ devices }) => (devices.length === 0 ? 'No devices.' : devices.map(deviceText).join('\n')),
});
