import { z } from 'zod';
import { agentView } from '../agent.js';
import { list, text } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const registerAgent = defineOperation({
  name: 'register_agent',
  summary: 'Register yourself with Coterie, or update your entry, so that others see and reach you.',
  access: 'send',
  caller: 'optional',
  notCaller: ['agentId'],
  input: z.object({
    agentId: participantId.optional().describe('Your id; the connection’s name when left out'),
    agentName: text('nameChars').optional(),
    description: text('descriptionChars').optional().describe('What you do'),
    capabilities: list(text('nameChars'), 'capabilities').optional(),
  }),
  synonyms: { agentName: ['name'] },
  output: z.looseObject({ success: z.boolean(), agent: agentView, warnings: z.array(z.string()) }),
  effect: 'changes',
  inDefaultProfile: true,
  text: ({ agent, warnings }) => [`Registered ${agent.id} (${agent.name}).`, ...warnings].map(inLine).join('\n'),
});
