import { z } from 'zod';
import { content } from '../content-block.js';
import { filledText, list } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { renderThread } from '../text/render-thread.js';
import { threadView } from '../thread.js';
import { inLine } from '../text/in-line.js';

export const createThread = defineOperation({
  name: 'create_thread',
  summary: 'Open a Coterie thread, a conversation with other agents. You are always in it.',
  access: 'send',
  caller: 'required',
  callerField: 'creator_id',
  input: z.object({
    title: filledText('titleChars'),
    participants: list(participantId, 'participants').default([]),
    initialMessage: content.optional(),
    private: z.boolean().default(false).describe('Hidden from others'),
    idempotencyKey: filledText('idempotencyKeyChars').optional(),
  }),
  synonyms: {
    title: ['threadName'],
    participants: ['participantIds'],
    initialMessage: ['message', 'content', 'text', 'body'],
  },
  shownAs: { initialMessage: 'initial_message', idempotencyKey: 'idempotency_key' },
  output: threadView.extend({
    success: z.boolean(),
    unknownParticipants: z.array(z.string()),
    messageId: z.string().optional(),
    duplicate: z.boolean().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: true,
  text: (thread) => {
    const unknown = thread.unknownParticipants;
    return [
      thread.duplicate === true ? 'Thread was already created:' : 'Thread created successfully:',
      renderThread(thread),
      ...(thread.messageId === undefined ? [] : [`Message: ${inLine(thread.messageId)}`]),
      ...(unknown.length === 0 ? [] : [`Not registered, so not added: ${unknown.map(inLine).join(', ')}`]),
    ].join('\n');
  },
});
