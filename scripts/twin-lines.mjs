// Counts the lines of `store/sqlite` that equal a line of their PostgreSQL twin once `await` is taken away: what is said
// twice. Imports, comments and lone brackets are left out. `node scripts/twin-lines.mjs --files` lists them by file.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tool.mjs';

const stores = join(root, 'src', 'store');

function linesOf(file) {
  const code = readFileSync(file, 'utf8').replaceAll(/^import [^;]*;$/gm, '');
  return code
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\b(?:await|async)\s+/g, '')
        .replaceAll(/Promise<(.*)>/g, '$1')
        .trim(),
    )
    .filter((line) => line !== '' && !/^(?:\/\/|\/?\*|[{}()[\];,]+$)/.test(line));
}

const rows = [];
for (const name of readdirSync(join(stores, 'sqlite'), { recursive: true })) {
  const twin = join(stores, 'postgres', name);
  if (!name.endsWith('.ts') || !existsSync(twin)) continue;
  const left = new Map();
  for (const line of linesOf(twin)) left.set(line, (left.get(line) ?? 0) + 1);
  const lines = linesOf(join(stores, 'sqlite', name));
  const equal = lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
  rows.push({ name, lines: lines.length, equal: equal.length });
}

const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
if (process.argv.includes('--files')) console.table(rows.toSorted((a, b) => b.equal - a.equal));
console.log(`${sum('equal')} of ${sum('lines')} lines in ${rows.length} twin files are equal`);
