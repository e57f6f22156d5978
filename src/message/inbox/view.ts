// A stored message as its reader sees it: without null and default values, and without other agents' thinking.
import type { ContentBlock } from '../../contract/content-block.js';
import { withSources } from '../../contract/content/media.js';
import type { Message } from '../../contract/message.js';
import type { AwaitedAnswer } from '../../contract/thread.js';
import type { HandedCopy, MessageRecord, Redaction } from '../../ports/store.js';

export function viewMessage(record: MessageRecord, reader: string | null): Message {
  const { priority, action, payload, context, replyTo, threadId, target, label, expiresAt, type } = record;
  return {
    id: record.id,
    seq: record.seq,
    sessionId: record.sessionId,
    ...(threadId === null ? {} : { threadId }),
    sender: record.sender,
    ...(record.name === record.sender ? {} : { name: record.name }),
    ...(record.role === 'ASSISTANT' ? {} : { role: record.role }),
    ...(target === null ? {} : { target }),
    content: visibleContent(record, reader),
    ...(record.mentions.length === 0 ? {} : { mentions: record.mentions }),
    ...(type === null || !record.isTypeGiven ? {} : { type }),
    ...(priority === 'normal' ? {} : { priority }),
    ...(action === 'queue' ? {} : { action }),
    ...(record.urgent ? { urgent: true } : {}),
    ...(replyTo === null ? {} : { replyTo }),
    ...(context === null ? {} : { context }),
    ...(payload === null ? {} : { payload }),
    ...(Object.keys(record.metadata).length === 0 ? {} : { metadata: record.metadata }),
    ...(label === null ? {} : { label }),
    timestamp: new Date(record.at).toISOString(),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(record.redaction === null ? {} : { redacted: viewRedaction(record.redaction) }),
  };
}

export function viewRedaction({ by, at, reason }: Redaction): NonNullable<Message['redacted']> {
  return { by, at: new Date(at).toISOString(), ...(reason === null ? {} : { reason }) };
}

export function viewAwaited({ until, ...rest }: { threadId: string; by: string; until: number }): AwaitedAnswer {
  return { ...rest, until: new Date(until).toISOString() };
}

export function viewCopy(copy: HandedCopy, reader: string): Message {
  return {
    ...viewMessage(copy.message, reader),
    why: copy.why,
    ...(copy.redelivered ? { redelivered: true } : {}),
  };
}

/** Only the sender sees its thinking, unless it chose to share it. */
function visibleContent({ id, content, sender, shareThinking }: MessageRecord, reader: string | null): ContentBlock[] {
  const isWhole = shareThinking || reader === sender;
  return withFetch(id, isWhole ? content : content.filter((block) => block.type !== 'thinking'));
}

/** Attachments say how to fetch them; dispatch decides what else is shown of them. */
function withFetch(messageId: string, content: ContentBlock[]): ContentBlock[] {
  const shown = withSources(content, (source) => {
    if (source.type !== 'attachment') return source;
    return { ...source, fetch: `get_attachment {"messageId":"${messageId}","index":${source.index}}` };
  });
  return [...shown];
}
