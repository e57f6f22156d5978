// The media type of a file's content. Its first bytes decide, because a provider refuses a whole request for one
// picture whose type is wrong; the extension decides where they are unknown.
import { mediaTypeByExtension } from '../contract/content/media-types.js';

interface Signature {
  readonly mediaType: string;
  readonly at: number;
  /** Latin-1. */
  readonly bytes: string;
}

const signatures: readonly Signature[] = [
  { mediaType: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { mediaType: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { mediaType: 'image/gif', at: 0, bytes: 'GIF8' },
  { mediaType: 'image/webp', at: 8, bytes: 'WEBP' },
  { mediaType: 'image/heic', at: 4, bytes: 'ftyphei' },
  { mediaType: 'audio/wav', at: 8, bytes: 'WAVE' },
  { mediaType: 'audio/mpeg', at: 0, bytes: 'ID3' },
  { mediaType: 'audio/ogg', at: 0, bytes: 'OggS' },
  { mediaType: 'audio/flac', at: 0, bytes: 'fLaC' },
  { mediaType: 'audio/mp4', at: 4, bytes: 'ftypM4A' },
  { mediaType: 'video/quicktime', at: 4, bytes: 'ftypqt' },
  { mediaType: 'video/mp4', at: 4, bytes: 'ftyp' },
  { mediaType: 'video/webm', at: 0, bytes: '\x1a\x45\xdf\xa3' },
];

export function mediaTypeOf(path: string, content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1');
  return signatures.find(({ at, bytes }) => start.startsWith(bytes, at))?.mediaType ?? mediaTypeByExtension(path);
}
