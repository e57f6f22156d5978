// How often a command may be started: an hourly budget, and a growing pause after failures. Kept in a file, so that a companion
// that is started again does not start anew.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeDataFolder, replaceFile } from '../../store/sqlite/writer/data-folder.js';

const paceFile = z.object({
  /** When commands were started, oldest first, of the last hour. */
  starts: z.array(z.number()),
  /** In a row. */
  failures: z.number(),
  failedAt: z.number(),
});

type Pace = z.output<typeof paceFile>;

export interface Pause {
  readonly why: string;
  /** Undefined if a person has to end it. */
  readonly until?: Date;
}

const hourMs = 3_600_000;
const firstPauseMs = 5_000;
const longestPauseMs = 15 * 60_000;
const doublingsMax = 16;

export function readPace(file: string): Pace {
  try {
    return paceFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // None yet, or damaged: it only paces.
    return { starts: [], failures: 0, failedAt: 0 };
  }
}

export function noteStart(file: string, now: number): void {
  const pace = readPace(file);
  write(file, { ...pace, starts: [...pace.starts.filter((at) => at > now - hourMs), now] });
}

export function noteEnd(file: string, { isFailed, now }: { isFailed: boolean; now: number }): void {
  const pace = readPace(file);
  write(file, isFailed ? { ...pace, failures: pace.failures + 1, failedAt: now } : { ...pace, failures: 0 });
}

/** What is to wait for before the next command. */
export function pauseOf(pace: Pace, { perHour, now }: { perHour: number; now: number }): Pause | undefined {
  const recent = pace.starts.filter((at) => at > now - hourMs && at <= now);
  const counted = recent[recent.length - perHour];
  if (counted !== undefined) {
    return { why: `${perHour} commands were started within an hour`, until: new Date(counted + hourMs) };
  }
  const until = pace.failedAt + pauseMsAfter(pace.failures);
  // A clock that was set back must not make it longer.
  if (pace.failures === 0 || until <= now || pace.failedAt > now) return undefined;
  const times = pace.failures === 1 ? 'failed' : `failed ${pace.failures} times`;
  return { why: `the command ${times}`, until: new Date(until) };
}

function pauseMsAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(doublingsMax, failures - 1));
}

function write(file: string, pace: Pace): void {
  makeDataFolder(dirname(file));
  replaceFile(file, `${JSON.stringify(pace)}\n`);
}
