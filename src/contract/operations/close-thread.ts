import { z } from 'zod';
import { text } from '../fields.js';
import { threadRef } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThreadChange, threadChangeResult } from '../text/thread-change.js';

export const closeThread = defineOperation({
  name: 'close_thread',
  summary: 'Close a thread you created, with a summary for its members. It can still be read.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({ threadId: threadRef, summary: text('summaryChars').default('') }),
  synonyms: { summary: ['text', 'body', 'message'] },
  output: threadChangeResult,
  effect: 'changes',
  inDefaultProfile: false,
  text: renderThreadChange,
});
