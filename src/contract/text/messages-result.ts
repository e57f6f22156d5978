// The result of a wait and of reading the inbox: messages for a reader, their text, and what to do next.
import { z } from 'zod';
import { mediaIn } from '../content/media.js';
import { message, type Message } from '../message.js';
import { awaitedAnswer, threadHeader, type AwaitedAnswer } from '../thread.js';
import { readOnLines, renderCompact, renderXml } from './render-messages.js';
import { shortened } from './shortened.js';
import { inLine } from './in-line.js';

export const messagesResult = z.looseObject({
  messages: z.array(message),
  threads: z.array(threadHeader).optional(),
  /** Of mentioned agents, by id, where the header of their thread is not repeated. */
  names: z.record(z.string(), z.string()).optional(),
  awaited: z.array(awaitedAnswer).optional(),
  timedOut: z.boolean(),
  waitedMs: z.number(),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
  clampedToMs: z.number().optional(),
  /** Another agent's inbox, which was only looked at. */
  peekedAt: z.string().optional(),
});

type MessagesResult = z.output<typeof messagesResult>;

interface Reading {
  view: 'full' | 'compact';
  ack?: 'auto' | 'manual';
  markAsRead?: boolean | undefined;
  include?: string | undefined;
  messageId?: string | undefined;
}

export function renderMessagesResult(
  { messages, threads, names, timedOut, peekedAt }: MessagesResult,
  { view }: Reading,
): string {
  if (messages.length === 0) {
    if (timedOut) return 'No new messages received within the timeout period';
    return peekedAt === undefined ? 'No messages.' : `No messages for ${inLine(peekedAt)}.`;
  }
  const body = view === 'compact' ? renderCompact(messages) : renderXml(messages, threads ?? [], names);
  const peeked =
    peekedAt === undefined ? [] : [`This is the inbox of ${inLine(peekedAt)}; nothing was marked as read.`];
  return [body, ...readOnLines(messages), ...peeked].join('\n');
}

export function stepsAfterMessages(
  { messages, awaited = [], timedOut, clampedToMs, hasMore, cursor, peekedAt }: MessagesResult,
  { ack, markAsRead = true, include, messageId }: Reading,
): string[] {
  if (messages.length === 0) {
    return timedOut && clampedToMs !== undefined ? [`Call wait_for_mentions again${shortened(clampedToMs)}.`] : [];
  }
  // Peeking takes nothing, so the same call would return the same page.
  const isTaking = markAsRead && include !== 'recent' && messageId === undefined && peekedAt === undefined;
  return [
    ...answerSteps(awaited),
    ...attachmentSteps(messages),
    ...(hasMore ? [isTaking ? 'More messages are waiting: call again.' : morePages(cursor)] : []),
    ...(ack === 'manual' && isTaking && cursor !== null ? [acknowledgeWith(cursor)] : []),
  ];
}

export function answerSteps(awaited: readonly AwaitedAnswer[]): string[] {
  return awaited.map(
    ({ threadId, by, until }) =>
      `${by} waits for your answer in thread ${threadId} until ${until}: call send_message with threadId "${threadId}".`,
  );
}

export const fetchAttachments = 'Attachments that are not shown are fetched with get_attachment.';

/** Messages say by themselves how to fetch what is not shown. */
export function attachmentSteps(messages: readonly Pick<Message, 'content'>[]): string[] {
  const sources = messages.flatMap(({ content }) => mediaIn(content).map(({ source }) => source));
  const isUnseen = sources.some((source) => source.type === 'attachment' && source.fetch !== undefined);
  return isUnseen ? [fetchAttachments] : [];
}

function morePages(cursor: string | null): string {
  return cursor === null ? 'There is more.' : `More: call get_messages with the same fields and cursor "${cursor}".`;
}

export function acknowledgeWith(cursor: string): string {
  return `Acknowledge with cursor ${cursor} in your next call.`;
}
