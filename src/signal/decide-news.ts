// The messages that tell of a question's end. They say the fact alone: what was answered stays with the question. Pure.
import { threadIdPattern } from '../contract/ids.js';
import { systemPlan } from '../message/send/system-plan.js';
import type { Route } from '../message/send/route.js';
import type { SendPlan, ThreadRecord } from '../ports/store.js';
import type { SignalRecord } from '../ports/signal.js';

export interface News {
  plan: SendPlan;
  route: Route;
}

/** From the person, or from `system` if no one answered. Null if the asker ended it. */
export function newsForAsker(signal: SignalRecord, at: number): News | null {
  const { sessionId, id, sender, status, answeredBy, priority, threadId } = signal;
  if (status === 'cancelled' && answeredBy === sender) return null;
  const isAnswer = (status === 'answered' || status === 'declined') && answeredBy !== null;
  const message = systemPlan({
    sessionId,
    at,
    text: factOf(signal),
    target: sender,
    type: 'RESULT',
    payload: { questionId: id, status },
  });
  return {
    plan: { ...message, priority, urgent: false, ...(isAnswer ? { sender: answeredBy, role: 'USER' } : {}) },
    route: {
      // A thread gets a message of its own, which does not name what only the asker may read.
      threadId: threadId !== null && !threadIdPattern.test(threadId) ? threadId : null,
      recipients: [{ id: sender, why: isAnswer ? 'reply' : 'system', isWaking: true }],
      mentions: [],
      droppedMentions: [],
      urgent: false,
      isToOne: true,
    },
  };
}

/** For the other members. Null if there is none to tell, or if the asker is not in the thread. */
export function newsForThread(signal: SignalRecord, thread: ThreadRecord | undefined, at: number): News | null {
  if (thread === undefined || thread.status !== 'open' || !thread.members.includes(signal.sender)) return null;
  const others = thread.members.filter((id) => id !== signal.sender && id !== signal.answeredBy);
  if (others.length === 0) return null;
  const { isCritical } = thread;
  const { sessionId, id, status } = signal;
  return {
    plan: {
      ...systemPlan({ sessionId, at, text: factOf(signal), threadId: thread.id, payload: { questionId: id, status } }),
      urgent: isCritical,
    },
    route: {
      threadId: thread.id,
      recipients: others.map((other) => ({ id: other, why: isCritical ? 'system' : 'thread', isWaking: isCritical })),
      mentions: [],
      droppedMentions: [],
      urgent: isCritical,
      isToOne: false,
    },
  };
}

/** Never what was asked or answered. */
function factOf({ id, status, answeredBy, defaultAnswer }: SignalRecord): string {
  const who = answeredBy ?? 'Someone';
  switch (status) {
    case 'answered':
      return `${who} answered question ${id}`;
    case 'declined':
      return `${who} declined to answer question ${id}`;
    case 'expired':
      return `Question ${id} expired without an answer${defaultAnswer === null ? '' : '; its default answer applies'}`;
    case 'cancelled':
      return `${who} cancelled question ${id}`;
    case 'pending':
    case 'sent':
      throw new Error(`a ${status} signal has no end to tell of`);
  }
}
