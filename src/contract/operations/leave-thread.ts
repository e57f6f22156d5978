import { z } from 'zod';
import { threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThreadChange, threadChangeResult } from '../text/thread-change.js';

export const leaveThread = defineOperation({
  name: 'leave_thread',
  summary: 'Leave a thread. The longest member then owns it; the last to leave closes it.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ threadId: threadRef }),
  output: threadChangeResult,
  effect: 'changes',
  inDefaultProfile: false,
  text: renderThreadChange,
});
