// The bare loop: the same rows, the same driver, the same settings, batches of the same size, and nothing else. It inserts row
// by row, or with `together` many rows per statement, by the hub's own class. With `indexes` it also writes the rows of
// history's indexes, with the hub's own statement, as often as the hub does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillHistoryIndexes } from '../../dist/store/sqlite/history/fill-history-indexes.js';
import { DeferredInserts } from '../../dist/store/sqlite/writer/deferred-inserts.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { answer, batch, text, times } from './send-path-shape.mjs';

const lagMax = 4_096;
const fillRows = 2_048;

const messages = {
  table: 'message',
  columns:
    'n session_id seq thread_id sender name at rank role type priority action urgent reply_to target content mentions extras expires_at recipients'.split(
      ' ',
    ),
};
const copies = { table: 'pending', columns: 'session_id agent_id lane rank seq n why expires_at'.split(' ') };

process.once('message', (shape) => void run(shape));

async function run({ members, indexes, together }) {
  const folder = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  const database = openStoreDatabase({ folder, storeMaxBytes: null });
  const tx = new Tx(database);
  const insert = together ? insertTogether(database) : insertOneByOne(database);
  const readers = Array.from({ length: members }, (_, index) => `reader-${index}`);
  const isThread = members > 1;
  const content = JSON.stringify([{ type: 'text', text }]);
  const recipients = JSON.stringify(readers);
  const state = { sent: 0, filled: 0, isOver: false };
  const fill = () => {
    database.exec('pragma synchronous = normal; begin immediate');
    fillHistoryIndexes(tx, fillRows);
    database.exec('commit; pragma synchronous = full');
    state.filled += fillRows;
  };
  const loop = async () => {
    while (!state.isOver) {
      database.exec('begin immediate');
      for (let index = 0; index < batch; index++) {
        const seq = ++state.sent;
        // The only writer knows the number of the row.
        const values = [
          seq,
          's',
          seq,
          isThread ? 't' : null,
          'ann',
          null,
          Date.now(),
          2,
          'ASSISTANT',
          isThread ? 'STATUS' : null,
        ];
        const rest = ['normal', 'queue', 0, null, isThread ? null : readers[0], content, null, null, null, recipients];
        insert.message([...values, ...rest]);
        for (const id of readers)
          insert.copy(['s', id, isThread ? 1 : 0, 2, seq, seq, isThread ? 'thread' : 'direct', null]);
      }
      insert.finish();
      database.exec('commit');
      if (indexes && state.sent - state.filled >= lagMax) fill();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const looping = loop();
  const figures = await times(() => state.sent);
  state.isOver = true;
  await looping;
  database.close();
  rmSync(folder, { recursive: true, force: true });
  answer(figures);
}

function insertOneByOne(database) {
  const [message, copy] = [messages, copies].map(({ table, columns }) => {
    return database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
  });
  return { message: (row) => message.run(...row), copy: (row) => copy.run(...row), finish() {} };
}

function insertTogether(database) {
  const inserts = new DeferredInserts(database);
  return {
    message: (row) => inserts.rowsOf(messages).push(...row),
    copy: (row) => inserts.rowsOf(copies).push(...row),
    finish: () => inserts.insert(),
  };
}
