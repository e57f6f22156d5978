// --attach: reads a local file, on the sender's machine, into a content block.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { usage } from './usage.js';

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

export async function attachmentBlocks(path: string): Promise<Record<string, unknown>[]> {
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (mediaType === undefined) {
    throw usage(`--attach was given '${path}'.`, `Allowed: ${Object.keys(mediaTypes).join(' ')}. Pipe a text file in.`);
  }
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw usage(`--attach: cannot read '${path}'.`, cause instanceof Error ? cause.message : String(cause));
  });
  const source = { type: 'base64', mediaType, data: bytes.toString('base64') };
  return [{ type: mediaType.replace(/\/.*/, ''), source }];
}
