import { z } from 'zod';
import { groupView } from '../group.js';
import { defineOperation } from '../operation.js';
import { renderGroups } from '../text/render-groups.js';

export const listGroups = defineOperation({
  name: 'list_groups',
  summary: 'Coterie groups you can send to, and who is in them. all is everyone.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  input: z.object({}),
  output: z.looseObject({ groups: z.array(groupView) }),
  effect: 'reads',
  inDefaultProfile: true,
  text: ({ groups }) => renderGroups(groups),
});
