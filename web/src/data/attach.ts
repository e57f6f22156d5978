// Files as content blocks: pictures, sound and video as they are, text as text. The hub checks all of it again.
import type { ContentBlock } from '../../../src/contract/content-block.js';
import { mediaTypeByExtension } from '../../../src/contract/content/media-types.js';

/** The hub's own limits: of one attachment, and of a message's text, which others may have set lower. */
const mediaBytesMax = 8 * 1024 * 1024;
const textBytesMax = 200 * 1024;
/** So that the page's memory holds them twice. */
const allBytesMax = 24 * 1024 * 1024;
const filesMax = 10;

export interface Attached {
  name: string;
  bytes: number;
  block: ContentBlock;
}

/** Those that are attached, and why others are not. */
export async function attachFiles(
  before: readonly Attached[],
  files: readonly File[],
): Promise<{ attached: readonly Attached[]; fault: string | undefined }> {
  const attached = [...before];
  const faults: string[] = [];
  for (const file of files) {
    const bytes = attached.reduce((sum, each) => sum + each.bytes, file.size);
    if (attached.length >= filesMax) faults.push(`At most ${filesMax} files go with one message.`);
    else if (bytes > allBytesMax) faults.push(`${file.name}: together they would have more than 24 MB.`);
    else {
      const block = await blockOf(file);
      if (typeof block === 'string') faults.push(`${file.name}: ${block}`);
      else attached.push({ name: file.name, bytes: file.size, block });
    }
  }
  return { attached, fault: faults[0] };
}

/** Or why it cannot be sent. */
async function blockOf(file: File): Promise<ContentBlock | string> {
  if (file.size === 0) return 'it is empty.';
  const mediaType = file.type === '' ? (mediaTypeByExtension(file.name) ?? '') : file.type;
  const kind = (['image', 'audio', 'video'] as const).find((each) => mediaType.startsWith(`${each}/`));
  try {
    if (kind === undefined) return await textOf(file);
    if (file.size > mediaBytesMax) return 'it has more than 8 MB.';
    return { type: kind, source: { type: 'base64', mediaType, data: await base64Of(file) } };
  } catch {
    return 'it could not be read.';
  }
}

async function textOf(file: File): Promise<ContentBlock | string> {
  if (file.size > textBytesMax) return 'text has at most 200 KB.';
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return 'only pictures, sound, video and text can be sent.';
  }
  // Longer than any in it: the text must not end the block that it stands in.
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return { type: 'text', text: `${file.name}\n\n${fence}\n${text}\n${fence}` };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('not read')));
    reader.readAsDataURL(file);
  });
}
