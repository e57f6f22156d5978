// Images, audio and video: the kind of their source, and the text that replaces unsupported media. Opens no file and
// fetches no URL.
import type { JsonObject, MediaBlock, TextBlock } from './turn.js';

export type Source =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'unavailable'; readonly what: string };

const dataUrl = /^data:([^;,\s]+)(?:;[^;,\s]+)*;base64,([A-Za-z0-9+/=]*)$/i;

/** A `data:` URL is base64. Local URLs and unknown sources are unavailable. */
export function sourceOf(block: MediaBlock): Source {
  const source: JsonObject = { ...block.source };
  const { url, mediaType, data } = source;
  if (source['type'] === 'base64' && typeof mediaType === 'string' && typeof data === 'string') {
    return { type: 'base64', mediaType, data };
  }
  if (source['type'] === 'url' && typeof url === 'string') {
    if (/^https?:\/\//i.test(url)) return { type: 'url', url };
    const [, type, bytes] = (/^data:/i.test(url) ? dataUrl.exec(url) : null) ?? [];
    if (type !== undefined && bytes !== undefined) return { type: 'base64', mediaType: type, data: bytes };
    return { type: 'unavailable', what: /^data:/i.test(url) ? 'data URL' : url };
  }
  return { type: 'unavailable', what: attachmentText(source) };
}

/** Describes an attachment stored by the hub: its type, its size, and the call that fetches it. */
function attachmentText({ mediaType, bytes, fetch }: JsonObject): string {
  const size = typeof bytes === 'number' ? `${Math.ceil(bytes / 1024)} KB` : '';
  return [mediaType, size, fetch].filter((part) => typeof part === 'string' && part !== '').join(', ') || 'not shown';
}

export function isMedia(block: { readonly type: string }): block is MediaBlock {
  return block.type === 'image' || block.type === 'audio' || block.type === 'video';
}

const titles = { image: 'Image', audio: 'Audio', video: 'Video' } as const;

/** `[Image]`: marks its position in a text when the media itself follows the text. */
export function mediaPlaceholder(block: MediaBlock): string {
  return `[${titles[block.type]}]`;
}

/** A short text in place of unsupported media. */
export function mediaText(block: MediaBlock): TextBlock {
  const source = sourceOf(block);
  const title = titles[block.type];
  if (source.type === 'base64')
    return { type: 'text', text: `[${title}: ${source.mediaType}, ${sizeOf(source.data)}]` };
  const isUrl = source.type === 'url' || /^[a-z][a-z0-9+.-]*:\/\//i.test(source.what);
  const what = source.type === 'url' ? source.url : source.what;
  return { type: 'text', text: isUrl ? `[${title} URL: ${what}]` : `[${title}: ${what}]` };
}

/** The same for media in a tool result. */
export function returnedMediaText(block: MediaBlock): string {
  const source = sourceOf(block);
  if (source.type === 'url') return `The returned ${block.type} can be found at: ${source.url}`;
  return mediaText(block).text;
}

function sizeOf(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
}

export function asDataUrl(source: { mediaType: string; data: string }): string {
  return `data:${source.mediaType};base64,${source.data}`;
}

/** Image types that every provider with image input supports. */
const plainImages = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp']);

export function isPlainImage(block: MediaBlock): boolean {
  const source = sourceOf(block);
  if (block.type !== 'image' || source.type === 'unavailable') return false;
  return source.type === 'url' || plainImages.has(source.mediaType.toLowerCase());
}
