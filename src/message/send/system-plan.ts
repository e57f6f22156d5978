// Plans a message of the hub itself: urgent, from `system`. Pure.
import { systemAgentId } from '../../contract/ids.js';
import type { MessageType } from '../../contract/message.js';
import type { SendPlan } from '../../ports/store.js';
import type { Route } from './route.js';

export interface SystemText {
  sessionId: string;
  at: number;
  text: string;
  /** A thread, for its members; or a target, for one agent. */
  threadId?: string;
  target?: string;
  type?: MessageType;
  payload?: Record<string, unknown>;
  notice?: SendPlan['notice'];
}

export function systemPlan(message: SystemText): SendPlan {
  return {
    sessionId: message.sessionId,
    sender: systemAgentId,
    isAdmin: true,
    threadId: message.threadId ?? null,
    target: message.target ?? null,
    content: JSON.stringify([{ type: 'text', text: message.text }]),
    attachments: null,
    role: 'SYSTEM',
    type: message.type ?? 'STATUS',
    priority: 'normal',
    action: 'queue',
    urgent: true,
    mentions: [],
    mentionsInText: [],
    replyTo: null,
    context: null,
    payload: message.payload ?? null,
    metadata: {},
    label: null,
    shareThinking: false,
    wantsReceipt: false,
    notice: message.notice ?? null,
    at: message.at,
    expiresAt: null,
    key: null,
  };
}

/** System messages wake all their recipients. */
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
