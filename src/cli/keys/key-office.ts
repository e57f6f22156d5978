// Where `coterie keys` and `coterie people` make their changes: in the store of this machine, or at a hub named by its URL.
import { resolve } from 'node:path';
import type { WantedKey } from '../../access/decide-key.js';
import { loadPlace } from '../../config.js';
import { withoutPassword } from '../../contract/database-url.js';
import { HubError } from '../../contract/errors.js';
import type { KeyView } from '../../contract/key.js';
import type { KeyStore } from '../../ports/keys.js';
import { openKeyStore } from '../../store/sqlite/key-store.js';
import { requireDatabaseIn } from '../../store/sqlite/writer/open-for-reading.js';
import type { Flag } from '../arguments/flag.js';
import { configFlag, dataFlag, readHubChoice, sessionFlag, urlFlag } from '../arguments/hub-flags.js';
import { keyFileFlag } from '../arguments/key-choice.js';
import { forCommandLine } from '../hub/connect.js';
import { shortPath } from '../show/short-path.js';
import { localKeys } from './local-keys.js';
import { remoteKeys } from './remote-keys.js';

export interface MadeKey {
  /** The whole key. */
  readonly secret: string;
  readonly key: KeyView;
  /** It was the first one. */
  readonly endsOpenMode: boolean;
  /** The session whose administrators administer this one too: a key of theirs created it. */
  readonly administeredBy?: string | null;
  readonly place: string;
}

export interface MadeLink {
  /** Has the link's secret. */
  readonly fragment: string;
  readonly opensUntil: string;
  readonly key: KeyView;
}

export interface KeyOffice {
  /** The folder, the database or the hub that the keys are for. */
  readonly place: string;
  create(wanted: WantedKey): Promise<MadeKey>;
  createForPerson(wanted: WantedKey): Promise<MadeKey>;
  createLink(wanted: { label: string; ttl: number }): Promise<MadeLink>;
  list(): Promise<KeyView[]>;
  revoke(id: string): Promise<KeyView>;
  rotate(id: string, overlapSeconds: number): Promise<MadeKey & { replaced: KeyView }>;
  addPerson(id: string, name: string | null): Promise<{ id: string; name: string; sessionId: string; isNew: boolean }>;
  people(): Promise<{ id: string; name: string }[]>;
  close(): Promise<void>;
}

export const officeFlags: readonly Flag[] = [
  sessionFlag,
  { ...dataFlag, help: 'the data folder of the hub (see coterie where)' },
  {
    name: 'database',
    value: 'URL',
    help: 'the database of the hub, in place of a folder',
    env: 'COTERIE_DATABASE_URL',
  },
  configFlag,
  { ...urlFlag, help: 'a hub elsewhere; needs a key with admin' },
  keyFileFlag,
];

/** Runs `work` and closes what it opened. Only who makes something may make the store for it. */
export async function inOffice<Result>(
  own: ReadonlyMap<string, string>,
  work: (office: KeyOffice) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  const isLocal = own.has('data') || own.has('database');
  const choice = readHubChoice(own, isLocal ? { ...process.env, COTERIE_URL: '' } : process.env);
  const office =
    choice.url === undefined
      ? localKeys(await openLocalStore(own, { mayCreate }), choice.session, placeOf(own))
      : remoteKeys(choice);
  try {
    return await work(office);
  } catch (error) {
    // A hub's errors come in the words of the command line already.
    throw error instanceof HubError && choice.url === undefined ? forCommandLine(error, choice) : error;
  } finally {
    await office.close();
  }
}

/** The store itself, beside a running hub too. */
export async function openLocalStore(own: ReadonlyMap<string, string>, { mayCreate = false } = {}): Promise<KeyStore> {
  const { data, database } = localPlace(own);
  if (database === null) {
    const folder = resolve(data);
    if (!mayCreate) requireDatabaseIn(folder);
    return openKeyStore(folder);
  }
  // Imported on demand: most hubs have no database.
  const { openPostgresStore } = await import('../../store/postgres/postgres-store.js');
  return openPostgresStore({ url: database, onBatch() {}, onNotices() {}, onBug() {} });
}

function placeOf(own: ReadonlyMap<string, string>): string {
  const { data, database } = localPlace(own);
  return database === null ? shortPath(resolve(data)) : withoutPassword(database);
}

function localPlace(own: ReadonlyMap<string, string>): ReturnType<typeof loadPlace> {
  const flags = ['data', 'database', 'config'].flatMap((name) => {
    const value = own.get(name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  // A folder that was typed is meant, also where new hubs would use a database.
  const env = own.has('data') && !own.has('database') ? { ...process.env, COTERIE_DATABASE_URL: '' } : process.env;
  return loadPlace(flags, env);
}
