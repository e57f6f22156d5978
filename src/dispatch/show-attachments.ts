// Resolves the attachments in an answer: inlined for programs, shown to models within the answer's budget. All others
// stay references that say how to fetch them.
import { answerFrameTokens } from '../contract/budget/message-tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { tokensAtMost } from '../contract/budget/tokens.js';
import { asData, mediaIn, withSources, type AttachmentSource } from '../contract/content/media.js';
import type { MediaBlock, MediaSource } from '../contract/content-block.js';
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
  /** Total size in output and media, with texts that are as long as data. */
  dataBytes: number;
  /** The places in messages whose media a model sees. */
  shown: ReadonlySet<string>;
}

const noMedia: ShownMedia = [];
const nothing: ReadonlySet<string> = new Set();

export async function showAttachments(
  store: AttachmentStore,
  output: Output,
  { sessionId, model }: { sessionId: string; model: ModelReader | undefined },
): Promise<Shown> {
  const messages = messagesIn(output);
  const attached = messages.flatMap(attachmentsOf);
  // A model is shown parts of long texts only.
  const textBytes = model === undefined ? longTextsIn(messages) : 0;
  if (attached.length === 0) return { output, media: noMedia, dataBytes: textBytes, shown: nothing };
  if (model !== undefined) {
    const { media, shown } = await showToModel(store, attached, { sessionId, output, model });
    const dataBytes = media.reduce((sum, { data }) => sum + data.length, 0);
    return { output, media, dataBytes, shown };
  }
  const hashes = [...new Set(attached.map(({ source }) => source.hash))];
  const found = await store.readAttachments({ sessionId, hashes, bytesMax: limits.inlineBytes });
  const dataOf = new Map(found.map(({ hash, bytes }) => [hash, base64Of(bytes)]));
  const dataBytes = attached.reduce((sum, { source }) => sum + (dataOf.get(source.hash)?.length ?? 0), textBytes);
  return { output: inlined(output, dataOf), media: noMedia, dataBytes, shown: nothing };
}

/** Many short ones are serialized faster at once. */
const longTextChars = 64 * 1024;

function longTextsIn(messages: readonly Message[]): number {
  let chars = 0;
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'text' && block.text.length >= longTextChars) chars += block.text.length;
    }
  }
  return chars;
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
  return withAttachments(output, (_, source) => {
    const data = dataOf.get(source.hash);
    return data === undefined ? source : asData(source, data);
  });
}

/** What a model sees it need not fetch. */
export function withoutFetch(output: Output, shown: ReadonlySet<string>): Output {
  if (shown.size === 0) return output;
  return withAttachments(output, (messageId, { fetch, ...source }) =>
    fetch === undefined || shown.has(placeOf(messageId, source)) ? source : { ...source, fetch },
  );
}

/** Numbered across all media of a message. */
function placeOf(messageId: string, { index }: Pick<AttachmentSource, 'index'>): string {
  return `${index} of message ${messageId}`;
}

function withAttachments(output: Output, change: (messageId: string, source: AttachmentSource) => MediaSource): Output {
  const whole = (message: Message): Message => ({
    ...message,
    content: [
      ...withSources(message.content, (source) => (source.type === 'attachment' ? change(message.id, source) : source)),
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

/** The first images and sounds that fit, each once, by hash; its label names every place. MCP has no video content. */
async function showToModel(
  store: AttachmentStore,
  attached: readonly Attached[],
  { sessionId, output, model }: { sessionId: string; output: Output; model: ModelReader },
): Promise<Pick<Shown, 'media' | 'shown'>> {
  let tokens = model.tokensMax - answerFrameTokens - tokensAtMost(JSON.stringify(output));
  let bytes = limits.shownBytes;
  const chosen = new Map<string, { type: 'image' | 'audio'; source: AttachmentSource; places: string[] }>();
  for (const { messageId, type, source } of attached) {
    if (type === 'video') continue;
    const place = placeOf(messageId, source);
    const before = chosen.get(source.hash);
    if (before !== undefined && before.type !== type) continue;
    const cost = labelTokens + (before === undefined ? shownTokens(type, source.bytes) : 0);
    if (cost > tokens || (before === undefined && source.bytes > bytes)) continue;
    tokens -= cost;
    if (before === undefined) {
      bytes -= source.bytes;
      chosen.set(source.hash, { type, source, places: [place] });
    } else before.places.push(place);
  }
  if (chosen.size === 0) return { media: noMedia, shown: nothing };
  const found = await store.readAttachments({ sessionId, hashes: [...chosen.keys()], bytesMax: limits.shownBytes });
  const media: ShownMedia = [];
  const shown = new Set<string>();
  for (const { hash, bytes: data } of found) {
    const one = chosen.get(hash);
    if (one === undefined) continue;
    const { type, source, places } = one;
    const label = `${places.map((place) => `${type} ${place}`).join(', ')}:`;
    media.push({ label, type, mimeType: source.mediaType, data: base64Of(data) });
    for (const place of places) shown.add(place);
  }
  return { media, shown };
}

const labelTokens = 20;
