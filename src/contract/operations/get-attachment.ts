import { z } from 'zod';
import { limits } from '../limits.js';
import { messageRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

const hash = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256 in hex, 64 digits');

export const getAttachment = defineOperation({
  name: 'get_attachment',
  summary: 'Fetch an image, audio or video of a message you may read, whole or in parts.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    messageId: messageRef.optional().describe('The message that has it'),
    index: z.int().min(0).default(0).describe('Which of its attachments'),
    hash: hash.optional().describe('Its SHA-256, instead of messageId'),
    offset: z.int().min(0).default(0).describe('In bytes'),
    length: z
      .int()
      .min(1)
      .refine((given) => given <= limits.attachmentBytes, {
        error: () => `must be at most ${limits.attachmentBytes}`,
      })
      .optional()
      .describe('In bytes; to the end when left out'),
  }),
  output: z.looseObject({
    hash: z.string(),
    mediaType: z.string(),
    bytes: z.number(),
    offset: z.number(),
    length: z.number(),
    /** Base64. Omitted where a model is shown the image itself. */
    data: z.string().optional(),
    hasMore: z.boolean(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ mediaType, bytes, hash: sum, offset, length, data }) =>
    [
      inLine(`${mediaType}, ${bytes} bytes, sha256 ${sum}`),
      ...(data === undefined ? ['Shown below.'] : [`Bytes ${offset} to ${offset + length}, base64:`, inLine(data)]),
    ].join('\n'),
  next: ({ offset, length, hasMore }) => (hasMore ? [`Continue with offset ${offset + length}.`] : []),
});
