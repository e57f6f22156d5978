// Durable sends through one, two and three hubs on one PostgreSQL, beside as many plain `pg` loops that write the same
// rows in batches. Without HTTP, as bench/send-path.mjs: what is measured is the way to the database.
import { fileURLToPath } from 'node:url';
import { startProgram, runScript } from './support/processes.mjs';
import { printTable } from './support/table.mjs';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const hubs = (process.env['HUBS'] ?? '1,2,3').split(',').map(Number);
const script = fileURLToPath(new URL('../scripts/postgres.mjs', import.meta.url));

const shapes = [
  { name: 'direct, 1 copy', members: 1 },
  { name: 'thread of 4, 3 copies', members: 3 },
];

const rows = [];
for (const shape of shapes) {
  for (const count of hubs) {
    const figures = { hub: [], json: [], arrays: [] };
    for (let round = 0; round < rounds; round++) {
      figures.hub.push(await together('./postgres-hub.mjs', count, shape));
      for (const form of ['json', 'arrays'])
        figures[form].push(await together('./postgres-bare.mjs', count, { ...shape, form }));
    }
    const [hub, json, arrays] = [figures.hub, figures.json, figures.arrays].map(median);
    rows.push([shape.name, count, ...[hub, json, arrays].map(Math.round), percent(hub / json), percent(hub / arrays)]);
  }
}
const plain = ['plain loops, JSON', 'plain loops, arrays'];
printTable(['send', 'hubs', 'hubs together, sends/s', ...plain, 'hubs : JSON', 'hubs : arrays'], rows);

/** On a server of their own, so that no one starts with another's rows. */
async function together(name, count, { members, form }) {
  const server = await startProgram(process.execPath, [script], { stdin: 'pipe', showErrors: true });
  try {
    const tasks = Array.from({ length: count }, (_, index) =>
      runScript(name, { url: server.address, index, members, form }),
    );
    const figures = await Promise.all(tasks);
    return figures.reduce((sum, { perSecond }) => sum + perSecond, 0);
  } finally {
    await server.stop();
  }
}

function percent(ratio) {
  return `${Math.round(ratio * 100)} %`;
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
