import { z } from 'zod';
import { list, oneOf, text } from '../fields.js';
import { participantId } from '../ids.js';
import { isoTime } from '../iso-time.js';
import { keyText, keyView } from '../key.js';
import { capabilities, defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const createKey = defineOperation({
  name: 'create_key',
  summary: 'Make a key for an agent, or for an observer. The answer is the only place that shows it.',
  access: 'admin',
  caller: 'optional',
  notCaller: ['agentId'],
  input: z.object({
    agentId: participantId.optional().describe('Whom the key is for; not for an observer'),
    capabilities: list(oneOf(capabilities), 'capabilities').optional().describe('Default: send, read, signal'),
    admin: z.boolean().default(false).describe('All capabilities'),
    observer: z.boolean().default(false).describe('Reads threads that are not private, and nothing else'),
    label: text('nameChars').default(''),
    expiresAt: isoTime('end').optional().describe('ISO 8601'),
    ttl: z
      .int()
      .min(1)
      .max(100 * 365 * 86_400)
      .optional()
      .describe('Seconds until it expires, in place of expiresAt'),
    sessionId: participantId.optional().describe('A session that you administer; yours by default'),
  }),
  output: z.looseObject({ success: z.boolean(), secret: z.string(), key: keyView }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ secret, key }) => `${inLine(secret)}\nThis is ${keyText(key)}. It is not shown again.`,
});
