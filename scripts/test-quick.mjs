// `npm run test:quick`: what one wants before every commit, within a minute. The gates but the package's, and on SQLite
// every test file that starts no process (none of its imports within test/ leads to node:child_process) but the random
// runs of test/property. Tests tagged `long` are skipped.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from './build.mjs';
import { gates, runGates } from './gates.mjs';
import { install } from './install.mjs';
import { requireNode } from './require-node.mjs';
import { root, runTool } from './tool.mjs';

requireNode();

const test = join(root, 'test');
const isElsewhere = (file) => ['postgres', 'property'].some((folder) => file.startsWith(join(test, folder)));
const all = readdirSync(test, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(test, name));
const quick = all.filter((file) => !isElsewhere(file) && !startsProcess(file));

const quickGates = gates.filter(({ name }) => name !== 'package');
const stages = [install, build, () => runGates(quickGates), runTests];
for (const stage of stages) {
  const exitCode = await stage();
  if (exitCode !== 0) process.exit(exitCode);
}
console.log(
  `Left out: PostgreSQL, several hubs, the package gate, random and long runs, and what starts processes (command line, bridge, ` +
    `restarts, faults): ${all.length - quick.length} of ${all.length} files. npm test runs everything.`,
);

function startsProcess(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  // Types leave no import behind.
  const imports = [...source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)].map(([, name]) => name);
  if (imports.includes('node:child_process')) return true;
  return imports
    .filter((name) => name.startsWith('.') && name.endsWith('.js'))
    .map((name) => resolve(dirname(file), name.replace(/\.js$/, '.ts')))
    .some((imported) => imported.startsWith(test) && startsProcess(imported, seen));
}

function runTests() {
  const files = quick.map((file) => relative(root, file).replaceAll('\\', '/'));
  console.log(`\n== tests (vitest), ${files.length} of ${all.length} files`);
  return runTool('vitest', 'vitest', {
    args: ['run', '--project', 'sqlite', '--tags-filter', '!long', '--reporter', 'dot', ...files],
  });
}
