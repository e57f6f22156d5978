// The hub's own word: urgent, from `system`. Pure: what is to be stored.
import { systemAgentId } from '../../contract/ids.js';
import type { MessageType } from '../../contract/message.js';
import type { SendPlan } from '../../ports/store.js';
import type { Route } from './route.js';

export interface SystemText {
  sessionId: string;
  at: number;
  text: string;
  /** In a thread, to its members; or to one agent. */
  threadId?: string;
  target?: string;
  type?: MessageType;
  payload?: Record<string, unknown>;
  notice?: SendPlan['notice'];
}

export function systemPlan(word: SystemText): SendPlan {
  return {
    sessionId: word.sessionId,
    sender: systemAgentId,
    isAdmin: true,
    threadId: word.threadId ?? null,
    target: word.target ?? null,
    content: JSON.stringify([{ type: 'text', text: word.text }]),
    attachments: null,
    role: 'SYSTEM',
    type: word.type ?? 'STATUS',
    priority: 'normal',
    action: 'queue',
    urgent: true,
    mentions: [],
    mentionsInText: [],
    replyTo: null,
    context: null,
    payload: word.payload ?? null,
    metadata: {},
    label: null,
    shareThinking: false,
    wantsReceipt: false,
    notice: word.notice ?? null,
    at: word.at,
    expiresAt: null,
    key: null,
  };
}

/** It wakes everyone it is for. */
export function systemRoute(to: readonly string[], { threadId, isToOne }: Pick<Route, 'threadId' | 'isToOne'>): Route {
  return {
    threadId,
    recipients: to.map((id) => ({ id, why: 'system', isWaking: true })),
    mentions: [],
    droppedMentions: [],
    urgent: true,
    isToOne,
  };
}
