// Durable sends through one, two and three hubs on one PostgreSQL, beside as many plain `pg` loops that write the same
// rows in batches, in turns. Without HTTP, as bench/send-path.mjs: what is measured is the way to the database, hints to the
// other hubs included.
import { fileURLToPath } from 'node:url';
import { startProgram, runScript } from './support/processes.mjs';
import { printTable } from './support/table.mjs';
import { inTurns, ratios, spread } from './support/turns.mjs';

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
    const { hub, json, arrays } = await inTurns(
      {
        hub: () => together('./postgres-hub.mjs', count, shape),
        json: () => together('./postgres-bare.mjs', count, { ...shape, form: 'json' }),
        arrays: () => together('./postgres-bare.mjs', count, { ...shape, form: 'arrays' }),
      },
      rounds,
    );
    const compared = [json, arrays].map((plain) => spread(ratios(hub, plain), 2));
    rows.push([shape.name, count, ...[hub, json, arrays].map((rates) => spread(rates)), ...compared]);
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
