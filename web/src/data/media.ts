// Images and other data of messages. Large ones are fetched when they are seen, so that the page's memory does not hold them.
import type { MediaSource } from '../../../src/contract/content-block.js';
import { asAttachment, withSources } from '../../../src/contract/content/media.js';
import { call } from './api.js';
import type { Message } from './types.js';

/** Of base64 that a message may carry in the page's memory. */
const charsMax = 32_000;

export function withoutLargeData(message: Message): Message {
  let attachments = 0;
  const content = withSources(message.content, (source) => {
    if (source.type === 'url') return source;
    const index = attachments++;
    if (source.type !== 'base64' || source.data.length <= charsMax) return source;
    return asAttachment(source, { hash: '', bytes: Math.floor((source.data.length * 3) / 4), index });
  });
  return content === message.content ? message : { ...message, content: [...content] };
}

/** As a `data:` address; only kinds of pictures that cannot contain a script. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

export function isShownImage(mediaType: string): boolean {
  return shownTypes.has(mediaType);
}

export async function readImage(messageId: string, source: MediaSource): Promise<string | undefined> {
  if (source.type === 'url' || !isShownImage(source.mediaType)) return undefined;
  if (source.type === 'base64') return `data:${source.mediaType};base64,${source.data}`;
  const { data } = await call<{ data?: string }>('get_attachment', { messageId, index: source.index });
  return data === undefined ? undefined : `data:${source.mediaType};base64,${data}`;
}
