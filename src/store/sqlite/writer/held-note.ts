// A file that says whether leases of this hub are held in memory only. If the process ends then, the next start cannot know
// which copies were handed out, and marks them all.
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { refuseLink } from './data-folder.js';

const fileName = 'hub.held';

export class HeldNote {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  /** Written in place, which takes no room: the byte was there before. False if even that fails. */
  set(isHeld: boolean): boolean {
    try {
      writeSync(this.#file, isHeld ? '1' : '0', 0);
      fdatasyncSync(this.#file);
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Its state is that of the run before, until it is set. */
export function openHeldNote(folder: string): { note: HeldNote; wasHeld: boolean } {
  const path = join(folder, fileName);
  refuseLink(path);
  // Not with 'w', which would empty it, and 'a' writes only at its end.
  closeSync(openSync(path, 'a', 0o600));
  const wasHeld = readFileSync(path, 'utf8').startsWith('1');
  const note = new HeldNote(openSync(path, 'r+'));
  if (!wasHeld) note.set(false);
  return { note, wasHeld };
}
