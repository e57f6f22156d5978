// Whose turn it is to start a hub, so that bridges that look at the same moment start one and not many. Only a
// courtesy: the folder's lock is what lets a single hub live, also when two bridges think it is their turn.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './is-alive.js';

/** Longer than any start takes. A pid alone proves little: after a restart it may be another process's. */
const turnMsMax = 10_000;

export class StartTurn {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'hub.starting');
  }

  /** True while another bridge is starting a hub. The turn of one that died is void. */
  isTaken(): boolean {
    try {
      const ageMs = Date.now() - statSync(this.#file).mtimeMs;
      const pid = Number(readFileSync(this.#file, 'utf8'));
      // A file with no number in it yet is just being written.
      if (Math.abs(ageMs) < turnMsMax && (pid === 0 || (pid !== process.pid && isAlive(pid)))) return true;
      this.end();
    } catch {
      // Nobody's turn.
    }
    return false;
  }

  take(): boolean {
    try {
      writeFileSync(this.#file, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  }

  end(): void {
    rmSync(this.#file, { force: true });
  }
}
