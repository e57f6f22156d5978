import { z } from 'zod';
import { channelRef } from '../signal/channel.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const removeChannel = defineOperation({
  name: 'remove_channel',
  summary: 'Remove one of your channels, with the pushes that wait for it.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ channelId: channelRef }),
  synonyms: { channelId: ['id'] },
  output: z.looseObject({ success: z.boolean(), channelId: z.string() }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ channelId }) => `Removed ${inLine(channelId)}.`,
});
