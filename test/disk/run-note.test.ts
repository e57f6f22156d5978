// The note that a hub runs, when a full disk refuses it at the start: without it a power cut would mark nothing.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runBatch } from '../../dist/store/sqlite/writer/batch.js';
import { StoreCondition } from '../../dist/store/sqlite/writer/condition.js';
import type { Database } from '../../dist/store/sqlite/writer/driver.js';
import { openHeldNote } from '../../dist/store/sqlite/writer/held-note.js';
import { databasePathIn, openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { beginRun } from '../../dist/store/sqlite/writer/run-marker.js';
import { Tx } from '../../dist/store/sqlite/writer/transaction.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/temp-folder.js';

const boot = 1_000_000;
let folder: string;
let database: Database;
let tx: Tx;
let isFull = false;

beforeEach(() => {
  folder = tempFolder();
  database = openStoreDatabase({ folder, storeMaxBytes: null });
  tx = new Tx(database);
  const control = tx.control.bind(tx);
  tx.control = (sql) => {
    if (sql === 'commit' && isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    control(sql);
  };
});
afterEach(() => {
  isFull = false;
  database.close();
});

const noted = () => tx.all("select n from watermark where name = 'open run'");

it('is written before the first write that the disk takes', async () => {
  isFull = true;
  expect(beginRun(tx, boot)).toBe(false);
  const { note } = openHeldNote(folder);
  const noteRun = (open: Tx) => beginRun(open, boot);
  const databasePath = databasePathIn(folder);
  tx.condition = new StoreCondition({ folder, databasePath, storeMaxBytes: null, note, noteRun, onChange() {} });
  const write = () => runBatch(tx, [['noteSeen', []]])[0];
  expect(write()).toMatchObject({ refused: { code: 'STORE_FULL' } });
  expect(noted()).toEqual([]);
  isFull = false;
  await eventually('the disk is asked again', () => 'ok' in (write() ?? {}));
  expect(noted()).toMatchObject([{ n: boot }]);
  note.close();
});

it('a start after a power cut fails if it cannot mark what may have been handed out', () => {
  expect(beginRun(tx, boot)).toBe(true);
  isFull = true;
  expect(() => beginRun(tx, 2 * boot)).toThrow(/full/);
  isFull = false;
  expect(beginRun(tx, 2 * boot)).toBe(true);
  expect(noted()).toMatchObject([{ n: 2 * boot }]);
});
