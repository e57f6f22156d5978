// The documents are true to the code: errors, settings and rooms both ways, and every file and heading they refer to.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settings } from '../../dist/config/settings.js';
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

describe('README.md', () => {
  it('has every setting with its variable and default, in the order of the list in the code, and no other', () => {
    const listed = [...read('README.md').matchAll(/^\| `(--[\w-]+)` +\| `(\w+)` +\| (\S*) +\|/gm)];
    const known = settings.map(({ flag, env, fallback }) => [
      `--${flag}`,
      env,
      fallback === '' ? '' : `\`${fallback}\``,
    ]);
    expect(listed.map((row) => row.slice(1))).toEqual(known);
  });
});

describe('docs/architecture.md', () => {
  it('has a row for every folder of src that has files, and no other', () => {
    const rows = [...read('docs/architecture.md').matchAll(/^\| `(src[^`]*)` +\|/gm)].map(([, folder = '']) => folder);
    const folders = filesBelow('src', '.ts').map((path) => posix.dirname(path));
    expect(rows.toSorted()).toEqual([...new Set(folders)].toSorted());
  });
});

/** Path names in backticks; `src/http/*.ts` and `src/<part>/` are patterns, not names. */
const pathNames = /`((?:src|test|migrations|scripts|docs|bench|deploy|\.github)\/[^`\s*<>…{}]*)`/g;
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  ...filesBelow('docs', '.md'),
];

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

describe('the links of a document lead to a file and a heading:', () => {
  it.each(documents)('%s', (document) => {
    expect(linksOf(read(document)).filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });

  it('which this test can tell', () => {
    const links = linksOf('[a](docs/errors.md#errors) [b](docs/errors.md#none) [c](none.md) [d](https://example.org)');
    expect(links.filter((link) => !leadsSomewhere('README.md', link))).toEqual(['docs/errors.md#none', 'none.md']);
  });
});

function linksOf(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const path = file === '' ? document : posix.join(posix.dirname(document), file);
  if (!existsSync(join(root, path))) return false;
  return heading === undefined || headingsOf(read(path)).includes(heading);
}

/** As GitHub names them in an address. */
function headingsOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}
