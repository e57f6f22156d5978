// The fuzz at length: `node scripts/fuzz.mjs --calls 20000 --seed 7 --world sqlite`, which are the calls and the world
// without options; the seed is then chosen, and printed. The same seed makes the same calls again, but for the ids that the
// hub gives out. Prints the statuses, and the hub's heap after each quarter.
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { runTool } from './tool.mjs';

const worlds = ['sqlite', 'postgres'];

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    world: { type: 'string', default: 'sqlite' },
  },
});
for (const name of ['calls', 'seed']) {
  if (/^\d{1,9}$/.test(values[name])) continue;
  console.error(`--${name} was given '${values[name]}'. Allowed: a whole number.`);
  process.exit(2);
}
if (!worlds.includes(values.world)) {
  console.error(`--world was given '${values.world}'. Allowed: ${worlds.join(', ')}.`);
  process.exit(2);
}
process.env.FUZZ_CALLS = values.calls;
process.env.FUZZ_SEED = values.seed;

const exitCode = await build();
process.exitCode =
  exitCode || runTool('vitest', 'vitest', { args: ['run', '--project', values.world, 'test/access/fuzz.test.ts'] });
