import { z } from 'zod';
import { text } from '../fields.js';
import { participantId } from '../ids.js';
import { keyText, keyView } from '../key.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

const daySeconds = 86_400;

export const createObserverLink = defineOperation({
  name: 'create_observer_link',
  summary: 'Make a link that lets one browser look at a session for a while. It works once; revoke_key ends it.',
  access: 'admin',
  caller: 'optional',
  input: z.object({
    label: text('nameChars').default('observer’s link').describe('Whom it is for; shown by list_keys'),
    ttl: z
      .int()
      .min(60)
      .max(365 * daySeconds)
      .default(daySeconds)
      .describe('Seconds that one may look'),
    sessionId: participantId.optional().describe('A session that you administer; yours by default'),
  }),
  output: z.looseObject({
    success: z.boolean(),
    fragment: z.string().describe('The link is the hub’s URL, /app/observe#, then this: its secret, shown here only'),
    url: z.string().nullable().describe('The hub’s public URL; null if it has none'),
    opensUntil: z.string().describe('It must be opened before'),
    key: keyView,
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ fragment, url, opensUntil, key }) =>
    inLine(`${url ?? 'HUB-URL'}/app/observe#${fragment} works once, until ${opensUntil}. It is ${keyText(key)}.`),
});
