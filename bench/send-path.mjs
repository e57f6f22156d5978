// The hub's send path without HTTP, hints to waits and followers included, beside bare group-commit loops that write the same
// rows with the same driver: row by row, with many rows per insert as the hub does, and without the rows of indexes. Each runs
// in a process of its own, in turns.
import { runScript } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const shapes = [
  { name: 'direct, 1 copy', members: 1 },
  { name: 'thread of 4, 3 copies', members: 3 },
];
const bare = {
  'row by row': { indexes: true, together: false },
  'many rows per insert': { indexes: true, together: true },
  'many rows, no indexes': { indexes: false, together: true },
};

const rows = [];
for (const { name, members } of shapes) {
  const loops = Object.entries(bare).map(([loop, options]) => [
    loop,
    () => runScript('./send-path-bare.mjs', { members, ...options }),
  ]);
  const figures = await inTurns(
    { hub: () => runScript('./send-path-hub.mjs', { members }), ...Object.fromEntries(loops) },
    rounds,
  );
  const rates = Object.values(figures).map((measured) => measured.map(({ perSecond }) => perSecond));
  const [hub, ...others] = rates;
  rows.push([name, spread(hub), ...others.flatMap((other) => [spread(other), spread(ratios(hub, other), 2)])]);
}
printTable(['send', 'hub, sends/s', ...Object.keys(bare).flatMap((loop) => [`bare, ${loop}`, 'hub : it'])], rows);
