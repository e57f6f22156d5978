import { z } from 'zod';
import { content } from '../content-block.js';
import { contextText, filledText, jsonObject, list, oneOf, ttlSeconds } from '../fields.js';
import { messageRef, participantId, threadRef } from '../ids.js';
import { actions, copyStates, messageTypes, priorities, roles } from '../message.js';
import { defineOperation } from '../operation.js';
import { presences } from '../agent.js';
import { renderSent } from '../text/render-sent.js';
import { agentWake } from '../wake.js';

export const sendMessage = defineOperation({
  name: 'send_message',
  summary:
    'Send a Coterie message or reply to a thread you are in (threadId), or to an agent or group (target). Answers once it is on disk.',
  access: 'send',
  caller: 'required',
  callerField: 'senderId',
  input: z.object({
    content: content.describe('The text'),
    threadId: threadRef.optional(),
    target: participantId.optional().describe('An agent or a group'),
    mentions: list(participantId, 'mentions').default([]).describe('Members to wake; @id in the text counts too'),
    messageType: oneOf(messageTypes).optional(),
    priority: oneOf(priorities).default('normal'),
    action: oneOf(actions).default('queue'),
    context: contextText.optional(),
    sessionId: filledText('nameChars').optional().describe('A label'),
    replyTo: messageRef.optional().describe('A message id'),
    ttl: ttlSeconds.optional().describe('Seconds'),
    payload: jsonObject('payloadBytes').optional(),
    idempotencyKey: filledText('idempotencyKeyChars').optional().describe('Makes a retry safe'),
    urgent: z.boolean().default(false),
    metadata: jsonObject('metadataBytes').default({}),
    // SYSTEM is the hub's own, and refused with what to do instead.
    role: oneOf(roles)
      .meta({ enum: roles.filter((role) => role !== 'SYSTEM') })
      .optional(),
    shareThinking: z.boolean().default(false),
    receipt: oneOf(['read']).optional().describe('Tells you when read or dead'),
    parseMentions: z.boolean().default(true),
    escalate: oneOf(['person']).optional().describe('Ask people if not woken'),
  }),
  synonyms: { content: ['message', 'text', 'body'], messageType: ['type'], target: ['to', 'recipient'] },
  shownAs: { messageType: 'message_type', replyTo: 'reply_to', idempotencyKey: 'idempotency_key' },
  output: z.looseObject({
    success: z.boolean(),
    messageId: z.string(),
    seq: z.number(),
    threadId: z.string().nullable(),
    sender: z.string(),
    target: z.string().optional(),
    /** Set if the target is a group. */
    group: z.boolean().optional(),
    mentions: z.array(z.string()),
    recipients: z.array(
      z.object({
        id: z.string(),
        state: z.enum(copyStates),
        presence: z.enum(presences),
        /** A wait of this recipient, parked when it was sent, takes it. */
        woken: z.boolean(),
        /** How it is woken otherwise; left out if it is there. */
        wake: agentWake.optional(),
      }),
    ),
    droppedMentions: z.array(z.string()),
    warnings: z.array(z.string()),
    duplicate: z.boolean(),
  }),
  effect: 'changes',
  inDefaultProfile: true,
  text: renderSent,
});
