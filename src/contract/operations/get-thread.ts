import { z } from 'zod';
import { pageLimit, position } from '../fields.js';
import { formatChoice, formatted } from '../format-choice.js';
import { threadRef } from '../ids.js';
import { message } from '../message.js';
import { defineOperation } from '../operation.js';
import { receipt, receiptLine, type ReceiptView } from '../receipt.js';
import { answerSteps, attachmentSteps, fetchAttachments } from '../text/messages-result.js';
import { readOnLines, renderCompact, renderXml } from '../text/render-messages.js';
import { renderThread } from '../text/render-thread.js';
import { awaitedAnswer, threadView } from '../thread.js';
import { jsonInLine } from '../text/in-line.js';

export const getThread = defineOperation({
  name: 'get_thread',
  summary: 'Read a Coterie thread and its messages in order. Changes nothing in your inbox.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    threadId: threadRef,
    after: position.optional().describe('After this cursor, message id or seq'),
    before: position.optional().describe('Before it'),
    limit: pageLimit.default(50),
    view: z.enum(['full', 'compact']).default('full'),
    format: formatChoice.optional().describe('For a model provider’s API; {provider, mode, style}'),
  }),
  output: threadView.extend({
    messages: z.array(message),
    awaited: z.array(awaitedAnswer).optional(),
    hasMore: z.boolean(),
    cursor: z.string().nullable(),
    /** For a critical thread: when each member got its opening message, read it and answered. */
    receipts: z.array(receipt).optional(),
    moreReceipts: z.number().optional(),
    /** Set with `format`, instead of `messages`, which is then empty. */
    formatted: formatted.optional(),
  }),
  effect: 'reads',
  inDefaultProfile: true,
  text: (thread, { view }) => {
    const { messages, receipts, moreReceipts = 0 } = thread;
    const body =
      thread.formatted !== undefined
        ? jsonInLine(thread.formatted)
        : messages.length === 0
          ? 'No messages.'
          : view === 'compact'
            ? renderCompact(messages)
            : renderXml(messages, []);
    return [renderThread(thread), ...openingLine(receipts, moreReceipts), body, ...readOnLines(messages)].join('\n');
  },
  next: ({ awaited = [], messages, formatted: request, hasMore, cursor }, { after }) => [
    ...answerSteps(awaited),
    ...(saysFetch(request) ? [fetchAttachments] : attachmentSteps(messages)),
    ...(hasMore ? [`More: call get_thread with ${after === undefined ? 'before' : 'after'} "${cursor}"`] : []),
  ],
});

/** Whether any text in it says how to fetch an attachment. Megabytes are searched as they are, not made JSON first. */
function saysFetch(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('get_attachment {');
  return typeof value === 'object' && value !== null && Object.values(value).some(saysFetch);
}

const receiptsShown = 10;

function openingLine(receipts: readonly ReceiptView[] | undefined, moreReceipts: number): string[] {
  if (receipts === undefined) return [];
  const shown = receipts.slice(0, receiptsShown);
  const more = receipts.length - shown.length + moreReceipts;
  return [`Opening: ${shown.map(receiptLine).join('; ')}${more === 0 ? '' : `; and ${more} more`}`];
}
