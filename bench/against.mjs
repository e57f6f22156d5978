// `node bench/against.mjs COMMIT [NAME …]`: this build beside that of another commit, in turns, with the load of this one.
// The other commit is checked out and built once, in the folder for temporary files: under node_modules TypeScript could
// not name the types of its packages. Names are those of
// bench/support/measures.mjs; without any, all of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measures } from './support/measures.mjs';
import { printTable } from './support/table.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.env['ROUNDS'] ?? 5);
const [commit, ...names] = process.argv.slice(2);
const unknown = names.filter((name) => measures[name] === undefined);
if (commit === undefined || unknown.length > 0) {
  console.error(`Usage: node bench/against.mjs COMMIT [NAME …]\nNames: ${Object.keys(measures).join(', ')}`);
  process.exit(2);
}

const other = buildOf(commit);
const mine = join(root, 'dist', 'cli', 'main.js');
const rows = [];
for (const name of names.length > 0 ? names : Object.keys(measures)) {
  const { title, unit, digits, measure } = measures[name];
  const figures = await inTurns({ other: () => measure(other.cli), mine: () => measure(mine) }, rounds);
  rows.push([
    title,
    unit,
    spread(figures.other, digits),
    spread(figures.mine, digits),
    spread(ratios(figures.mine, figures.other), 2),
  ]);
}
printTable(['', 'unit', other.commit, 'this build', 'this : other'], rows);

function buildOf(named) {
  const full = git('rev-parse', '--verify', `${named}^{commit}`);
  const folder = join(tmpdir(), 'coterie-against', full.slice(0, 12));
  const stamp = join(folder, 'dist', '.stamp');
  if (!existsSync(stamp)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-x', '-C', folder], {
      input: execFileSync('git', ['archive', full], { cwd: root, maxBuffer: 1e9 }),
    });
    linkPackages(folder);
    console.error(`Building ${full.slice(0, 7)} …`);
    execFileSync(process.execPath, [join(folder, 'scripts', 'build.mjs')], { cwd: folder, stdio: ['ignore', 2, 2] });
  }
  return { cli: join(folder, 'dist', 'cli', 'main.js'), commit: full.slice(0, 7) };
}

/** The same packages where the lock is the same. */
function linkPackages(folder) {
  const [ours, theirs] = [root, folder].map((where) => readFileSync(join(where, 'package-lock.json'), 'utf8'));
  if (ours === theirs) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--include=dev', '--silent'], { cwd: folder, stdio: ['ignore', 2, 2] });
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
