// Reads what was typed against the flags a command has. Nothing unknown, doubled or unreadable passes.
import { parseArgs } from 'node:util';
import { readYesOrNo, type Flag } from './flag.js';
import { didYouMean, usage } from './usage.js';

export interface Given {
  /** Flags that are the command's own, as typed; 'true' for a switch. */
  readonly own: ReadonlyMap<string, string>;
  /** Flags that are fields of the contract, read by its schema. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
}

export interface Expected {
  readonly command: string;
  readonly flags: readonly Flag[];
  /** What the words without dashes are, in order. */
  readonly words?: readonly string[];
}

export function readArgs(argv: readonly string[], { command, flags, words: wordNames = [] }: Expected): Given {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true });
  const reading: Reading = { own: new Map(), fields: {}, filledBy: new Map() };
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = byName.get(token.name);
    if (flag === undefined || token.rawName !== `--${flag.name}`) throw unknownFlag(token.rawName, command, flags);
    const value = token.value ?? (flag.value === undefined ? 'true' : undefined);
    const isNextFlag =
      token.inlineValue === false && byName.has((value ?? '').replace(/^--|=.*$/g, '')) && value?.startsWith('--');
    if (value === undefined || isNextFlag === true)
      throw usage(`--${flag.name} needs a value.`, `Write --${flag.name} ${flag.value ?? 'VALUE'}.`);
    take(reading, flag, value);
  }
  const extra = words[wordNames.length];
  if (extra !== undefined) throw wordTooMany(extra, command, wordNames);
  return { own: reading.own, fields: reading.fields, words };
}

interface Reading {
  own: Map<string, string>;
  fields: Record<string, unknown>;
  /** Field → the flag that filled it. */
  filledBy: Map<string, string>;
}

function take(reading: Reading, flag: Flag, typed: string): void {
  const read = flag.read ?? (flag.value === undefined ? readYesOrNo : undefined);
  const value = read === undefined ? typed : read(typed);
  if (value === undefined) throw badValue(`--${flag.name}`, typed, flag.allowed);
  const key = flag.field ?? `--${flag.name}`;
  const before = reading.filledBy.get(key);
  const list = flag.isList === true && before === flag.name ? reading.fields[key] : undefined;
  if (before !== undefined && list === undefined) throw givenTwice(before, flag.name);
  reading.filledBy.set(key, flag.name);
  if (flag.field === undefined) {
    // A switch that was turned off is a switch that was not given.
    if (value !== false) reading.own.set(flag.name, typed);
  } else reading.fields[flag.field] = isList(list) && isList(value) ? [...list, ...value] : value;
}

/** `Array.isArray` alone makes a list of anything. */
function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function badValue(source: string, typed: string, allowed = 'another value'): Error {
  const shown = typed.length > 60 ? `${typed.slice(0, 60)}…` : typed;
  return usage(`${source} was given '${shown}'.`, `Allowed: ${allowed}.`);
}

function givenTwice(before: string, name: string): Error {
  const message =
    before === name ? `--${name} was given twice.` : `--${before} and --${name} are the same; both were given.`;
  return usage(message, `Give it once.`);
}

function unknownFlag(written: string, command: string, flags: readonly Flag[]): Error {
  const names = flags.map(({ name }) => name);
  // "-5 degrees" is read as a flag, too.
  const hint = written.startsWith('--')
    ? didYouMean(written.slice(2), names, (name) => `--${name}`)
    : 'Flags have two dashes; a text that begins with a dash goes after a lone --. ';
  return usage(`${written} is not known to coterie ${command}.`, `${hint}See: coterie ${command} --help`);
}

function wordTooMany(word: string, command: string, names: readonly string[]): Error {
  const last = names.at(-1);
  const hint =
    last === undefined ? 'Options are written --name value.' : `If it belongs to the ${last}, put that in quotes.`;
  return usage(`'${word}' is not expected here.`, `${hint} See: coterie ${command} --help`);
}
