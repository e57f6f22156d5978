// Images, audio and video: which form a source has, and the short text for one that a provider cannot take. Nothing here
// opens a file or a URL.
import type { JsonObject, MediaBlock, TextBlock } from './said.js';

export type Source =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'elsewhere'; readonly what: string };

const dataUrl = /^data:([^;,\s]+)(?:;[^;,\s]+)*;base64,([A-Za-z0-9+/=]*)$/i;

/** A `data:` URL is base64; a URL that only the sender's machine can open is elsewhere, as is a source not known here. */
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
    return { type: 'elsewhere', what: /^data:/i.test(url) ? 'data URL' : url };
  }
  return { type: 'elsewhere', what: kept(source) };
}

/** What the hub keeps and does not show here: its type, its size, and the call that fetches it. */
function kept({ mediaType, bytes, fetch }: JsonObject): string {
  const size = typeof bytes === 'number' ? `${Math.ceil(bytes / 1024)} KB` : '';
  return [mediaType, size, fetch].filter((word) => typeof word === 'string' && word !== '').join(', ') || 'not shown';
}

export function isMedia(block: { readonly type: string }): block is MediaBlock {
  return block.type === 'image' || block.type === 'audio' || block.type === 'video';
}

const titles = { image: 'Image', audio: 'Audio', video: 'Video' } as const;

/** `[Image]`: its place in a text, when the medium itself follows behind. */
export function placeOf(block: MediaBlock): string {
  return `[${titles[block.type]}]`;
}

/** A medium that cannot be sent, in a few words. */
export function shortText(block: MediaBlock): TextBlock {
  const source = sourceOf(block);
  const title = titles[block.type];
  if (source.type === 'base64')
    return { type: 'text', text: `[${title}: ${source.mediaType}, ${sizeOf(source.data)}]` };
  const isUrl = source.type === 'url' || /^[a-z][a-z0-9+.-]*:\/\//i.test(source.what);
  const what = source.type === 'url' ? source.url : source.what;
  return { type: 'text', text: isUrl ? `[${title} URL: ${what}]` : `[${title}: ${what}]` };
}

/** The same for a medium that a tool returned. */
export function returnedText(block: MediaBlock): string {
  const source = sourceOf(block);
  if (source.type === 'url') return `The returned ${block.type} can be found at: ${source.url}`;
  return shortText(block).text;
}

function sizeOf(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
}

export function asDataUrl(source: { mediaType: string; data: string }): string {
  return `data:${source.mediaType};base64,${source.data}`;
}

const typesByEnding: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mpeg: 'video/mpeg',
};

/** The type that a URL's ending stands for. */
export function mediaTypeOfUrl(url: string): string | undefined {
  const ending = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return typesByEnding[ending];
}

/** Images that every provider with image input reads. */
const plainImages = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp']);

export function isPlainImage(block: MediaBlock): boolean {
  const source = sourceOf(block);
  if (block.type !== 'image' || source.type === 'elsewhere') return false;
  return source.type === 'url' || plainImages.has(source.mediaType.toLowerCase());
}
