// The last look at an answer's messages: what they refer to is written out for programs, and shown to models as far as
// the answer's budget allows. Everything else stays a reference that says how to fetch it.
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
  /** Of both together. */
  dataBytes: number;
}

const noMedia: ShownMedia = [];

export async function showAttachments(
  store: AttachmentStore,
  sessionId: string,
  output: Output,
  model: ModelReader | undefined,
): Promise<Shown> {
  const attached = messagesIn(output).flatMap(attachmentsOf);
  if (attached.length === 0) return { output, media: noMedia, dataBytes: 0 };
  if (model !== undefined) {
    const media = await showToModel(store, sessionId, attached, output, model);
    return { output, media, dataBytes: media.reduce((sum, { data }) => sum + data.length, 0) };
  }
  const hashes = [...new Set(attached.map(({ source }) => source.hash))];
  const found = await store.readAttachments({ sessionId, hashes, bytesMax: limits.inlineBytes });
  const dataOf = new Map(found.map(({ hash, bytes }) => [hash, base64Of(bytes)]));
  const dataBytes = attached.reduce((sum, { source }) => sum + (dataOf.get(source.hash)?.length ?? 0), 0);
  return { output: writtenOut(output, dataOf), media: noMedia, dataBytes };
}

/** The lists in which operations show messages, as their contracts say. */
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

function writtenOut(output: Output, dataOf: ReadonlyMap<string, string>): Output {
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

/** The first pictures and sounds that fit, each once. MCP has no films. */
async function showToModel(
  store: AttachmentStore,
  sessionId: string,
  attached: readonly Attached[],
  output: Output,
  { tokensMax }: ModelReader,
): Promise<ShownMedia> {
  let tokens = tokensMax - answerFrameTokens - tokensAtMost(JSON.stringify(output));
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
