import { z } from 'zod';
import { filledText, oneOf } from '../fields.js';
import { noticeKinds, templateView } from '../notify.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const setNotifyTemplate = defineOperation({
  name: 'set_notify_template',
  summary: 'Change the text of a notice in this session; returns a preview. Leave text out for the default.',
  access: 'admin',
  caller: 'optional',
  input: z.object({
    name: oneOf(noticeKinds),
    text: filledText('templateChars').optional().describe('May use {title} {threadId} {by} {agent} {summary}'),
  }),
  synonyms: { text: ['body'] },
  output: z.looseObject({ success: z.boolean(), template: templateView }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ template }) => inLine(`${template.name} now reads, for example: ${template.preview}`),
});
