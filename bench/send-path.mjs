// The hub's send path without HTTP, beside a bare group-commit loop that writes the same rows with the same driver.
// Each runs in a process of its own, in turns, so that a noisy machine is noisy for both.
import { runScript } from './support/processes.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const shapes = [
  { name: 'direct, 1 copy', members: 1 },
  { name: 'thread of 4, 3 copies', members: 3 },
];

const rows = [];
for (const { name, members } of shapes) {
  const hub = [];
  const bare = [];
  for (let round = 0; round < rounds; round++) {
    hub.push(await runScript('./send-path-hub.mjs', { members }));
    bare.push(await runScript('./send-path-bare.mjs', { members }));
  }
  const [ours, theirs] = [median(hub), median(bare)];
  rows.push([name, Math.round(ours), Math.round(theirs), `${Math.round((ours / theirs) * 100)} %`]);
}
printTable(['send', 'hub, without HTTP, sends/s', 'bare group-commit loop, sends/s', 'hub : bare'], rows);

function median(figures) {
  return figures.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
