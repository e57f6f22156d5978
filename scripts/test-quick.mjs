// `npm run test:quick`: what one wants before every commit, within a minute. The gates but the package's, and on SQLite
// every test file that starts no process and loads no other vendor's packages (by its imports within test/), but the random
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
const isElsewhere = (file) => ['browser', 'postgres', 'property'].some((folder) => file.startsWith(join(test, folder)));
const all = readdirSync(test, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(test, name));
// Processes take seconds to start, and other vendors' packages to load.
const slowImports = ['node:child_process', '@ai-sdk/openai', 'gpt-tokenizer'];
const quick = all.filter((file) => !isElsewhere(file) && !importsSlowly(file));

const quickGates = gates.filter(({ name }) => name !== 'package');
for (const stage of [install, build, gatesBesideTests]) {
  const exitCode = await stage();
  if (exitCode !== 0) process.exit(exitCode);
}
console.log(
  `Left out: PostgreSQL, several hubs, the browser, the package gate, random and long runs, what starts processes (command line, bridge, ` +
    `restarts, faults) or compares with other packages: ${all.length - quick.length} of ${all.length} files. npm test runs everything.`,
);

function importsSlowly(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  // Types leave no import behind.
  const imports = [...source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)].map(([, name]) => name);
  if (imports.some((name) => slowImports.includes(name))) return true;
  return imports
    .filter((name) => name.startsWith('.') && name.endsWith('.js'))
    .map((name) => resolve(dirname(file), name.replace(/\.js$/, '.ts')))
    .some((imported) => imported.startsWith(test) && importsSlowly(imported, seen));
}

/** The gates' own processes run while vitest blocks this one; what they say is printed after it. */
async function gatesBesideTests() {
  const gatesDone = runGates(quickGates);
  const testsCode = runTests();
  return (await gatesDone) || testsCode;
}

function runTests() {
  const files = quick.map((file) => relative(root, file).replaceAll('\\', '/'));
  console.log(`\n== tests (vitest), ${files.length} of ${all.length} files`);
  return runTool('vitest', 'vitest', {
    args: ['run', '--project', 'sqlite', '--tags-filter', '!long', '--reporter', 'dot', ...files],
  });
}
