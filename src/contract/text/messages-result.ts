// The result of a wait and of reading the inbox: messages for a reader, and their text.
import { z } from 'zod';
import { message } from '../message.js';
import { threadHeader } from '../thread.js';
import { readOnLines, renderCompact, renderXml } from './render-messages.js';

export const messagesResult = z.looseObject({
  messages: z.array(message),
  threads: z.array(threadHeader).optional(),
  /** Of mentioned agents, by id, where the header of their thread is not repeated. */
  names: z.record(z.string(), z.string()).optional(),
  timedOut: z.boolean(),
  waitedMs: z.number(),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
  clampedToMs: z.number().optional(),
  /** Another agent's inbox, which was only looked at. */
  peekedAt: z.string().optional(),
});

interface Reading {
  view: 'full' | 'compact';
  ack?: 'auto' | 'manual';
  markAsRead?: boolean | undefined;
  include?: string | undefined;
  messageId?: string | undefined;
}

function morePages(cursor: string | null): string {
  return cursor === null ? 'There is more.' : `More: call get_messages with the same fields and cursor "${cursor}".`;
}

export function renderMessagesResult(
  answer: z.output<typeof messagesResult>,
  { view, ack, markAsRead = true, include, messageId }: Reading,
): string {
  const { messages, threads, names, timedOut, clampedToMs, hasMore, cursor, peekedAt } = answer;
  if (messages.length === 0) {
    if (!timedOut) return peekedAt === undefined ? 'No messages.' : `No messages for ${peekedAt}.`;
    const clamped =
      clampedToMs === undefined ? '' : ` (shortened to ${clampedToMs} ms, below your client's own timeout; call again)`;
    return `No new messages received within the timeout period${clamped}`;
  }
  // Peeking takes nothing, so the same call would return the same page.
  const isTaking = markAsRead && include !== 'recent' && messageId === undefined && peekedAt === undefined;
  const body = view === 'compact' ? renderCompact(messages) : renderXml(messages, threads ?? [], names);
  return [
    body,
    ...readOnLines(messages),
    ...(peekedAt === undefined ? [] : [`This is the inbox of ${peekedAt}; nothing was marked as read.`]),
    ...(hasMore ? [isTaking ? 'More messages are waiting: call again.' : morePages(cursor)] : []),
    ...(ack === 'manual' && isTaking ? [`Acknowledge with cursor ${cursor} in your next call.`] : []),
  ].join('\n');
}
