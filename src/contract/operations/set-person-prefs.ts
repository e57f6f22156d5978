import { z } from 'zod';
import { personPrefs, quietHours } from '../signal/channel.js';
import { defineOperation } from '../operation.js';
import { prefsText } from '../text/render-channels.js';

export const setPersonPrefs = defineOperation({
  name: 'set_person_prefs',
  summary: 'Choose when you, a person, want no push. What is of high priority is still sent.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ quietHours: quietHours.optional().describe('None if it is left out') }),
  output: z.looseObject({ success: z.boolean(), prefs: personPrefs }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ prefs }) => prefsText(prefs),
});
