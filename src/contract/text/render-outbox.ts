// A sender's outbox: one line per message, followed by its copies. Content is truncated, because the sender wrote it.
import { textOf } from '../content-block.js';
import type { Message } from '../message.js';
import { receiptLine, type ReceiptView } from '../receipt.js';
import { inLine, startInLine } from './in-line.js';

const contentCharsMax = 80;

export function renderOutbox(messages: readonly (Message & { deliveries: ReceiptView[] })[]): string[] {
  return messages.flatMap((message) => {
    const { id, timestamp, threadId, deliveries } = message;
    const target = typeof message['target'] === 'string' ? ` to ${message['target']}` : '';
    const thread = threadId === undefined ? '' : ` in ${threadId}`;
    const text = startInLine(textOf(message.content), contentCharsMax);
    return [
      `${inLine(`${id} ${timestamp}${target}${thread}`)}: ${text}`,
      ...deliveries.map((copy) => `  ${receiptLine(copy)}`),
    ];
  });
}
