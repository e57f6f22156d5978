// A line of an export as a message to show.
import type { ContentBlock } from '../../contract/content-block.js';
import type { Line } from '../../contract/transfer/lines.js';
import type { MarkdownMessage } from '../../format/markdown.js';

export interface ExportedMessage extends MarkdownMessage {
  readonly threadId?: string | undefined;
  readonly role: string;
  readonly content: ContentBlock[];
}

/** Undefined for a line about something else. */
export function exportedMessage(text: string): ExportedMessage | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub's own answer; fields that every release has are used.
  const line = JSON.parse(text) as Line;
  if (line.kind !== 'message') return undefined;
  const { seq, threadId, sender, name, at, role, type, replyTo, target, content, extras } = line;
  const { context, payload, redaction } = extras ?? {};
  return {
    seq,
    sender,
    role,
    content,
    timestamp: new Date(at).toISOString(),
    ...(threadId === undefined ? {} : { threadId }),
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(target === undefined ? {} : { target }),
    ...(replyTo === undefined ? {} : { replyTo: String(replyTo) }),
    ...(context === undefined ? {} : { context }),
    ...(payload === undefined ? {} : { payload }),
    ...(redaction === undefined ? {} : { redacted: { by: redaction.by, at: new Date(redaction.at).toISOString() } }),
  };
}
