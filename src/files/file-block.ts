// Reads a media file of this machine into a content block. The only code that opens a file for a message.
import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { mediaExtensions } from '../contract/content/media-types.js';
import type { MediaBlock } from '../contract/content-block.js';
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import { AudioBlock, Base64Source, ImageBlock, VideoBlock } from '../contract/msg/blocks.js';
import { mediaTypeOf } from './media-type-of.js';

export interface FileOptions {
  /** Refuses files outside of this folder, links resolved. Paths are relative to it. */
  folder?: string | undefined;
  bytesMax?: number | undefined;
}

/** An image, audio or video file, by its path or `file:` URL. The data is in the block; the hub gets no path. */
export async function fileBlock(file: string | URL, options: FileOptions = {}): Promise<MediaBlock> {
  const { folder, bytesMax = limits.attachmentBytes } = options;
  const path = resolve(folder ?? '.', pathOf(file));
  const opened = folder === undefined ? await openFile(path) : await openInside(folder, path);
  const content = await readAndClose(opened, path, bytesMax);
  const mediaType = mediaTypeOf(path, content);
  const kind = [ImageBlock, AudioBlock, VideoBlock].find(({ type }) => mediaType?.startsWith(`${type}/`));
  if (kind === undefined || mediaType === undefined) {
    throw new HubError('INVALID_INPUT', `'${path}' is no image, audio or video.`, {
      hint: `Known by their extension: ${mediaExtensions.join(' ')}. Send the text of a text file.`,
    });
  }
  return kind.of(Base64Source.of(mediaType, content.toString('base64')));
}

/** What Linux accepts; other systems refuse what is too long for them. */
const pathCharsMax = 4_096;

function pathOf(file: string | URL): string {
  if (String(file).length > pathCharsMax) {
    throw new HubError('INVALID_INPUT', `A path has at most ${pathCharsMax} characters.`, { hint: 'Give a path.' });
  }
  if (typeof file === 'string' && !/^file:/i.test(file)) return file;
  try {
    return fileURLToPath(file);
  } catch (cause) {
    throw new HubError('INVALID_INPUT', `'${String(file)}' names no file of this machine.`, {
      hint: 'Give a path.',
      cause,
    });
  }
}

/** What is opened is checked as well: a link may have been put in its way since the path was checked. */
async function openInside(folder: string, path: string): Promise<FileHandle> {
  const real = await insideOf(folder, path);
  const file = await openFile(real, constants.O_NOFOLLOW);
  try {
    // Linux knows where an open file is.
    const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => real);
    await insideOf(folder, place);
    const [opened, found] = await Promise.all([file.stat({ bigint: true }), stat(place, { bigint: true })]);
    if (opened.ino === found.ino && opened.dev === found.dev) return file;
    throw new Error('it was replaced while it was opened');
  } catch (cause) {
    await file.close();
    throw cause instanceof HubError ? cause : unreadable(path, cause);
  }
}

/** The file itself, with all links followed: a link must not lead outside. */
async function insideOf(folder: string, path: string): Promise<string> {
  const [root, file] = await Promise.all([realpath(folder), realpath(path)]).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  const way = relative(root, file);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return file;
  throw new HubError('FORBIDDEN', `'${path}' is outside of '${root}'.`, {
    hint: 'Copy the file into that folder first.',
  });
}

/** Windows has none of these flags; undefined counts as 0. Opening a pipe would otherwise wait for its writer. */
async function openFile(path: string, flags = 0): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
}

async function readAndClose(file: FileHandle, path: string, bytesMax: number): Promise<Buffer> {
  try {
    const found = await file.stat();
    if (!found.isFile())
      throw new HubError('INVALID_INPUT', `'${path}' is not a regular file.`, { hint: 'Give a file.' });
    // A file that grows is read no further than one byte too many.
    const content =
      found.size > bytesMax ? undefined : await buffer(file.createReadStream({ end: bytesMax, autoClose: false }));
    if (content === undefined || content.length > bytesMax) {
      throw new HubError('TOO_LARGE', `'${path}' has more than ${bytesMax} bytes.`, { hint: 'Send a smaller file.' });
    }
    if (content.length === 0)
      throw new HubError('INVALID_INPUT', `'${path}' is empty.`, { hint: 'Give another file.' });
    return content;
  } finally {
    await file.close();
  }
}

function unreadable(path: string, cause: unknown): HubError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HubError('INVALID_INPUT', `'${path}' cannot be read.`, { hint: `Check the path: ${why}.`, cause });
}
