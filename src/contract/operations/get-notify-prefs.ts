import { z } from 'zod';
import { participantId } from '../ids.js';
import { notifyPrefs } from '../notify.js';
import { defineOperation } from '../operation.js';
import { renderPrefs } from '../text/render-prefs.js';

export const getNotifyPrefs = defineOperation({
  name: 'get_notify_prefs',
  summary: 'What wakes you.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ agent: participantId.optional().describe('Admin only: of this member') }),
  output: z.looseObject({ agentId: z.string(), prefs: notifyPrefs }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ prefs }, { agent }) => renderPrefs(prefs, agent),
});
