// The hub's send path without HTTP, beside a bare group-commit loop that writes the same rows with the same driver:
// all rows, and those of messages and copies alone. Each runs in a process of its own, in turns, so that a noisy machine
// is noisy for all.
import { runScript } from './support/processes.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const shapes = [
  { name: 'direct, 1 copy', members: 1 },
  { name: 'thread of 4, 3 copies', members: 3 },
];

const rows = [];
for (const { name, members } of shapes) {
  const figures = { hub: [], bare: [], bareWithoutIndexes: [] };
  for (let round = 0; round < rounds; round++) {
    figures.hub.push(await runScript('./send-path-hub.mjs', { members }));
    figures.bare.push(await runScript('./send-path-bare.mjs', { members, indexes: true }));
    figures.bareWithoutIndexes.push(await runScript('./send-path-bare.mjs', { members, indexes: false }));
  }
  const [hub, bare, lean] = [figures.hub, figures.bare, figures.bareWithoutIndexes].map(median);
  rows.push([name, Math.round(hub), Math.round(bare), percent(hub / bare), Math.round(lean), percent(hub / lean)]);
}
printTable(
  [
    'send',
    'hub, without HTTP, sends/s',
    'bare loop, all rows',
    'hub : bare',
    'bare, no indexes',
    'hub : bare, no indexes',
  ],
  rows,
);

function median(figures) {
  return figures.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}

function percent(ratio) {
  return `${Math.round(ratio * 100)} %`;
}
