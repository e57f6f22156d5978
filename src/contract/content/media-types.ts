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
  const [path = ''] = name.split(/[?#]/, 1);
  const extension = extensionOf(path) ?? extensionOf(name) ?? '';
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
}

function extensionOf(path: string): string | undefined {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
}
