import { z } from 'zod';
import { channelRef } from '../signal/channel.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const testChannel = defineOperation({
  name: 'test_channel',
  summary: 'Send a test through one of your channels now, and say what the service answered.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ channelId: channelRef }),
  synonyms: { channelId: ['id'] },
  output: z.looseObject({
    /** The service accepted it. */
    success: z.boolean(),
    channelId: z.string(),
    /** HTTP status; absent if there was no answer. */
    status: z.number().optional(),
    fault: z.string().optional(),
    /** The service says that the subscription has ended: the channel is gone. */
    removed: z.boolean().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ success, channelId, status, fault, removed }) =>
    success
      ? `${inLine(channelId)} works: the service answered ${status}.`
      : `${inLine(`${channelId} failed: ${fault}`)}${removed === true ? ' The channel was removed.' : ''}`,
});
