// Reads lines while other text is printed. On a terminal the line being typed stays below what is printed; anywhere else
// lines are read and printed as they come.
import { createInterface } from 'node:readline';
import { print, printNotice } from './print.js';
import { widthOf } from './text-width.js';

export interface PromptLine {
  /** Ends with Ctrl-D, or with the input. */
  readonly lines: AsyncIterator<string>;
  /** Aborts with Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Above the line being typed. */
  printAbove(text: string): Promise<void>;
  /** A remark, which is no part of the output. */
  notice(text: string): Promise<void>;
  close(): void;
}

export function openPromptLine(prompt: string): PromptLine {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && process.env['TERM'] !== 'dumb';
  return isTerminal ? onTerminal(prompt) : lineByLine();
}

function lineByLine(): PromptLine {
  const reader = createInterface({ input: process.stdin, terminal: false, crlfDelay: Infinity });
  return {
    // Made at once: lines that arrive before they are asked for would be lost.
    lines: reader[Symbol.asyncIterator](),
    // Without a raw terminal Ctrl-C is a signal, which ends the process.
    interrupted: new AbortController().signal,
    printAbove: (text) => print(`${text}\n`),
    notice: async (text) => printNotice(text),
    close: () => reader.close(),
  };
}

const clearBelow = '\u001b[J';
const up = (rows: number) => (rows === 0 ? '' : `\u001b[${rows}A`);
const right = (columns: number) => (columns === 0 ? '' : `\u001b[${columns}C`);

function onTerminal(prompt: string): PromptLine {
  const reader = createInterface({ input: process.stdin, output: process.stdout, prompt, terminal: true });
  const interruption = new AbortController();
  reader.on('SIGINT', () => interruption.abort());
  // A posted line comes back as a message, so what was typed is removed.
  reader.on('line', (line) => {
    process.stdout.write(`${up(rowsBelow(`${prompt}${line}`) + 1)}\r${clearBelow}`);
    reader.prompt();
  });
  reader.prompt();
  const printAbove = (text: string) => {
    const cursor = reader.getCursorPos();
    const line = `${prompt}${reader.line}`;
    // A full row leaves the cursor in its last column; the space makes the next row.
    const drawn = `${line} \r${up(rowsBelow(line) - cursor.rows)}${right(cursor.cols)}`;
    return print(`${up(cursor.rows)}\r${clearBelow}${text}\n${drawn}`);
  };
  return {
    lines: reader[Symbol.asyncIterator](),
    interrupted: interruption.signal,
    printAbove,
    notice: printAbove,
    close() {
      process.stdout.write(`${up(reader.getCursorPos().rows)}\r${clearBelow}`);
      reader.close();
    },
  };
}

const tabColumns = 8;

/** In which row below its first one a line ends. */
function rowsBelow(line: string): number {
  const columns = widthOf(line.replaceAll('\t', ' '.repeat(tabColumns)));
  return Math.floor(columns / Math.max(1, process.stdout.columns));
}
