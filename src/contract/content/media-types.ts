// The media type of a file, from its extension.

const typesByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mpeg: 'video/mpeg',
};

export const mediaExtensions = Object.keys(typesByExtension);

/** Of a path or URL; undefined if the extension is not one of `mediaExtensions`. */
export function mediaTypeByExtension(name: string): string | undefined {
  const end = name.search(/[?#]/);
  const path = end < 0 ? name : name.slice(0, end);
  const extension = extensionOf(path) ?? extensionOf(name) ?? '';
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
}

/** Only the end of a name is read: a URL may have 256 KB. */
function extensionOf(path: string): string | undefined {
  return /\.([a-z0-9]{1,10})$/i.exec(path.slice(-11))?.[1]?.toLowerCase();
}
