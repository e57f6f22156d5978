import { z } from 'zod';
import { personPrefs } from '../signal/channel.js';
import { defineOperation } from '../operation.js';
import { prefsText } from '../text/render-channels.js';

export const getPersonPrefs = defineOperation({
  name: 'get_person_prefs',
  summary: 'When you, a person, want no push.',
  access: 'signal',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({}),
  output: z.looseObject({ person: z.string(), prefs: personPrefs }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ prefs }) => prefsText(prefs),
});
