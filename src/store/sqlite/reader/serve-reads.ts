// Runs the long reads on a read-only connection of its own, so that neither the writer nor the servers wait for them.
import type { MessagePort } from 'node:worker_threads';
import { setLimits } from '../../../contract/limits.js';
import { runCommand } from '../commands.js';
import { attempt } from '../writer/batch.js';
import { openDatabase } from '../writer/driver.js';
import { databasePathIn } from '../writer/open.js';
import { ReadTx } from './read-transaction.js';
import type { FromReader, ReadCall, ReaderOptions, ToReader } from './reader-thread.js';

export function serveReads(port: MessagePort, { folder, limits }: ReaderOptions): void {
  setLimits(limits);
  const database = openDatabase(databasePathIn(folder), { readOnly: true });
  database.exec('pragma busy_timeout = 5000; pragma cache_size = -16384; pragma temp_store = memory;');
  const tx = new ReadTx(database);

  port.on('message', (message: ToReader) => {
    if (message.kind === 'read') return run(message.call);
    database.close();
    return port.close();
  });

  function run([id, name, argument]: ReadCall): void {
    const started = performance.now();
    const answer = attempt(() => tx.inSnapshot(() => runCommand(tx, name, argument)));
    const message: FromReader = { id, ms: performance.now() - started, ...answer };
    port.postMessage(message, tx.transferred.splice(0));
  }
}
