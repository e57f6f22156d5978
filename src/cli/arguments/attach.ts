// --attach: reads a local file, on the sender's machine, into a content block.
import type { ContentBlock } from '../../contract/content-block.js';
import { HubError } from '../../contract/errors.js';
import { fileBlock } from '../../files/file-block.js';
import { usage } from './usage.js';

export async function attachedBlock(path: string): Promise<ContentBlock> {
  try {
    return await fileBlock(path);
  } catch (error) {
    throw error instanceof HubError ? usage(`--attach: ${error.message}`, error.hint) : error;
  }
}
