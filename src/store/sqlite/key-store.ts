// The keys of a data folder, for the command line: also beside a running hub, over a connection of its own. It writes only
// what the hub's writer does not cache, frees no leases and, beside a hub, runs no migrations.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HubError, hubErrorFrom } from '../../contract/errors.js';
import { keyCommands, type KeyStore } from '../../ports/keys.js';
import { loadMigrations, missingMigrations } from '../apply-migrations.js';
import type { CommandName } from './commands.js';
import { runBatch } from './writer/batch.js';
import { DataFolder } from './writer/data-folder.js';
import type { Database } from './writer/driver.js';
import { databasePathIn, openStoreDatabase, openWritable, schemaOf } from './writer/open.js';
import { Tx } from './writer/transaction.js';

/** A hub that has just started may still have to make its tables. */
const startMsMax = 3_000;
const pollMs = 50;

export async function openKeyStore(folder: string): Promise<KeyStore> {
  const deadline = performance.now() + startMsMax;
  for (;;) {
    const alone = claimIfFree(folder);
    if (alone !== undefined) return openAlone(alone);
    const beside = openBeside(folder);
    if (beside !== undefined) return keyStoreOn(beside, () => beside.close());
    if (performance.now() > deadline) throw otherRelease(folder);
    await sleep(pollMs);
  }
}

function claimIfFree(path: string): DataFolder | undefined {
  try {
    return DataFolder.claim(path);
  } catch (error) {
    if (error instanceof HubError && error.code === 'DATA_IN_USE') return undefined;
    throw error;
  }
}

/** As a hub opens it, with its migrations. */
function openAlone(folder: DataFolder): KeyStore {
  try {
    const database = openStoreDatabase({ folder: folder.path, storeMaxBytes: null });
    return keyStoreOn(database, () => {
      database.close();
      folder.release();
    });
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** Undefined if its hub has not made the tables of this release. */
function openBeside(folder: string): Database | undefined {
  if (!existsSync(databasePathIn(folder))) return undefined;
  let isReady = false;
  const database = openWritable(folder, (opened) => {
    isReady = missingMigrations(loadMigrations('sqlite'), schemaOf(opened)).length === 0;
  });
  if (isReady) return database;
  database.close();
  return undefined;
}

function keyStoreOn(database: Database, close: () => void): KeyStore {
  const tx = new Tx(database);
  const methods = keyCommands.map((name) => [name, async (argument: unknown) => runOne(tx, name, argument)]);
  return {
    // Safe: the commands have the types of the port.
    ...(Object.fromEntries(methods) as Omit<KeyStore, 'close'>),
    close: () => Promise.resolve(close()),
  };
}

function runOne(tx: Tx, name: CommandName, argument: unknown): unknown {
  const [answer] = runBatch(tx, [[name, argument]]);
  if (answer !== undefined && 'ok' in answer) return answer.ok;
  throw answer === undefined ? new Error('no answer') : hubErrorFrom(answer.refused);
}

function otherRelease(folder: string): HubError {
  return new HubError('DATA_IN_USE', `The hub of ${folder} is of an older release: its database has no keys.`, {
    hint: 'Stop it (coterie stop), and run this again; then start a hub of this release.',
    details: { folder },
  });
}
