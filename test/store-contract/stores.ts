// The store of this world, empty. Every store keeps the same promises, so each of these test files runs on every one.
import { join } from 'node:path';
import { Client } from 'pg';
import type { Clock } from '../../dist/ports/clock.js';
import type { HandedOver, Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

export interface OpenedStore {
  store: Store;
  /** Looks at the rows themselves, or changes them as nothing in the hub does yet. Parameters are question marks. */
  sql(text: string, ...values: (string | number)[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const quiet = { onBatch() {}, onNotices() {}, onBug: console.error };
const manualLeaseMs = 60_000;

interface OpenOptions {
  clock?: Pick<Clock, 'now' | 'monotonic'>;
  onHanded?: (handed: readonly HandedOver[]) => void;
}

const stoppedClock = { now: () => 1_000, monotonic: () => 0 };

export async function openStore({ onHanded = () => {}, clock = stoppedClock }: OpenOptions = {}): Promise<OpenedStore> {
  const folder = tempFolder();
  const database = await databaseOf(folder);
  const opened = await (database === null
    ? openEmbedded(folder, { onHanded, clock })
    : openOnServer(database, { onHanded, clock }));
  return {
    ...opened,
    async close() {
      await opened.store.close();
    },
  };
}

async function openEmbedded(
  folder: string,
  { onHanded, clock }: Required<OpenOptions>,
): Promise<Omit<OpenedStore, 'close'>> {
  // Most tests give each call a time of its own.
  const hasClock = clock !== stoppedClock;
  const settings = {
    folder,
    storeMaxBytes: null,
    monotonicNow: 0,
    manualLeaseMs,
    waits: { clock, onHanded },
    hasClock,
  };
  return {
    store: await openSqliteStore({ ...settings, ...quiet, onBroken: console.error }),
    sql(text, ...values) {
      const database = openDatabase(join(folder, 'coterie.db'));
      try {
        return Promise.resolve(database.prepare(text).all(...values) as Record<string, unknown>[]);
      } finally {
        database.close();
      }
    },
  };
}

async function openOnServer(
  url: string,
  { onHanded, clock }: Required<OpenOptions>,
): Promise<Omit<OpenedStore, 'close'>> {
  return {
    store: await openPostgresStore({ url, usesHubTime: true, waits: { clock, onHanded }, ...quiet }),
    async sql(text, ...values) {
      const client = new Client(url);
      await client.connect();
      let place = 0;
      const numbered = text.replaceAll('?', () => `$${(place += 1)}`);
      try {
        return (await client.query(numbered, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}
