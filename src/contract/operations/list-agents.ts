import { z } from 'zod';
import { agentView } from '../agent.js';
import { text } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';

export const listAgents = defineOperation({
  name: 'list_agents',
  summary: 'List agents: id, name, what they do, and whether they are waiting, active, idle or offline.',
  access: 'read',
  caller: 'optional',
  callerField: 'agentId',
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
  text: ({ agents, cursor }, filter) =>
    agents.length === 0
      ? noneListed(filter)
      : [
          ...agents.map(({ id, name, presence, description, unread, connections = 0 }) => {
            const shared = connections < 2 ? '' : `, ${connections} connections`;
            const mail = unread === undefined || unread === 0 ? '' : `, ${unread} unread`;
            return `${id} (${name}) ${presence}${shared}${mail}${description === '' ? '' : `: ${description}`}`;
          }),
          ...(cursor === undefined ? [] : [`More: call list_agents with cursor ${cursor}`]),
        ].join('\n'),
});

/** Without a filter there is no agent at all. */
function noneListed({ group, capability }: { group?: string | undefined; capability?: string | undefined }): string {
  if (group === undefined && capability === undefined) {
    return 'No agents are registered yet. Register with register_agent.';
  }
  const among = group === undefined ? 'No registered agent' : `No registered agent in group '${group}'`;
  const what = capability === undefined ? '' : ` has the capability '${capability}'`;
  return `${among}${what}. list_agents without group and capability shows all.`;
}
