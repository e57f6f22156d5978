// Commands with verbs: `coterie thread create …`, `coterie keys revoke …`.
import type { Command } from '../command.js';

const isFlag = (argument = '') => argument.startsWith('-');

export interface Split {
  /** The first argument that is neither a flag nor the value of one; empty if there is none. */
  readonly word: string;
  readonly verb: Command | undefined;
  readonly rest: string[];
}

export function splitVerb(argv: readonly string[], verbs: ReadonlyMap<string, Command>): Split {
  const at = argv.findIndex((argument, index) => {
    const before = argv[index - 1];
    return !isFlag(argument) && (!isFlag(before) || before?.includes('=') === true);
  });
  const word = argv[at] ?? '';
  return { word, verb: verbs.get(word), rest: argv.filter((_, index) => index !== at) };
}
