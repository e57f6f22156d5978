// A sender's outbox: one line per message, followed by its copies. Content is truncated, because the sender wrote it.
import { textOf } from '../content-block.js';
import type { Message } from '../message.js';
import { receiptLine, type ReceiptView } from '../receipt.js';

const contentCharsMax = 80;

export function renderOutbox(messages: readonly (Message & { deliveries: ReceiptView[] })[]): string[] {
  return messages.flatMap((message) => {
    const { id, timestamp, threadId, deliveries } = message;
    const text = textOf(message.content).replaceAll(/\s+/g, ' ').trim();
    const target = typeof message['target'] === 'string' ? ` to ${message['target']}` : '';
    const thread = threadId === undefined ? '' : ` in ${threadId}`;
    const cut = text.length > contentCharsMax ? `${text.slice(0, contentCharsMax)}…` : text;
    return [`${id} ${timestamp}${target}${thread}: ${cut}`, ...deliveries.map((copy) => `  ${receiptLine(copy)}`)];
  });
}
