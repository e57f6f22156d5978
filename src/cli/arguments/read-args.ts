// Parses a command's arguments. Refuses unknown, repeated and invalid ones.
import { parseArgs } from 'node:util';
import { readYesOrNo, type Flag } from './flag.js';
import { noKeyArgument } from './key-choice.js';
import { didYouMean, usage } from './usage.js';

export interface Given {
  /** The command's own flags, as typed; 'true' for a switch. */
  readonly own: ReadonlyMap<string, string>;
  /** Flags that are contract fields, parsed by its schema. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

export interface Expected {
  readonly command: string;
  readonly flags: readonly Flag[];
  /** Names of the positional arguments, in order. */
  readonly positionals?: readonly string[];
  /** What to do instead, for flags that are expected here but belong to other commands. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

export function readArgs(argv: readonly string[], expected: Expected): Given {
  const { command, flags, positionals: names = [] } = expected;
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const options = Object.fromEntries(
    flags.map(({ name, value }) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true });
  const parsed: Parsed = { own: new Map(), fields: {}, setBy: new Map() };
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = byName.get(token.name);
    if (flag === undefined || token.rawName !== `--${flag.name}`) throw unknownFlag(token.rawName, expected);
    const value = token.value ?? (flag.value === undefined ? 'true' : undefined);
    const isNextFlag =
      token.inlineValue === false &&
      value?.startsWith('--') === true &&
      byName.has(value.slice(2).split('=', 1)[0] ?? '');
    if (value === undefined || isNextFlag)
      throw usage(`--${flag.name} needs a value.`, `Write --${flag.name} ${flag.value ?? 'VALUE'}.`);
    setFlag(parsed, flag, value);
  }
  const extra = positionals[names.length];
  if (extra !== undefined) throw unexpectedArgument(extra, command, names);
  return { own: parsed.own, fields: parsed.fields, positionals };
}

interface Parsed {
  own: Map<string, string>;
  fields: Record<string, unknown>;
  /** Field → the flag that set it. */
  setBy: Map<string, string>;
}

function setFlag(parsed: Parsed, flag: Flag, typed: string): void {
  const read = flag.read ?? (flag.value === undefined ? readYesOrNo : undefined);
  const value = read === undefined ? typed : read(typed);
  if (value === undefined) throw badValue(`--${flag.name}`, typed, flag.allowed);
  const key = flag.field ?? `--${flag.name}`;
  const before = parsed.setBy.get(key);
  const list = flag.isList === true && before === flag.name ? parsed.fields[key] : undefined;
  if (before !== undefined && list === undefined) throw givenTwice(before, flag.name);
  parsed.setBy.set(key, flag.name);
  if (flag.field === undefined) {
    // A switch set to false counts as not given.
    if (value !== false) parsed.own.set(flag.name, typed);
  } else parsed.fields[flag.field] = isList(list) && isList(value) ? [...list, ...value] : value;
}

/** `Array.isArray` alone narrows to any[]. */
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

function unknownFlag(written: string, { command, flags, ...expected }: Expected): Error {
  const elsewhere: Expected['elsewhere'] = { key: noKeyArgument, ...expected.elsewhere };
  const names = flags.map(({ name }) => name);
  const name = written.replace(/^--/, '');
  // A text like "-5 degrees" is parsed as a flag too.
  const near =
    name === written
      ? 'Flags have two dashes; put a text that begins with a dash after --. '
      : didYouMean(name, names, (known) => `--${known}`);
  const instead = Object.hasOwn(elsewhere, name) ? `${elsewhere[name]} ` : near;
  return usage(`${written} is not a flag of coterie ${command}.`, `${instead}See: coterie ${command} --help`);
}

function unexpectedArgument(given: string, command: string, names: readonly string[]): Error {
  const last = names.at(-1);
  const hint =
    last === undefined
      ? 'Options are written --name value.'
      : `If it is part of the ${last}, put the ${last} in quotes.`;
  return usage(`'${given}' is not expected here.`, `${hint} See: coterie ${command} --help`);
}
