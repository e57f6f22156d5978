// Writes to stdout and says when it is out: only then may a message count as read.
import { printableJson } from './printable.js';

/** The reader of our output went away, as `head` does: no failure, but nothing more to do. */
export class OutputClosed extends Error {}

/** What was to be written could not be, e.g. on a full disk. */
export class OutputFailed extends Error {}

export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else if ('code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'))
        reject(new OutputClosed());
      else reject(new OutputFailed(error.message));
    });
  });
}

export function printLines(lines: readonly string[]): Promise<void> {
  return print(lines.map((line) => `${line}\n`).join(''));
}

/** One document: spread out for a person's eyes, on one line for a program. */
export function printJson(value: unknown): Promise<void> {
  return print(`${printableJson(value, process.stdout.isTTY ? 2 : undefined)}\n`);
}

/** One line of JSON, for those that print one after the other. */
export function printJsonLine(value: unknown): Promise<void> {
  return print(`${printableJson(value)}\n`);
}

/** A remark beside the output, for a person who watches. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The failure of a write comes to its callback; unheard, the stream's own event would end the process with a trace. */
export function ignoreStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
