// Asks the disk whether it takes a write, by writing: a quota is in no statistics of the file system.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

const { ENOSPC, EDQUOT } = constants.errno;
const fullErrnos = [ENOSPC, EDQUOT];
const roomMin = 256 * 1024;

/** Null if there is room for `bytes` and a little more. */
export function whyNoRoom(folder: string, bytes = 0): 'STORE_FULL' | 'STORE_FAILED' | null {
  const path = join(folder, `hub.room.${randomUUID()}`);
  let file: number | undefined;
  try {
    file = openSync(path, 'wx', 0o600);
    const part = Buffer.alloc(64 * 1024);
    for (let written = 0; written < roomMin + bytes;) written += writeSync(file, part);
    fsyncSync(file);
    return null;
  } catch (error) {
    // By number: Node has no name for EDQUOT.
    const errno = error instanceof Error && 'errno' in error ? -Number(error.errno) : 0;
    return fullErrnos.includes(errno) ? 'STORE_FULL' : 'STORE_FAILED';
  } finally {
    if (file !== undefined) closeSync(file);
    rmSync(path, { force: true });
  }
}
