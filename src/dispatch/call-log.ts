// One log line per call, up to so many in a second. What is beyond that is counted, and one line says how many there were.
import type { Clock } from '../ports/clock.js';
import type { Log, LogFields } from '../ports/log.js';

/** A line has about 200 bytes: at most 20 KB a second. */
const linesPerSecond = 100;
const secondMs = 1_000;
/** Callers choose the names of operations that do not exist. */
const kindsMax = 100;
const otherKind = 'others';

export interface CallLine extends LogFields {
  operation: string;
  code: string;
}

export class CallLog {
  readonly #log: Log;
  readonly #clock: Clock;
  #startedAt = -Infinity;
  #written = 0;
  readonly #leftOut = new Map<string, number>();

  constructor({ log, clock }: { log: Log; clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
  }

  write(line: CallLine): void {
    const now = this.#clock.monotonic();
    if (now - this.#startedAt >= secondMs) {
      this.#startedAt = now;
      this.#written = 0;
    }
    this.#written += 1;
    if (this.#log.isDebug === true || this.#written <= linesPerSecond) return this.#log.info('operation', line);
    return this.#count(line);
  }

  #count({ operation, code }: CallLine): void {
    const kind = `${operation} ${code}`;
    const counted = this.#leftOut.has(kind) || this.#leftOut.size < kindsMax ? kind : otherKind;
    if (this.#leftOut.size === 0) this.#clock.after(secondMs, () => this.#report());
    this.#leftOut.set(counted, (this.#leftOut.get(counted) ?? 0) + 1);
  }

  #report(): void {
    const calls = [...this.#leftOut.values()].reduce((sum, count) => sum + count, 0);
    this.#log.info('operations left out', { calls, ...Object.fromEntries(this.#leftOut) });
    this.#leftOut.clear();
  }
}
