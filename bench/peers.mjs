// The same durable send to three recipients through one hub and several, and on what one might use instead, in turns.
import { runScript } from './support/processes.mjs';
import { peers as allPeers, yardsticks } from './support/peers/catalog.mjs';
import { installLibraries, installPrograms } from './support/peers/install.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';

const concurrency = (process.env['CONCURRENCY'] ?? '1,16,64').split(',').map(Number);
const runMs = Number(process.env['RUN_MS'] ?? 3_000);
/** Wakes in each turn. */
const rounds = Number(process.env['ROUNDS'] ?? 1_000);
/** Each peer is measured anew in each turn, so that a busy moment of the machine does not hit one alone. */
const turns = Number(process.env['TURNS'] ?? 3);
/** Only those whose names contain one of these. */
const systems = process.env['SYSTEMS']?.split(',') ?? [''];
const peers = allPeers.filter(({ name }) => systems.some((part) => name.includes(part)));

installLibraries();
installPrograms();

const measured = new Map(peers.map(({ name }) => [name, []]));
const leftOut = new Map();
for (let turn = 0; turn < turns; turn++) {
  for (const { name } of peers) {
    if (leftOut.has(name)) continue;
    console.error(`turn ${turn + 1} of ${turns}: ${name}`);
    try {
      const figures = await runScript('./measure-peer.mjs', { name, runMs, rounds, concurrency });
      if (figures.unavailable === undefined) measured.get(name).push(figures);
      else leftOut.set(name, figures.unavailable);
    } catch (error) {
      leftOut.set(name, error.message);
      process.exitCode = 1;
    }
  }
}

const summaries = peers.filter(({ name }) => measured.get(name).length > 0 && !leftOut.has(name)).map(summary);
const bases = yardsticks.map((name) => summaries.find((summed) => summed.name === name));
console.log(`In brackets: ratio to “${yardsticks.join('” : ratio to “')}”.\n`);
printTable(
  [
    'system',
    ...concurrency.map((count) => `sends/s, ${count} at once`),
    'wake p50',
    'wake p99',
    'on disk before the answer',
  ],
  summaries.map(({ name, durable, perSecond, wake }) => [
    name,
    ...perSecond.map((rate, index) => `${Math.round(rate)} ${ratios(rate, (base) => base.perSecond[index])}`),
    ...wake.map((ms, index) => `${ms.toFixed(2)} ms ${ratios(ms, (base) => base.wake[index])}`),
    durable,
  ]),
);
for (const [name, reason] of leftOut) console.log(`Not measured: ${name}: ${reason}.`);

function ratios(figure, figureOf) {
  const each = bases.map((base) => (base === undefined ? '–' : (figure / figureOf(base)).toFixed(2)));
  return `(${each.join(' : ')})`;
}

/** The median of the turns' rates; quantiles of all wakes. */
function summary({ name, durable }) {
  const results = measured.get(name);
  const perSecond = concurrency.map((_, index) =>
    quantile(
      results.map((figures) => figures.perSecond[index]),
      0.5,
    ),
  );
  const wakes = results.flatMap((figures) => figures.wakes);
  return { name, durable, perSecond, wake: [quantile(wakes, 0.5), quantile(wakes, 0.99)] };
}
