// A text that a command sends: its argument, or stdin with `-` or a pipe.
import type { Given } from './read-args.js';
import { isPiped, readStdin } from './read-stdin.js';
import { usage } from './usage.js';

export interface WantedText {
  command: string;
  /** The contract's field, which has a flag too. */
  field: string;
  /** As in "the question". */
  what: string;
  example: string;
}

export async function readText({ positionals: [argument], fields }: Given, wanted: WantedText): Promise<unknown> {
  const { command, field, what, example } = wanted;
  const typed = argument ?? fields[field];
  if (argument !== undefined && fields[field] !== undefined)
    throw usage(`The ${what} was given twice.`, 'Give it once.');
  if (typed !== undefined && typed !== '-') return typed;
  const text = typed === '-' || isPiped() ? (await readStdin(`the ${what}`)).replace(/\r?\n$/, '') : '';
  if (text.trim() !== '') return text;
  throw usage(`${command} needs a ${what}.`, `Write it in quotes: ${example}`);
}
