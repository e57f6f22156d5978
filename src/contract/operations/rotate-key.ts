import { z } from 'zod';
import { participantId } from '../ids.js';
import { keyRef, keyText, keyView } from '../key.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

const overlapSeconds = 3_600;
const overlapSecondsMax = 30 * 86_400;

export const rotateKey = defineOperation({
  name: 'rotate_key',
  summary: 'Make a new key in place of one. Both work for a time, then the old one expires.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    keyId: keyRef.describe('From list_keys'),
    overlap: z.int().min(0).max(overlapSecondsMax).default(overlapSeconds).describe('Seconds in which both work'),
    sessionId: participantId.optional().describe('A session that you administer; yours by default'),
  }),
  synonyms: { keyId: ['id'] },
  output: z.looseObject({ success: z.boolean(), secret: z.string(), key: keyView, replaced: keyView }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ secret, key, replaced }) =>
    `${inLine(secret)}\nThis is ${keyText(key)}. It is not shown again. The old key ${inLine(`${replaced.id} works until ${replaced.expiresAt}`)}.`,
});
