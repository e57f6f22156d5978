// What must hold before the tests are worth running. One alone: `node scripts/gates.mjs lint`.
// test/gates/ proves that each of them can fail.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isEntry, root, runToolBeside } from './tool.mjs';

export const gates = [
  {
    name: 'format',
    package: 'prettier',
    bin: 'prettier',
    // Only what has changed since it was last looked at.
    args: [
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-strategy=content',
      '--cache-location=.cache/prettier',
      '.',
    ],
  },
  {
    name: 'lint',
    package: 'oxlint',
    bin: 'oxlint',
    args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  },
  // A sample of the package has no web app.
  { name: 'types', package: 'typescript', bin: 'tsc', args: ['-p', 'test/tsconfig.json'] },
  ...['web', 'web/src/worker']
    .filter((folder) => existsSync(join(root, folder)))
    .map((folder) => ({ name: 'types', package: 'typescript', bin: 'tsc', args: ['-p', `${folder}/tsconfig.json`] })),
  { name: 'unused', package: 'knip', bin: 'knip', args: [] },
  { name: 'package', package: 'publint', bin: 'publint', args: ['--strict'] },
];

/** Runs them beside each other, as most use one core, and answers the exit code of the first that failed. */
export async function runGates(chosen) {
  const results = chosen.map(async (gate) => ({ gate, ...(await runToolBeside(gate.package, gate.bin, gate.args)) }));
  let failed = 0;
  for (const result of results) {
    const { gate, exitCode, output } = await result;
    console.log(`\n== ${gate.name} (${gate.bin})\n${output.trimEnd()}`);
    failed ||= exitCode;
  }
  return failed;
}

if (isEntry(import.meta.url)) {
  const name = process.argv[2];
  const chosen = gates.filter((candidate) => candidate.name === name);
  if (chosen.length === 0) {
    const names = new Set(gates.map((each) => each.name));
    console.error(`No gate '${name ?? ''}'. The gates are: ${[...names].join(', ')}.`);
    process.exit(2);
  }
  process.exitCode = await runGates(chosen);
}
