// A database for each data folder, as if it were in it: the same folder again has the same data.
import { basename } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { world } from './world.js';

const databases = new Map<string, Promise<string>>();

/** Its address, or null in a world whose data is in the folder itself. */
export async function databaseOf(folder: string): Promise<string | null> {
  if (world === 'sqlite') return null;
  let address = databases.get(folder);
  if (address === undefined) databases.set(folder, (address = createDatabase(basename(folder))));
  return address;
}

export async function dropDatabases(): Promise<void> {
  const addresses = await Promise.all(databases.values());
  databases.clear();
  const names = addresses.map((address) => decodeURIComponent(new URL(address).pathname.slice(1)));
  await onServer(async (client) => {
    // Forced: a hub that a test killed may still have connections.
    for (const name of names) await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
  });
}

/** What settings of a hub name its database. */
export function databaseEnv(address: string | null): NodeJS.ProcessEnv {
  return address === null ? {} : { COTERIE_DATABASE_URL: address };
}

async function createDatabase(name: string): Promise<string> {
  await onServer((client) => client.query(`create database ${escapeIdentifier(name)}`));
  const address = serverUrl();
  address.pathname = `/${name}`;
  return address.href;
}

async function onServer(use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(serverUrl().href);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): URL {
  const url = process.env['COTERIE_TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('the global setup of this project has started no PostgreSQL server');
  return new URL(url);
}
