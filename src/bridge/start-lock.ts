// A lock file that lets one bridge start a hub while others wait, so that bridges which search at the same time do not
// start many. Only an optimization: the folder's own lock ensures that a single hub runs.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './is-alive.js';

/** Longer than any start takes. A pid alone is no proof: after a reboot it may belong to another process. */
const lockMsMax = 10_000;

export class StartLock {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'hub.starting');
  }

  /** True while another bridge is starting a hub. The lock of a dead bridge is removed. */
  isHeldByOther(): boolean {
    try {
      const ageMs = Date.now() - statSync(this.#file).mtimeMs;
      const pid = Number(readFileSync(this.#file, 'utf8'));
      // An empty file is still being written.
      if (Math.abs(ageMs) < lockMsMax && (pid === 0 || (pid !== process.pid && isAlive(pid)))) return true;
      this.release();
    } catch {
      // Not locked.
    }
    return false;
  }

  acquire(): boolean {
    try {
      writeFileSync(this.#file, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }
}
