import { z } from 'zod';
import { channelKinds, channelView } from '../signal/channel.js';
import { oneOf } from '../fields.js';
import { defineOperation } from '../operation.js';
import { channelText } from '../text/render-channels.js';
import { inLine } from '../text/in-line.js';

const url = z.string().min(1).max(2_048);
/** Sent as a header, or a key of an HMAC. */
const secretText = z.string().regex(/^[!-~]{8,200}$/, 'must be 8 to 200 printable characters without spaces');

export const setChannel = defineOperation({
  name: 'set_channel',
  summary: 'Add a channel for pushes to you, a person, or replace the one with the same target.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    kind: oneOf(channelKinds),
    endpoint: url.optional().describe('web-push: of the subscription of this device'),
    keys: z
      .object({ p256dh: z.string().max(128), auth: z.string().max(64) })
      .optional()
      .describe('web-push'),
    server: url.optional().describe('ntfy: https://ntfy.sh by default'),
    topic: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores or dashes')
      .optional()
      .describe('ntfy: who knows it can read it, so choose one that cannot be guessed'),
    token: secretText.optional().describe('ntfy: access token'),
    url: url.optional().describe('webhook'),
    secret: secretText.optional().describe('webhook: signs the requests; made and returned if not given'),
  }),
  output: z.looseObject({
    success: z.boolean(),
    channel: channelView,
    /** Of a webhook, if the hub made it. Not shown again. */
    secret: z.string().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ channel, secret }) =>
    `${channelText(channel)}${secret === undefined ? '' : `\nIts secret, not shown again: ${inLine(secret)}`}`,
});
