// A store that is closed while the database is away.
import { expect, it } from 'vitest';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { DatabaseDoor } from '../fault/database-door.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

it('ends the calls that are tried again, as the database’s absence and no bug', async () => {
  const door = await DatabaseDoor.open((await databaseOf(tempFolder())) ?? '');
  const bugs: string[] = [];
  const store = await openPostgresStore({
    url: door.url,
    onNotices() {},
    onBatch() {},
    onBug: (command, stack) => bugs.push(`${command}: ${stack}`),
  });
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
