// A store that is closed while calls are made.
import { expect, it } from 'vitest';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { DatabaseDoor } from '../fault/database-door.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

async function openStore(url: string) {
  const bugs: string[] = [];
  const onBug = (command: string, stack: string) => bugs.push(`${command}: ${stack}`);
  return { store: await openPostgresStore({ url, onNotices() {}, onBatch() {}, onBug }), bugs };
}

it('refuses the calls of loops that still run, which is no bug', async () => {
  const { store, bugs } = await openStore((await databaseOf(tempFolder())) ?? '');
  await store.close();
  await expect(store.removedInboxes()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect(store.lastSeq({ sessionId: 'default' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(bugs).toEqual([]);
});

it('ends the calls that are tried again, as the database’s absence and no bug', async () => {
  const door = await DatabaseDoor.open((await databaseOf(tempFolder())) ?? '');
  const { store, bugs } = await openStore(door.url);
  // Nothing listens there.
  door.leadTo('postgres://127.0.0.1:1');
  const before = door.admitted;
  const ended = store.keyState().catch((error: unknown) => error);
  await eventually('the call was tried again', () => door.admitted > before + 1);
  await store.close();
  expect(await ended).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(bugs).toEqual([]);
  door.close();
});
