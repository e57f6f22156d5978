import { z } from 'zod';
import { defineOperation } from '../operation.js';

export const exportSession = defineOperation({
  name: 'export_session',
  summary:
    'This session as JSON lines: messages, deliveries, attachments, threads, groups. In pages; save all of them.',
  access: 'admin',
  caller: 'optional',
  input: z.object({ cursor: z.string().optional().describe('Of the last page; leave out for the first') }),
  output: z.looseObject({
    /** Whole lines, each with its line break. */
    lines: z.string(),
    hasMore: z.boolean(),
    cursor: z.string().nullable(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ lines }) => lines,
  next: ({ cursor }) => (cursor === null ? [] : [`The next page: call export_session with cursor ${cursor}`]),
});
