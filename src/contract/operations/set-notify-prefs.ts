import { z } from 'zod';
import { list } from '../fields.js';
import { participantId, threadRef } from '../ids.js';
import { mutableKinds, notifyPrefs } from '../notify.js';
import { defineOperation } from '../operation.js';
import { renderPrefs } from '../text/render-prefs.js';

export const setNotifyPrefs = defineOperation({
  name: 'set_notify_prefs',
  summary: 'Choose what wakes you. Only the fields given change; a list replaces the one before.',
  access: 'send',
  caller: 'required',
  callerField: 'agentId',
  input: z.object({
    agent: participantId.optional().describe('Admin only: for this member'),
    muteKinds: z.array(z.enum(mutableKinds)).optional().describe('Notices you do not want'),
    muteThreads: list(threadRef, 'prefThreads').optional().describe('Threads that only wake you when urgent'),
    followThreads: list(threadRef, 'prefThreads').optional().describe('Threads whose every message wakes you'),
    quiet: z.boolean().optional().describe('Only urgent messages wake you'),
    digestCount: z.int().min(0).max(1_000).optional().describe('More unread notices become one digest; 0 never'),
    digestMinutes: z.int().min(0).max(43_200).optional().describe('Older unread notices become one digest; 0 never'),
  }),
  output: z.looseObject({ success: z.boolean(), agentId: z.string(), prefs: notifyPrefs }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ prefs }, { agent }) => renderPrefs(prefs, agent),
});
