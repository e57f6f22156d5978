import { z } from 'zod';
import { participantId, threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThreadChange, threadChangeResult } from '../text/thread-change.js';

export const removeParticipant = defineOperation({
  name: 'remove_participant',
  summary: 'Remove an agent from a thread you created.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ threadId: threadRef, participantId }),
  output: threadChangeResult,
  effect: 'destroys',
  inDefaultProfile: false,
  text: renderThreadChange,
});
