import { z } from 'zod';
import { list } from '../fields.js';
import { groupView } from '../group.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderGroup } from '../text/render-groups.js';

export const setGroup = defineOperation({
  name: 'set_group',
  summary: 'Create a group, or replace its members. Members may register later.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    name: participantId,
    members: list(participantId, 'groupMembers').describe('Agent ids; an empty list empties the group'),
  }),
  synonyms: { name: ['group', 'groupName'], members: ['memberIds'] },
  output: z.looseObject({ success: z.boolean(), group: groupView, unknownMembers: z.array(z.string()) }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ group }) => `Group ${renderGroup(group)}`,
});
