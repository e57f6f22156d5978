// Every regular expression of the hub and the web app takes time in proportion to the text it meets.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { attacksOn, slowAttack, textOf, type Attack } from './pattern-texts.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Slow patterns whose text is bounded by something else, by file and source, with the reason. */
const exemptions: Readonly<Record<string, string>> = {
  'src/config/config-file.ts /,? *(\\.\\.\\.)?"[^]*" *is not valid JSON/':
    'reads V8’s own message, which quotes at most some twenty characters',
};

/** Expressions put together from parts, which no literal shows. Their results are listed here. */
const composed: Readonly<Record<string, readonly RegExp[]>> = {
  // The pattern for the end of a line; the one for its start is anchored and differs in nothing else.
  'src/bridge/line-reader.ts': [
    /"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/,
  ],
  'src/cli/init/edit/file-edit.ts': [
    /^(coterie|node (?:[\w@%+=:,./~-]|'[^']*'|"[^"]*"|\\.)+) inbox --hook(?: --(?:as|url|data|key-file) (?:[\w@%+=:,./~-]|'[^']*'|"[^"]*"|\\.)+)*$/,
  ],
  'src/contract/key.ts': [/coterie_([a-z0-9]{12})_[A-Za-z0-9_-]*/g],
  'src/message/history/search-text.ts': [
    /[\p{Script=Han}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu,
  ],
};

interface Found {
  name: string;
  pattern: RegExp;
}

function patternsIn(file: string): { literals: Found[]; isComposing: boolean } {
  const literals: Found[] = [];
  let isComposing = false;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee } = node as {
      type?: string;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (type === 'Literal' && regex !== undefined) {
      literals.push({ name: `${file} /${regex.pattern}/`, pattern: new RegExp(regex.pattern, regex.flags) });
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') isComposing = true;
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, readFileSync(`${root}${file}`, 'utf8')).program);
  return { literals, isComposing };
}

function sourcesIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);
}

const files = ['src', 'web/src'].flatMap((folder) => sourcesIn(folder)).toSorted();
const parsed = files.map((file) => ({ file, ...patternsIn(file) }));
const all: Found[] = [
  ...parsed.flatMap(({ literals }) => literals),
  ...Object.entries(composed).flatMap(([file, patterns]) =>
    patterns.map((pattern) => ({ name: `${file} /${pattern.source}/`, pattern })),
  ),
];
const unique = [...new Map(all.map((found) => [String(found.pattern), found])).values()];

const general: readonly Attack[] = [
  ' ',
  '/',
  ':',
  '!',
  '@',
  '<',
  '{{',
  '\n',
  '\\',
  '7',
  'a',
  '=',
  '"',
  '`',
  '[',
  '-',
  '_',
  '\ud800',
  '😀',
  ':!',
].map((pump) => ({ before: '', pump, after: '\u0001' }));

describe('patterns', () => {
  it('are all found', () => {
    expect(unique.length).toBeGreaterThan(100);
    const composing = parsed.filter(({ isComposing }) => isComposing).map(({ file }) => file);
    expect(composing).toEqual(Object.keys(composed).toSorted());
  });

  it('grow with the text and not with its square', () => {
    const checked = unique.filter(({ name }) => !(name in exemptions));
    const slow = checked.flatMap(({ name, pattern }) => {
      const attack = slowAttack(pattern, [...attacksOn(pattern), ...general]);
      return attack === undefined ? [] : [`${name} ${attack}`];
    });
    expect(slow).toEqual([]);
    // As long as a message may be; a pattern with a square would not end within the test's time.
    for (const attack of general) {
      const text = textOf(attack, 250_000);
      for (const { pattern } of checked) text.search(pattern);
    }
  }, 120_000);

  it('have exemptions that still exist', () => {
    const names = new Set(all.map(({ name }) => name));
    expect(Object.keys(exemptions).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([/\.([a-z0-9]+)(?:[?#].*)?$/i, /\/+$/, /(?:a+)+$/, /^\s*(x)?\s*$/, /[^\p{L}]+$/u, /<!--[^]*?-->/g])(
    'that are slow are found: %s',
    (pattern) => {
      expect(slowAttack(pattern, attacksOn(pattern))).toBeDefined();
    },
  );
});
