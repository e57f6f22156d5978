// `npm run rooms`: lists the folders of src with their size and their part. The part is the folder's row in
// docs/architecture.md, so that it is written once; a test checks that every folder has a row.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tool.mjs';

const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
const parts = new Map(
  [...page.matchAll(/^\| `(src[^`]*)` +\| (.+?) *\|$/gm)].map(([, folder, part]) => [folder, part]),
);

const files = listSources('src');
const folders = [...new Set(files.map((file) => file.folder))].toSorted((a, b) => a.localeCompare(b));
const rows = folders.map((folder) => {
  const inside = files.filter((file) => file.folder === folder);
  return [folder, ...sizes(inside), parts.get(folder) ?? '(no row in docs/architecture.md)'];
});
print([['FOLDER', 'FILES', 'MEDIAN', 'MAX', 'PART'], ...rows, ['all', ...sizes(files), 'MEDIAN and MAX are lines']]);

function listSources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return listSources(`${folder}/${entry.name}`);
    const text = readFileSync(join(root, folder, entry.name), 'utf8');
    return [{ folder, lines: text.split('\n').length - 1 }];
  });
}

function sizes(inside) {
  const lines = inside.map((file) => file.lines).toSorted((a, b) => a - b);
  return [lines.length, lines[Math.floor(lines.length / 2)], lines.at(-1)].map(String);
}

function print(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const [folder, ...cells] of table) {
    const part = cells.pop();
    const numbers = cells.map((cell, index) => cell.padStart(widths[index + 1]));
    console.log([folder.padEnd(widths[0]), ...numbers, part].join('  '));
  }
}
