// Opens the configured store: PostgreSQL, or SQLite in a data folder that this hub locks for itself.
import type { Config } from './config.js';
import type { ErrorCode } from './contract/errors.js';
import type { Clock } from './ports/clock.js';
import type { HubLink } from './ports/hub-link.js';
import type { Log } from './ports/log.js';
import type { SharedTurns } from './ports/shared-turns.js';
import type { CommitNews, HandedOver, Store } from './ports/store.js';
import { DataFolder } from './store/sqlite/writer/data-folder.js';
import { openSqliteStore } from './store/sqlite/sqlite-store.js';

interface OpenOptions {
  config: Config;
  log: Log;
  clock: Clock;
  /** The clock is controlled by a test: the database's own clock would differ. */
  usesHubTime: boolean;
  /** For tests: stands for this start of the machine. */
  boot?: number | undefined;
  onBatch: (commands: number, ms: number) => void;
  onRead: (ms: number, queued: number) => void;
  onNotices: (notices: readonly CommitNews[]) => void;
  onHanded: (handed: readonly HandedOver[]) => void;
  onBroken: (message: string) => void;
  /** The store refuses writes with this code from now on, or accepts them again: null. */
  onCondition: (code: ErrorCode | null, message: string) => void;
}

export interface OpenedStore {
  store: Store;
  /** The link to other hubs on the same database. */
  link: HubLink | undefined;
  turns: SharedTurns | undefined;
  /** Records this hub's URL for processes that look for the hub of the data folder. */
  noteHub(url: string): void;
  /** Called after the store is closed. */
  release(): void;
}

export async function openStore(options: OpenOptions): Promise<OpenedStore> {
  const { database } = options.config;
  return database === null ? openInFolder(options) : openInDatabase(options, database);
}

async function openInFolder({ config, log, clock, ...options }: OpenOptions): Promise<OpenedStore> {
  const folder = DataFolder.claim(config.data);
  try {
    const store = await openSqliteStore({
      folder: folder.path,
      storeMaxBytes: config.storeMaxBytes,
      monotonicNow: clock.monotonic(),
      manualLeaseMs: config.manualLeaseMs,
      boot: options.boot,
      hasClock: true,
      onBatch: options.onBatch,
      onRead: options.onRead,
      onNotices: options.onNotices,
      waits: { clock, onHanded: options.onHanded },
      onBug: (command, error) => log.error('bug', { operation: command, error }),
      onBroken: options.onBroken,
      onCondition: options.onCondition,
    });
    return {
      store,
      link: undefined,
      turns: undefined,
      noteHub: (url) => folder.noteHub({ pid: process.pid, url }),
      release: () => folder.release(),
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

async function openInDatabase({ log, clock, ...options }: OpenOptions, url: string): Promise<OpenedStore> {
  // Imported on demand: most hubs have no database.
  const { openPostgresStore } = await import('./store/postgres/postgres-store.js');
  const { openHubLink } = await import('./store/postgres/connection/hub-link.js');
  const { OpenConnections } = await import('./store/postgres/connection/open-connections.js');
  const connections = new OpenConnections();
  const store = await openPostgresStore({
    url,
    connections,
    usesHubTime: options.usesHubTime,
    onBatch: options.onBatch,
    onNotices: options.onNotices,
    waits: { clock, onHanded: options.onHanded },
    onBug: (command, error) => log.error('bug', { operation: command, error }),
  });
  try {
    const link = await openHubLink(url, () => connections.dropStale());
    return { store, turns: store.turns, link, noteHub() {}, release() {} };
  } catch (error) {
    await store.close();
    throw error;
  }
}
