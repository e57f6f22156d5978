// Notes in the database that a hub runs on it, and since which start of the machine. A run that did not end properly and
// was followed by another start of the machine may have ended in a power cut: commits without fsync may be lost. A process
// that was killed loses no commit.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { doubtAllCopies } from '../inbox/doubtful-copies.js';
import { commit } from './commit.js';
import { isBusy, isFull, isIoError } from './result-code.js';
import type { Tx } from './transaction.js';

const markerName = 'open run';
/** Between two readings of the same start, where it is computed from the clock. A wrong guess costs needless marks. */
const toleranceMs = 10_000;

/** Identifies a start of the machine: a number of the kernel on Linux, elsewhere the time of the start. */
export function bootMark(): number {
  try {
    const id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return Number.parseInt(id.replaceAll('-', '').slice(0, 13), 16);
  } catch {
    return Math.round(Date.now() - uptime() * 1_000);
  }
}

/**
 * With fsync, before anything is handed out. False if the disk refused it: the hub starts without the note, and tries
 * again before each batch of writes. A start that has to mark copies fails then: they would come unmarked.
 */
export function beginRun(tx: Tx, boot: number): boolean {
  // uses watermark's key
  const before = tx.get<{ n: number }>('select n from watermark where name = ?', [markerName])?.n;
  if (before === boot) return true;
  const isDoubtful = before !== undefined && Math.abs(before - boot) > toleranceMs;
  try {
    tx.control('begin immediate');
    if (isDoubtful) doubtAllCopies(tx);
    tx.run('insert into watermark (name, n) values (?, ?) on conflict (name) do update set n = excluded.n', [
      markerName,
      boot,
    ]);
    commit(tx);
    return true;
  } catch (error) {
    if (tx.isOpen) tx.control('rollback');
    if (isDoubtful || !(isFull(error) || isIoError(error) || isBusy(error))) throw error;
    return false;
  }
}

/** With fsync, which covers all commits before it. Where it cannot be written the run counts as not ended, which costs marks. */
export function endRun(tx: Tx): void {
  try {
    tx.run('delete from watermark where name = ?', [markerName]);
  } catch (error) {
    if (!isFull(error) && !isIoError(error)) throw error;
  }
}
