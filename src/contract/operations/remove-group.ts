import { z } from 'zod';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const removeGroup = defineOperation({
  name: 'remove_group',
  summary: 'Remove a group. Its name is free again; messages already sent to it stay.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({ name: participantId }),
  synonyms: { name: ['group', 'groupName'] },
  output: z.looseObject({ success: z.boolean(), name: z.string() }),
  effect: 'destroys',
  inDefaultProfile: false,
  text: ({ name }) => `Removed group ${inLine(name)}.`,
});
