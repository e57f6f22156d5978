import { z } from 'zod';
import { participantId, threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThreadChange, threadChangeResult } from '../text/thread-change.js';

export const addParticipant = defineOperation({
  name: 'add_participant',
  summary: 'Add an agent to a thread you are in.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ threadId: threadRef, participantId }),
  output: threadChangeResult,
  effect: 'changes',
  inDefaultProfile: false,
  text: renderThreadChange,
});
