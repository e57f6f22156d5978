import { z } from 'zod';
import { templateView } from '../notify.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const getNotifyTemplates = defineOperation({
  name: 'get_notify_templates',
  summary: 'The text of every notice in this session, with an example.',
  access: 'read',
  caller: 'optional',
  input: z.object({}),
  output: z.looseObject({ templates: z.array(templateView) }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ templates }) =>
    templates.map(({ name, text, isDefault }) => inLine(`${name}${isDefault ? '' : ' (changed)'}: ${text}`)).join('\n'),
});
