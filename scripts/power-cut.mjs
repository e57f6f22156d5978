// What a power cut leaves: records the writes of a hub under load with strace, cuts the record at many places, keeps of what
// was not synced yet a part by chance, down to single sectors, and starts a hub on each result.
//   npm run power-cut -- --cuts 200 --seconds 20 --seed 7
// With --unnoticed the hub takes the cut for a killed process: that shows what the marks are for, and must fail.
// Linux with strace; as root on Debian it installs it. Ends with 1 if anything was lost, repeated unmarked or out of order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { SeededRandom } from '../test/fault/load/seeded-random.mjs';
import { requireStrace } from './power-cut/strace.mjs';

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    unnoticed: { type: 'boolean', default: false },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (typeof value === 'boolean' || /^\d{1,9}$/.test(value)) continue;
  console.error(`--${name} was given '${value}'. Allowed: a whole number.`);
  process.exit(2);
}

if ((await build()) !== 0) process.exit(1);
requireStrace();
// They import the build.
const { chooseCuts, imagesAt, readJournal } = await import('./power-cut/journal.mjs');
const { judgeCut } = await import('./power-cut/judge.mjs');
const { record } = await import('./power-cut/record.mjs');
const random = new SeededRandom(Number(values.seed), 'power cut');
const folder = mkdtempSync(join(tmpdir(), 'coterie-power-cut-'));
const total = { lost: 0, unmarkedRepeats: 0, outOfOrder: 0, failedStarts: 0, marked: 0, handedOut: 0 };
const sentences = [];
try {
  const recorded = await record({ folder, seconds: Number(values.seconds), random });
  const journal = readJournal(recorded.trace);
  const cuts = chooseCuts(journal, { count: Number(values.cuts), random, fromUs: recorded.loadFromUs });
  let place = 0;
  for (const { cut, files } of imagesAt(journal, { base: recorded.base, cuts, random })) {
    const { events } = recorded;
    const data = join(folder, `cut-${place}`);
    const verdict = await judgeCut({ folder: data, files, cut, events, isUnnoticed: values.unnoticed });
    for (const name of Object.keys(total)) total[name] += verdict[name];
    sentences.push(...verdict.sentences.map((sentence) => `cut ${place}: ${sentence}`));
    rmSync(data, { recursive: true, force: true });
    place += 1;
  }
  const { acknowledged, seen } = recorded;
  const rows = { seed: Number(values.seed), writes: journal.writes, cuts: place, acknowledged, seen, ...total };
  for (const [name, count] of Object.entries(rows)) console.log(`${name.padEnd(16)} ${String(count).padStart(10)}`);
  for (const sentence of sentences.slice(0, 20)) console.log(sentence);
  const { lost, unmarkedRepeats, outOfOrder, failedStarts } = total;
  process.exitCode = lost + unmarkedRepeats + outOfOrder + failedStarts === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
