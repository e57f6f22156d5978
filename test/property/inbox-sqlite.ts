// The SQLite store for the property, in a folder that lives as long as the test file.
import { afterAll } from 'vitest';
import { setLimits } from '../../dist/contract/limits.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { removeFolder, tempFolder } from '../support/hub-process.js';
import { inboxMax, manualLeaseMs, type OpenStore } from './inbox-world.js';

// The loop guard is another test's subject: here agents answer each other without end.
setLimits({ inbox: inboxMax, turnsMax: Number.MAX_SAFE_INTEGER });

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeFolder(folder);
});

function fail(what: string, detail: string): never {
  throw new Error(`${what}: ${detail}`);
}

export const openSqlite: OpenStore = async () => {
  const folder = tempFolder();
  folders.push(folder);
  const start = () =>
    openSqliteStore({
      ...{ folder, storeMaxBytes: null, monotonicNow: 0, manualLeaseMs },
      onBatch() {},
      onNotices() {},
      onBug: fail,
      onBroken: (message) => fail('store', message),
    });
  const opened = {
    store: await start(),
    async restart() {
      await opened.store.close();
      opened.store = await start();
      return opened.store;
    },
    close: () => opened.store.close(),
  };
  return opened;
};
