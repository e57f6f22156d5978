// The documents are true to the code: the table of errors both ways, and every file they name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../dist/contract/index.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

describe('docs/errors.md', () => {
  const rows = read('docs/errors.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

  it('has every code once, in the order of the table in the code, and no other', () => {
    expect(rows.map(([code]) => code)).toEqual(Object.keys(errorKinds).map((code) => `\`${code}\``));
  });

  it.each(Object.entries(errorKinds))('says of %s what the code says', (code, { status, retry, exitCode }) => {
    const row = rows.find(([cell]) => cell === `\`${code}\``);
    expect(row?.slice(1, 4)).toEqual([String(status), retry, String(exitCode)]);
    expect(row?.[4]).toMatch(/^.+\.$/);
    expect(row?.[5]).toMatch(/^.+\.$/);
  });
});

describe('the table of errors', () => {
  const built = filesBelow('dist', '.js')
    .filter((path) => path !== 'dist/contract/errors.js')
    .map(read);
  const raised = [
    ...built,
    ...['toHubError', 'hubErrorFrom'].map((name) => read('dist/contract/errors.js').split(name).at(-1) ?? ''),
  ];

  it.each(Object.keys(errorKinds))('has %s because something answers with it', (code) => {
    expect(raised.some((text) => text.includes(`'${code}'`))).toBe(true);
  });
});

/** Path names in backticks; `src/http/*.ts` and `src/<part>/` are patterns, not names. */
const pathNames = /`((?:src|test|migrations|scripts|docs)\/[^`\s*<>…{}]*)`/g;
const documents = ['README.md', ...filesBelow('docs', '.md')].filter((path) => existsSync(join(root, path)));

describe('the files that a document names exist:', () => {
  it.each(documents)('%s', (document) => {
    const named = [...read(document).matchAll(pathNames)].map(([, path = '']) => path.replace(/[#:].*$/, ''));
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('which this test can tell', () => {
    const named = [...'see `src/index.ts` and `test/none.ts`, not `src/*/x.ts`'.matchAll(pathNames)];
    expect(named.map(([, path]) => path)).toEqual(['src/index.ts', 'test/none.ts']);
  });
});
