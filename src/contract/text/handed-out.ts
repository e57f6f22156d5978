// The answer that hands messages to a reader: the same for a wait and for reading the inbox.
import { z } from 'zod';
import { message } from '../message.js';
import { threadHeader } from '../thread.js';
import { readOnLines, renderCompact, renderXml } from './render-messages.js';

export const handedOut = z.looseObject({
  messages: z.array(message),
  threads: z.array(threadHeader).optional(),
  timedOut: z.boolean(),
  waitedMs: z.number(),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
  clampedToMs: z.number().optional(),
});

interface Reading {
  view: 'full' | 'compact';
  ack?: 'auto' | 'manual';
  markAsRead?: boolean;
  include?: string | undefined;
  messageId?: string | undefined;
}

function moreToLookAt(cursor: string | null): string {
  return cursor === null ? 'There is more.' : `More: call get_messages with the same fields and cursor "${cursor}".`;
}

export function renderHandedOut(
  answer: z.output<typeof handedOut>,
  { view, ack, markAsRead = true, include, messageId }: Reading,
): string {
  const { messages, threads, timedOut, clampedToMs, hasMore, cursor } = answer;
  if (messages.length === 0) {
    if (!timedOut) return 'No messages.';
    const clamped =
      clampedToMs === undefined ? '' : ` (cut to ${clampedToMs} ms, below your client's own limit; call again)`;
    return `No new messages received within the timeout period${clamped}`;
  }
  // Looking takes nothing, so the same call would show the same page.
  const isTaking = markAsRead && include !== 'recent' && messageId === undefined;
  const body = view === 'compact' ? renderCompact(messages) : renderXml(messages, threads ?? []);
  return [
    body,
    ...readOnLines(messages),
    ...(hasMore ? [isTaking ? 'More messages are waiting: call again.' : moreToLookAt(cursor)] : []),
    ...(ack === 'manual' && isTaking ? [`Acknowledge with cursor ${cursor} in your next call.`] : []),
  ].join('\n');
}
