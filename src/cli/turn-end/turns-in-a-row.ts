// How often the turn of a client's session was continued in a row: clients say that it was, not how often.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../store/sqlite/writer/data-folder.js';
import { shortHash, wakeFolder } from '../wake/wake-folder.js';

const filesMax = 100;
const keptMs = 86_400_000;

const folder = () => join(wakeFolder(), 'turns');
const fileOf = (session: string) => join(folder(), shortHash(session));

export function timesInARow(session: string): number {
  try {
    const count = Number(readFileSync(fileOf(session), 'utf8'));
    // A damaged file must not start the count anew.
    return Number.isInteger(count) && count >= 0 ? count : Infinity;
  } catch {
    return 0;
  }
}

export function noteTimesInARow(session: string, count: number): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  replaceFile(fileOf(session), String(count));
  forgetOld();
}

function forgetOld(): void {
  const names = readdirSync(folder());
  if (names.length <= filesMax) return;
  for (const name of names) {
    const found = statSync(join(folder(), name), { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < Date.now() - keptMs) rmSync(join(folder(), name), { force: true });
  }
}
