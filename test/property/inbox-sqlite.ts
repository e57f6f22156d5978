// The SQLite store for the property.
import type { Store } from '../../dist/ports/store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { fail, manualLeaseMs } from './inbox-world.js';

export function startSqlite(folder: string): Promise<Store> {
  return openSqliteStore({
    folder,
    storeMaxBytes: null,
    monotonicNow: 0,
    manualLeaseMs,
    onBatch() {},
    onNotices() {},
    onBug: fail,
    onBroken: (message) => fail('store', message),
  });
}
