import { z } from 'zod';
import { participantId } from '../ids.js';
import { keyRef, keyText, keyView } from '../key.js';
import { defineOperation } from '../operation.js';

export const revokeKey = defineOperation({
  name: 'revoke_key',
  summary: 'End a key for good, and with it the open streams and waits of its bearer.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    keyId: keyRef.describe('From list_keys'),
    sessionId: participantId.optional().describe('A session that you administer; yours by default'),
  }),
  synonyms: { keyId: ['id'] },
  output: z.looseObject({ success: z.boolean(), key: keyView }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ key }) => `Revoked ${keyText(key)}.`,
});
