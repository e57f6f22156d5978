import { z } from 'zod';
import { agentView } from '../agent.js';
import { text } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const listAgents = defineOperation({
  name: 'list_agents',
  summary: 'List Coterie agents: what they do, and who is waiting, active, idle or offline.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  input: z.object({
    includeDetails: z.boolean().default(true),
    group: participantId.optional(),
    capability: text('nameChars').optional(),
    cursor: z.string().optional(),
  }),
  output: z.looseObject({
    agents: z.array(agentView),
    hasMore: z.boolean().optional(),
    cursor: z.string().optional(),
  }),
  effect: 'reads',
  inDefaultProfile: true,
  text: ({ agents }, filter) =>
    agents.length === 0
      ? noneListed(filter)
      : agents
          .map(({ id, name, presence, description, unread, connections = 0, capabilities = [], wake }) => {
            const shared = connections < 2 ? '' : `, ${connections} connections`;
            const mail = unread === undefined || unread === 0 ? '' : `, ${unread} unread`;
            const can = capabilities.length === 0 ? '' : ` [${capabilities.join(', ')}]`;
            const does = description === '' ? '' : `: ${description}`;
            return inLine(`${id} (${name}) ${wake?.text ?? presence}${shared}${mail}${does}${can}`);
          })
          .join('\n'),
  next: ({ agents, cursor }, { group, capability }) => {
    if (cursor !== undefined) return [`More: call list_agents with the same fields and cursor "${cursor}"`];
    if (agents.length > 0) return [];
    const isFiltered = group !== undefined || capability !== undefined;
    return [isFiltered ? 'list_agents without group and capability shows all.' : 'Register with register_agent.'];
  },
});

/** Without a filter there is no agent at all. */
function noneListed({ group, capability }: { group?: string | undefined; capability?: string | undefined }): string {
  if (group === undefined && capability === undefined) return 'No agents are registered yet.';
  const among = group === undefined ? 'No registered agent' : `No registered agent in group '${group}'`;
  const what = capability === undefined ? '' : ` has the capability '${capability}'`;
  return inLine(`${among}${what}.`);
}
