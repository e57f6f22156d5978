// The confirmation for a sender. Content is truncated, because the sender has just written it.
import { textOf, type ContentBlock } from '../content-block.js';

const contentCharsMax = 80;

interface Sent {
  messageId: string;
  threadId: string | null;
  sender?: unknown;
  mentions?: unknown;
  warnings: string[];
  duplicate: boolean;
}

export function renderSent(sent: Sent, draft: { content: ContentBlock[]; target?: string | undefined }): string {
  const text = textOf(draft.content);
  const mentions = Array.isArray(sent.mentions) ? sent.mentions.join(', ') : '';
  return [
    sent.duplicate ? 'Message was already sent:' : 'Message sent successfully:',
    `ID: ${sent.messageId}`,
    ...(sent.threadId === null ? [] : [`Thread: ${sent.threadId}`]),
    `Sender: ${String(sent.sender)}`,
    ...(draft.target === undefined ? [] : [`Target: ${draft.target}`]),
    `Content: ${text.length > contentCharsMax ? `${text.slice(0, contentCharsMax)}…` : text}`,
    ...(mentions === '' ? [] : [`Mentions: ${mentions}`]),
    ...sent.warnings.map((warning) => `Note: ${warning}`),
  ].join('\n');
}
