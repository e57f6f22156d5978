import { z } from 'zod';
import { threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThreadChange, threadChangeResult } from '../text/thread-change.js';

export const reopenThread = defineOperation({
  name: 'reopen_thread',
  summary: 'Open a closed thread again.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ threadId: threadRef }),
  output: threadChangeResult,
  effect: 'changes',
  inDefaultProfile: false,
  text: renderThreadChange,
});
