// Sets and removes one table of a TOML file in place. Of a table that is there only the given keys change.
import { readToml, type TomlStatement } from './toml-statements.js';
import { byteOrderMark, lineAt, lineBreakOf, NotEditable, spliced } from './text.js';

export interface TomlTable {
  readonly name: readonly string[];
  /** In their order; written as TOML. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
  /** Further keys that must not stand beside these. */
  readonly excludes: readonly string[];
}

export function setTomlTable(text: string, table: TomlTable): string {
  const lineBreak = lineBreakOf(text);
  const lines = table.pairs.map(([key, value]) => `${key} = ${value}`);
  const statements = readToml(text);
  const header = headerOf(text, statements, table.name);
  if (header === undefined) {
    const isEnded = text === '' || text.endsWith('\n');
    const gap = text.trim() === '' ? '' : lineBreak;
    const written = [`[${table.name.join('.')}]`, ...lines].join(lineBreak);
    return `${text}${isEnded ? '' : lineBreak}${gap}${written}${lineBreak}`;
  }
  const pairOf = (key: string) => ownedIn(statements, table).find((one) => isSame(one.key, [key]));
  const missing = table.pairs.filter(([key]) => pairOf(key) === undefined);
  const at = endOfLine(text, header.end);
  const isBroken = text[at - 1] === '\n';
  const added = missing.map(([key, value]) => `${key} = ${value}${lineBreak}`).join('');
  const kept = table.pairs.flatMap(([key, value]) => {
    const pair = pairOf(key);
    return pair === undefined ? [] : [{ from: pair.valueStart, to: pair.end, text: value }];
  });
  const removed = ownedIn(statements, table).filter(({ key }) => table.excludes.includes(key[0] ?? ''));
  const splices = [
    ...(added === '' ? [] : [{ from: at, to: at, text: `${isBroken ? '' : lineBreak}${added}` }]),
    ...kept,
    ...removed.map(({ start, end }) => ({ from: startOfLine(text, start), to: endOfLine(text, end), text: '' })),
  ];
  return spliced(
    text,
    splices.toSorted((one, other) => one.from - other.from),
  );
}

/**
 * The whole table, with the tables below it, if nothing else is in it; else our keys of it. What they replaced in the original
 * text comes back.
 */
export function removeTomlTable(text: string, table: TomlTable, original = ''): string {
  const statements = readToml(text);
  const header = headerOf(text, statements, table.name);
  if (header === undefined) return text;
  const earlier = readToml(original);
  if (earlier.some((one) => one.kind === 'table' && isSame(one.table, table.name))) {
    return setTomlTable(text, replacedBy(table, original, earlier));
  }
  const owned = ownedIn(statements, table);
  const others = statements.filter((one) => one.kind === 'pair' && one.table === header.table && !owned.includes(one));
  const isBelow = (one: TomlStatement) => !isSame(one.table, table.name) && isPrefix(table.name, one.table);
  const below = earlier.some(isBelow) ? [] : statements.filter(isBelow);
  const removed = others.length === 0 ? [header, ...owned, ...below] : owned;
  return spliced(
    text,
    removed
      .toSorted((one, other) => one.start - other.start)
      .map((one) => {
        const start = startOfLine(text, one.start);
        // With the empty line that was put before the table.
        const from = one.kind === 'pair' ? start : start - emptyLineBefore(text, start);
        return { from, to: endOfLine(text, one.end), text: '' };
      }),
  );
}

/** Our keys as they were in the original text. */
function replacedBy(table: TomlTable, original: string, earlier: readonly TomlStatement[]): TomlTable {
  const pairs = ownedIn(earlier, table).map(
    (one) => [one.key.join('.'), original.slice(one.valueStart, one.end)] as const,
  );
  const keys = [...table.pairs.map(([key]) => key), ...table.excludes];
  return { name: table.name, pairs, excludes: keys.filter((key) => !pairs.some(([set]) => set === key)) };
}

function emptyLineBefore(text: string, at: number): number {
  const lineBreak = lineBreakOf(text);
  return text.slice(0, at).endsWith(`\n${lineBreak}`) ? lineBreak.length : 0;
}

/** The text of a value; undefined where there is none. */
export function tomlValue(text: string, name: readonly string[], key: string): string | undefined {
  const found = readToml(text).findLast(
    (one) => one.kind === 'pair' && isSame(one.table, name) && isSame(one.key, [key]),
  );
  return found === undefined ? undefined : text.slice(found.valueStart, found.end);
}

function headerOf(text: string, statements: readonly TomlStatement[], name: readonly string[]) {
  const header = statements.find(({ kind, table }) => kind === 'table' && isSame(table, name));
  // The same table in another form: a second one would make the file invalid.
  const other = statements.find((one) => {
    if (one.kind === 'list-of-tables') return isPrefix(one.table, name);
    if (one.kind === 'table') return false;
    const whole = [...one.table, ...one.key];
    return !isSame(one.table, name) && (isPrefix(name, whole) ? !isPrefix(name, one.table) : isPrefix(whole, name));
  });
  if (other === undefined) return header;
  throw new NotEditable(
    `${name.join('.')} is set here in another form than as a table [${name.join('.')}]`,
    lineAt(text, other.start),
  );
}

function ownedIn(statements: readonly TomlStatement[], { name, pairs, excludes }: TomlTable): TomlStatement[] {
  const keys = [...pairs.map(([key]) => key), ...excludes];
  return statements.filter((one) => one.kind === 'pair' && isSame(one.table, name) && keys.includes(one.key[0] ?? ''));
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && isPrefix(one, other);
const isPrefix = (one: readonly string[], other: readonly string[]) =>
  one.every((part, index) => part === other[index]);

function startOfLine(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return start === 0 && text.startsWith(byteOrderMark) ? 1 : start;
}

/** After the line break, if there is one. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
