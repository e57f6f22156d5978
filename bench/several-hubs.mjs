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
    const figures = { hub: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      figures.hub.push(await together('./postgres-hub.mjs', count, shape));
      figures.bare.push(await together('./postgres-bare.mjs', count, shape));
    }
    const [hub, bare] = [figures.hub, figures.bare].map(median);
    rows.push([shape.name, count, Math.round(hub), Math.round(bare), `${Math.round((hub / bare) * 100)} %`]);
  }
}
printTable(['send', 'hubs', 'hubs together, sends/s', 'plain loops together', 'hubs : plain'], rows);

/** On a server of their own, so that no one starts with another's rows. */
async function together(name, count, { members }) {
  const server = await startProgram(process.execPath, [script], { stdin: 'pipe', showErrors: true });
  try {
    const tasks = Array.from({ length: count }, (_, index) => runScript(name, { url: server.address, index, members }));
    const figures = await Promise.all(tasks);
    return figures.reduce((sum, { perSecond }) => sum + perSecond, 0);
  } finally {
    await server.stop();
  }
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
