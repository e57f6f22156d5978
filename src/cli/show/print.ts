// Writes to stdout and resolves when it is written: only then may a message count as read.
import { printableJson } from './printable.js';

/** The reader closed the pipe, as `head` does: no error, but nothing more to print. */
export class OutputClosed extends Error {}

/** A write failed, e.g. on a full disk. */
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

/** One document: indented on a terminal, on one line otherwise. */
export function printJson(value: unknown): Promise<void> {
  return print(`${printableJson(value, process.stdout.isTTY ? 2 : undefined)}\n`);
}

/** One line of JSON, for streams of them. */
export function printJsonLine(value: unknown): Promise<void> {
  return print(`${printableJson(value)}\n`);
}

/** A notice on stderr, for people. */
export function printNotice(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Write errors are reported to the callback; without a listener the stream's error event would end the process. */
export function ignoreStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
