import { z } from 'zod';
import { channelView } from '../signal/channel.js';
import { defineOperation } from '../operation.js';
import { channelText } from '../text/render-channels.js';

export const listChannels = defineOperation({
  name: 'list_channels',
  summary: 'The ways in which pushes reach you, a person: devices, ntfy topics, webhooks, and what is wrong with them.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({}),
  output: z.looseObject({ channels: z.array(channelView) }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ channels }) => (channels.length === 0 ? 'No channels.' : channels.map(channelText).join('\n')),
});
