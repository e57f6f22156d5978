// Resolves the attachments in an answer: inlined for programs, shown to models within the answer's budget. All others
// stay references that say how to fetch them.
import { answerFrameTokens } from '../contract/budget/message-tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { tokensAtMost } from '../contract/budget/tokens.js';
import { asData, mediaIn, withSources, type AttachmentSource } from '../contract/content/media.js';
import type { MediaBlock } from '../contract/content-block.js';
import { limits } from '../contract/limits.js';
import type { Message } from '../contract/message.js';
import { shownTokens, type ShownMedia } from '../contract/shown-media.js';
import { base64Of } from '../message/history/attachment-bytes.js';
import type { Store } from '../ports/store.js';

type Output = Record<string, unknown>;
type AttachmentStore = Pick<Store, 'readAttachments'>;

export interface Shown {
  output: Output;
  media: ShownMedia;
  /** Total size in output and media. */
  dataBytes: number;
}

const noMedia: ShownMedia = [];

export async function showAttachments(
  store: AttachmentStore,
  output: Output,
  { sessionId, model }: { sessionId: string; model: ModelReader | undefined },
): Promise<Shown> {
  const attached = messagesIn(output).flatMap(attachmentsOf);
  if (attached.length === 0) return { output, media: noMedia, dataBytes: 0 };
  if (model !== undefined) {
    const media = await showToModel(store, attached, { sessionId, output, model });
    return { output, media, dataBytes: media.reduce((sum, { data }) => sum + data.length, 0) };
  }
  const hashes = [...new Set(attached.map(({ source }) => source.hash))];
  const found = await store.readAttachments({ sessionId, hashes, bytesMax: limits.inlineBytes });
  const dataOf = new Map(found.map(({ hash, bytes }) => [hash, base64Of(bytes)]));
  const dataBytes = attached.reduce((sum, { source }) => sum + (dataOf.get(source.hash)?.length ?? 0), 0);
  return { output: inlined(output, dataOf), media: noMedia, dataBytes };
}

/** The output fields in which operations return messages. */
interface MessageLists {
  messages?: readonly Message[];
  responses?: readonly Message[];
  deadLetters?: readonly { message: Message }[];
}

function messagesIn({ messages = [], responses = [], deadLetters = [] }: MessageLists): Message[] {
  return [...messages, ...responses, ...deadLetters.map(({ message }) => message)];
}

interface Attached {
  messageId: string;
  type: MediaBlock['type'];
  source: AttachmentSource;
}

function attachmentsOf({ id, content }: Message): Attached[] {
  return mediaIn(content).flatMap(({ type, source }) =>
    source.type === 'attachment' ? [{ messageId: id, type, source }] : [],
  );
}

function inlined(output: Output, dataOf: ReadonlyMap<string, string>): Output {
  const whole = (message: Message): Message => ({
    ...message,
    content: [
      ...withSources(message.content, (source) => {
        const data = source.type === 'attachment' ? dataOf.get(source.hash) : undefined;
        return source.type === 'attachment' && data !== undefined ? asData(source, data) : source;
      }),
    ],
  });
  const { messages, responses, deadLetters }: MessageLists = output;
  return {
    ...output,
    ...(messages === undefined ? {} : { messages: messages.map(whole) }),
    ...(responses === undefined ? {} : { responses: responses.map(whole) }),
    ...(deadLetters === undefined
      ? {}
      : { deadLetters: deadLetters.map((letter) => ({ ...letter, message: whole(letter.message) })) }),
  };
}

/** The first images and sounds that fit, each once. MCP has no video content. */
async function showToModel(
  store: AttachmentStore,
  attached: readonly Attached[],
  { sessionId, output, model }: { sessionId: string; output: Output; model: ModelReader },
): Promise<ShownMedia> {
  let tokens = model.tokensMax - answerFrameTokens - tokensAtMost(JSON.stringify(output));
  let bytes = limits.shownBytes;
  const chosen = new Map<string, Attached & { type: 'image' | 'audio' }>();
  for (const { messageId, type, source } of attached) {
    if (type === 'video' || chosen.has(source.hash)) continue;
    const cost = shownTokens(type, source.bytes) + labelTokens;
    if (cost > tokens || source.bytes > bytes) continue;
    tokens -= cost;
    bytes -= source.bytes;
    chosen.set(source.hash, { messageId, type, source });
  }
  if (chosen.size === 0) return noMedia;
  const found = await store.readAttachments({ sessionId, hashes: [...chosen.keys()], bytesMax: limits.shownBytes });
  return found.flatMap(({ hash, bytes: data }) => {
    const { messageId, type, source } = chosen.get(hash) ?? {};
    if (messageId === undefined || type === undefined || source === undefined) return [];
    const label = `${type} ${source.index} of message ${messageId}:`;
    return [{ label, type, mimeType: source.mediaType, data: base64Of(data) }];
  });
}

const labelTokens = 20;
