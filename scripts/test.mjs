// `npm test`: from a fresh clone to a verdict; stops at the first stage that fails. `--gates-only` leaves the tests
// out; other arguments go to vitest, e.g. `npm test -- test/story`.
import { build } from './build.mjs';
import { gates, runGates } from './gates.mjs';
import { install } from './install.mjs';
import { requireNode } from './require-node.mjs';
import { runTool } from './tool.mjs';

requireNode();
const args = process.argv.slice(2);
const vitestArgs = args.filter((arg) => arg !== '--gates-only');
const isGatesOnly = vitestArgs.length < args.length;

const stages = [install, build, () => runGates(gates)];
if (!isGatesOnly) stages.push(runTests);

for (const stage of stages) {
  const exitCode = await stage();
  if (exitCode !== 0) process.exit(exitCode);
}

function runTests() {
  console.log('\n== tests (vitest)');
  return runTool('vitest', 'vitest', { args: ['run', ...vitestArgs] });
}
