import { z } from 'zod';
import { threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThreadChange, threadChangeResult } from '../text/thread-change.js';

export const joinThread = defineOperation({
  name: 'join_thread',
  summary: 'Join an open Coterie thread.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ threadId: threadRef }),
  output: threadChangeResult,
  effect: 'changes',
  inDefaultProfile: true,
  text: renderThreadChange,
});
