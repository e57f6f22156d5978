// The store of this world for the property, with what it keeps as long as the test file runs.
import { setLimits } from '../../dist/contract/limits.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';
import { startPostgres } from './inbox-postgres.js';
import { startSqlite } from './inbox-sqlite.js';
import { inboxMax, type OpenStore } from './inbox-world.js';

// The loop guard is another test's subject: here agents answer each other without end.
setLimits({ inbox: inboxMax, turnsMax: Number.MAX_SAFE_INTEGER });

export const openInboxStore: OpenStore = async () => {
  // The first test opens it, and the others go on with it.
  const folder = tempFolder({ isShared: true });
  const database = await databaseOf(folder);
  const start = () => (database === null ? startSqlite(folder) : startPostgres(database));
  const opened = {
    store: await start(),
    isShared: database !== null,
    async restart() {
      await opened.store.close();
      opened.store = await start();
      return opened.store;
    },
    close: () => opened.store.close(),
  };
  return opened;
};
