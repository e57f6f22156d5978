// A table of a TOML file is set in place: whatever else the file has stays as it is.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotEditable } from '../../dist/cli/init/edit/text.js';
import { removeTomlTable, setTomlTable, tomlValue, type TomlTable } from '../../dist/cli/init/edit/toml-edit.js';
import { readToml } from '../../dist/cli/init/edit/toml-statements.js';

const name = ['mcp_servers', 'coterie'];
const table: TomlTable = {
  name,
  pairs: [
    ['command', '"coterie"'],
    ['args', '["mcp", "--agent", "auto"]'],
  ],
  excludes: ['url', 'bearer_token_env_var'],
};

const value = fc.constantFrom(
  '1',
  'true',
  '1979-05-27T07:32:00Z',
  '"a # \\" b"',
  "'c:\\d'",
  '"""\n[mcp_servers.coterie]\n"" x"""',
  "'''\n# no comment\n'''",
  '[1, # one\n  "]",\n]',
  '{ a = "}", b = [1] }',
);
const header = fc.constantFrom(
  '[a]',
  '[ "b c".d ]',
  '[[e]]',
  '[mcp_servers.other]',
  '[mcp_servers.other.env]',
  '[f] # note',
);
const blank = fc.constantFrom('', '# a comment', '   ');
const pair = fc.tuple(fc.constantFrom('model', 'x.y', '"q u"', 'url'), value).map(([key, text]) => `${key} = ${text}`);
const lines = fc.array(fc.oneof(header, blank, pair, pair), { maxLength: 12 });
const own = fc.constantFrom(
  [],
  ['[mcp_servers.coterie]'],
  ['[mcp_servers.coterie] # mine', 'url = "http://x" # old', 'tool_timeout_sec = 9'],
);
const file = fc
  .tuple(lines, own, lines, fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.constantFrom('', '\ufeff'))
  .map(([before, ours, after, lineBreak, isEnded, mark]) => {
    const text = [...before, ...ours, ...(ours.length > 0 ? ['[z]'] : []), ...after].join(lineBreak);
    return `${mark}${text}${isEnded ? lineBreak : ''}`;
  });

/** All statements but the ones that are ours. */
function foreign(text: string): string[] {
  const keys = [...table.pairs.map(([key]) => key), ...table.excludes];
  return readToml(text)
    .filter(({ table: within, key, kind }) => {
      const isIn = within.join('.') === name.join('.');
      return !isIn || (kind === 'pair' && !keys.includes(key[0] ?? ''));
    })
    .map(({ start, end }) => text.slice(start, end));
}

const comments = (text: string) => text.split('# a comment').length;

describe('a table of a TOML file', () => {
  it('is set and removed where nothing else changes', () => {
    fc.assert(
      fc.property(file, (text) => {
        const after = setTomlTable(text, table);
        expect(foreign(after)).toEqual(foreign(text));
        expect(comments(after)).toBe(comments(text));
        for (const [key, wanted] of table.pairs) expect(tomlValue(after, name, key)).toBe(wanted);
        expect(tomlValue(after, name, 'url')).toBeUndefined();
        expect(setTomlTable(after, table)).toBe(after);
        const removed = removeTomlTable(after, table);
        expect(foreign(removed)).toEqual(foreign(text));
        expect(comments(removed)).toBe(comments(text));
        const isNew = !readToml(text).some((one) => one.kind === 'table' && one.table.join('.') === name.join('.'));
        if (isNew) expect(after.startsWith(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['an inline table', 'a = 1\nmcp_servers = { coterie = { url = "x" } }\n', 2],
    ['a key of its parent', '[mcp_servers]\ncoterie = { url = "x" }\n', 2],
    ['a dotted key', 'mcp_servers.coterie.url = "x"\n', 1],
    ['a list of tables', '\n\n[[mcp_servers]]\n', 3],
  ])('is not written beside the same one as %s', (_, text, line) => {
    expect(() => setTomlTable(text, table)).toThrow(expect.objectContaining({ line }));
  });

  it.each([
    ['a text that does not end', 'a = 1\nb = "x\nc = 2\n', 2],
    ['a list that does not end', 'a = [1,\n2\n', 1],
    ['a key without a value', 'a\n', 1],
    ['two values', 'a = 1\nb = 2 3\n', 2],
    ['a header that does not end', '[a\n', 1],
  ])('refuses %s, with its line', (_, text, line) => {
    expect(() => setTomlTable(text, table)).toThrow(NotEditable);
    expect(() => setTomlTable(text, table)).toThrow(expect.objectContaining({ line }));
  });

  it('refuses any other text with a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}="\'#\n .a1\\'.split('')) }), (text) => {
        try {
          readToml(text);
        } catch (error) {
          expect(error).toBeInstanceOf(NotEditable);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
