// The fault tests at length, with the checker's table: `node scripts/fault-run.mjs --cycles 200 --seed 7` kills the hub
// that often; `--calls 3000` lets clients give up around that many answers each; `--minutes 5` makes trouble for hubs that
// share a database, 3 of them or as many as `--hubs` says; without options, 200 kills.
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { runTool } from './tool.mjs';

const runs = [
  { option: 'cycles', env: 'CYCLES', test: 'test/fault/kill-hub.test.ts' },
  { option: 'calls', env: 'CALLS', test: 'test/fault/abort-around-reply.test.ts' },
  { option: 'minutes', env: 'MINUTES', test: 'test/postgres/hubs-under-fault.test.ts' },
];
const cyclesByDefault = '200';
const minutesByDefault = '5';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string' },
    calls: { type: 'string' },
    minutes: { type: 'string' },
    hubs: { type: 'string' },
    seed: { type: 'string' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} was given '${value}'. Allowed: a whole number.`);
  process.exit(2);
}
if (values.hubs !== undefined) {
  process.env.HUBS = values.hubs;
  values.minutes ??= minutesByDefault;
}
if (runs.every(({ option }) => values[option] === undefined)) values.cycles = cyclesByDefault;
if (values.seed !== undefined) process.env.FAULT_SEED = values.seed;

const wanted = runs.filter(({ option }) => values[option] !== undefined);
for (const { option, env } of wanted) process.env[env] = values[option];

const exitCode = await build();
process.exitCode = exitCode || runTool('vitest', 'vitest', { args: ['run', ...wanted.map(({ test }) => test)] });
