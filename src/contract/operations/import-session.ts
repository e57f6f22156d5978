import { z } from 'zod';
import { idForm, idPattern } from '../ids.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

export const importSession = defineOperation({
  name: 'import_session',
  summary: 'Make a new session of the lines of export_session. In parts, in order; nothing is there before the last.',
  access: 'admin',
  caller: 'optional',
  input: z.object({
    lines: z.string().default('').describe('Whole lines of the export'),
    importId: z.string().max(64).optional().describe('Of the first answer; leave out with the first part'),
    part: z.int().min(1).max(1_000_000).default(1).describe('1 for the first, then 2, 3, …'),
    done: z.boolean().default(false).describe('True with the last part'),
    sessionId: z.string().regex(idPattern, `must be ${idForm}`).optional().describe('A new name for the session'),
  }),
  output: z.looseObject({
    importId: z.string(),
    part: z.number(),
    /** Read so far. */
    lines: z.number(),
    done: z.boolean(),
    sessionId: z.string(),
    /** Lines by kind, at the end. */
    counts: z.record(z.string(), z.number()).optional(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ done, sessionId, lines, counts, part }) =>
    done
      ? `Imported session ${inLine(sessionId)}: ${counts?.['message'] ?? 0} messages, ${lines} lines.`
      : `Part ${part} is kept; ${lines} lines so far. Nothing is imported before the last part.`,
  next: ({ done, importId, part }) =>
    done ? [] : [`Call import_session with importId ${importId}, part ${part + 1}, and done true with the last part.`],
});
