// Keeps the log of a background hub from growing without bound. Its stderr is that file, opened for appending: the file is
// copied and emptied in place, because Node cannot give a process another stderr.
import { copyFileSync, fstatSync, ftruncateSync, renameSync, statSync } from 'node:fs';

const stderr = 2;
/** Older files: hub.log.1 is the newest of them. */
const keptFiles = 3;

export interface RotateOptions {
  path: string;
  bytesMax: number;
  write: (text: string) => void;
}

/** `write`, with a rotation before the file would grow beyond the bound. */
export function rotating({ path, bytesMax, write }: RotateOptions): (text: string) => void {
  if (bytesMax === 0 || !isStderr(path)) return write;
  let bytes = fstatSync(stderr).size;
  return (text) => {
    const added = Buffer.byteLength(text);
    if (bytes > 0 && bytes + added > bytesMax) bytes = rotate(path) ? 0 : bytes;
    bytes += added;
    write(text);
  };
}

/** A hub in the foreground, or under a supervisor, writes elsewhere: what keeps its log rotates it. */
function isStderr(path: string): boolean {
  try {
    const [file, own] = [statSync(path), fstatSync(stderr)];
    return own.isFile() && file.ino === own.ino && file.dev === own.dev;
  } catch {
    return false;
  }
}

/** False if the disk is full: then it is tried again with the next line. */
function rotate(path: string): boolean {
  try {
    for (let age = keptFiles - 1; age > 0; age--) renameIfThere(`${path}.${age}`, `${path}.${age + 1}`);
    copyFileSync(path, `${path}.1`);
    ftruncateSync(stderr, 0);
    return true;
  } catch {
    return false;
  }
}

function renameIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
