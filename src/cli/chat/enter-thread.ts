// What a chat begins with: membership, and the messages to show first.
import { HubError } from '../../contract/errors.js';
import type { Message } from '../../contract/message.js';
import { operations } from '../../contract/operations/index.js';
import type { ThreadView } from '../../contract/thread.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';

/** Joins if needed. */
export async function enterThread(choice: HubChoice & { agent: string }, id: unknown): Promise<ThreadView> {
  const hub = connect(choice);
  const thread = await hub.call(operations.getThread, { threadId: id, limit: 1 });
  const { threadId, status, participants } = thread;
  if (status === 'closed') {
    throw new HubError('THREAD_CLOSED', `Thread '${threadId}' is closed.`, {
      hint: `Read it with: coterie thread ${threadId}. Its creator can open it again: coterie call reopen_thread.`,
    });
  }
  return participants.includes(choice.agent) ? thread : hub.call(operations.joinThread, { threadId });
}

const historyMax = 200;

/** The last messages; more of them if they are unread. */
export async function unreadAndLast(choice: HubChoice, threadId: string, count: number): Promise<Message[]> {
  const hub = connect(choice);
  const unread = await hub.call(operations.getMessages, { threadId, markAsRead: false, limit: historyMax });
  const { messages } = await hub.call(operations.getThread, { threadId, limit: historyMax });
  const firstUnread = Math.min(...unread.messages.map(({ seq }) => seq));
  return messages.filter(({ seq }, index) => seq >= firstUnread || index >= messages.length - count);
}
