// JSON settings are edited in place: whatever else a file has, comments and spacing too, stays as it is.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToList, removeJson, setJson } from '../../dist/cli/init/edit/json-edit.js';
import { readJsonTree, valueOf } from '../../dist/cli/init/edit/json-tree.js';
import { NotEditable } from '../../dist/cli/init/edit/text.js';

const entry = { command: 'coterie', args: ['mcp', '--agent', 'auto'] };
const path = ['mcp', 'coterie'];
const parsed = (text: string) => valueOf(readJsonTree(text));

/** Text as people write it: any space, comments and trailing commas. */
const gap = fc
  .array(fc.constantFrom(' ', '\n', '\r\n', '\t', '/* { " */', '// , }\n'), { maxLength: 3 })
  .map((parts) => parts.join(''));
const key = fc.oneof(fc.constantFrom('mcp', 'coterie', 'other', ''), fc.string({ maxLength: 5 }));
const plain = fc
  .oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null))
  .map((value) => JSON.stringify(value));

function within(open: string, parts: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(gap, parts, gap), { maxLength: 4 }), gap, fc.boolean())
    .map(([items, end, hasComma]) => {
      const inner = items.map((item) => item.join('')).join(',');
      return `${open}${inner}${hasComma && items.length > 0 ? ',' : ''}${end}${close}`;
    });
}

const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
  object: within(
    '{',
    fc
      .tuple(key, gap, gap, tie('value'))
      .map(([name, before, after, value]) => `${JSON.stringify(name)}${before}:${after}${value}`),
    '}',
  ),
  value: fc.oneof({ maxDepth: 3 }, plain, within('[', tie('value'), ']'), tie('object')),
}));
const file = fc.tuple(fc.constantFrom('', '\ufeff'), gap, object, gap).map((parts) => parts.join(''));

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const one of long) if (short.startsWith(one, at)) at += one.length;
  return at === short.length;
}

/** Undefined if something else than an object is in the way. */
function set(text: string): string | undefined {
  try {
    return setJson(text, path, entry);
  } catch (error) {
    expect(error).toBeInstanceOf(NotEditable);
    return undefined;
  }
}

describe('an entry of a JSON file', () => {
  it('is set where nothing else changes, and a second time changes nothing', () => {
    fc.assert(
      fc.property(file, (text) => {
        const before = parsed(text) as { mcp?: { coterie?: unknown } };
        const after = set(text);
        if (after === undefined) return;
        expect(parsed(after)).toEqual({ ...before, mcp: { ...before.mcp, coterie: entry } });
        if (before.mcp?.coterie === undefined) expect(isSubsequence(text, after)).toBe(true);
        expect(setJson(after, path, entry)).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is removed without the rest', () => {
    fc.assert(
      fc.property(file, (text) => {
        const after = set(text);
        if (after === undefined) return;
        const { coterie: _, ...servers } = (parsed(after) as { mcp: Record<string, unknown> }).mcp;
        const removed = removeJson(after, path);
        expect(isSubsequence(removed, after)).toBe(true);
        // The earlier one of two equal keys shows again.
        const left = (parsed(removed) as { mcp: Record<string, unknown> }).mcp;
        expect({ ...left, coterie: undefined }).toEqual({ ...servers, coterie: undefined });
        // One inside an older entry is a part of it.
        if ((parsed(text) as { mcp?: { coterie?: unknown } }).mcp?.coterie !== undefined) return;
        for (const comment of ['/* { " */', '// , }'])
          expect(removed.split(comment)).toHaveLength(after.split(comment).length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads every JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parsed(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses any other text with a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:/*\n 1a\\'.split('')) }), (text) => {
        try {
          readJsonTree(text);
        } catch (error) {
          expect(error).toBeInstanceOf(NotEditable);
          expect((error as NotEditable).line).toBeLessThanOrEqual(text.split('\n').length);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the form of what is written', () => {
  it.each([
    ['an empty file', '', '{\n  "mcp": {\n    "coterie": 1\n  }\n}\n'],
    ['an empty object', '{}', '{\n  "mcp": {\n    "coterie": 1\n  }\n}'],
    ['one line', '{"a": 1}', '{"a": 1, "mcp": {"coterie":1}}'],
    ['tabs', '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"mcp": {\n\t\t"coterie": 1\n\t}\n}\n'],
    ['CRLF', '{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "mcp": {\r\n    "coterie": 1\r\n  }\r\n}\r\n'],
    ['a comment at the end', '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "mcp": {\n    "coterie": 1\n  }\n}'],
    ['a trailing comma', '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "mcp": {\n    "coterie": 1\n  }\n}'],
    ['other servers', '{\n  "mcp": {\n    "x": 2\n  }\n}', '{\n  "mcp": {\n    "x": 2,\n    "coterie": 1\n  }\n}'],
    ['an older entry', '{"mcp":{"coterie":0,"x":2}}', '{"mcp":{"coterie":1,"x":2}}'],
  ])('follows that of %s', (_, before, after) => {
    expect(setJson(before, path, 1)).toBe(after);
  });
});

describe('an item of a list', () => {
  it.each([
    ['no list', '{}', '{\n  "a": {\n    "list": [\n      "new"\n    ]\n  }\n}', 0],
    ['an empty list', '{"a":{"list":[]}}', '{"a":{"list":["new"]}}', 0],
    ['others', '{"a":{"list":["x"]}}', '{"a":{"list":["x", "new"]}}', 1],
  ])('is added where there is: %s', (_, before, after, at) => {
    expect(addToList(before, ['a', 'list'], 'new')).toBe(after);
    expect(parsed(removeJson(after, ['a', 'list', at]))).toEqual({ a: { list: at === 0 ? [] : ['x'] } });
    expect(parsed(setJson(after, ['a', 'list', at], 'newer'))).toEqual({
      a: { list: at === 0 ? ['newer'] : ['x', 'newer'] },
    });
  });
});
