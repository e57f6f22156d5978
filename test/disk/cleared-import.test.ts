// What is sent after a restart, while a refused import is still being cleared, is indexed as everything else.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { eventually } from '../support/eventually.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';

const folder = tempFolder();
const sessionId = 'default';
/** So many that an idle hub indexes them. They are cleared 20 at a time. */
const imported = 600;

function open(): Promise<Store> {
  const settings = { folder, storeMaxBytes: null, monotonicNow: 0, manualLeaseMs: 60_000 };
  const quiet = { onBatch() {}, onNotices() {}, onBug: console.error, onBroken: console.error };
  return openSqliteStore({ ...settings, ...quiet });
}

function send(store: Store, content: string) {
  const input = operations.sendMessage.input.parse({ target: 'ben', content });
  return store.appendMessage(planSend(openCaller(sessionId, 'ann'), input, Date.now()));
}

/** As far as the indexes of history are filled. */
function indexedUpTo(): number {
  const database = openDatabase(join(folder, 'coterie.db'));
  try {
    const row = database.prepare("select n from watermark where name = 'history'").get();
    return (row as { n: number }).n;
  } finally {
    database.close();
  }
}

const message = (seq: number) => ({
  kind: 'message',
  seq,
  sender: 'zoe',
  at: 1,
  rank: 2,
  role: 'ASSISTANT',
  priority: 'normal',
  action: 'queue',
  urgent: 0,
  content: [{ type: 'text', text: 'imported' }],
  recipients: [],
  hops: 0,
  mentions: [],
});

it('a message that gets the row number of a cleared one is found', async () => {
  let store = await open();
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await store.registerAgent({ sessionId, id, ...nothing });
  await send(store, 'before');
  const run = (importId: string) => ({ sessionId: 'copy', importId, at: Date.now() });
  const progress = {} as Parameters<Store['stageImport']>[0]['progress'];
  await store.stageImport({ ...run('one'), sessionId, part: 1, target: 'copy', progress, lines: '' });
  await store.beginImport({ ...run('one'), from: sessionId, createdBySession: null });
  const lines = Array.from({ length: imported }, (_, index) => JSON.stringify(message(index + 1)));
  await store.insertImported({ ...run('one'), lines, owner: 'open', salt: 1 });
  await eventually('the import is indexed', () => Promise.resolve(indexedUpTo() === imported + 1));
  for (let step = 0; step < imported / 20; step += 1) await store.clearImport({ ...run('one'), keepsName: false });
  await store.close();

  store = await open();
  await send(store, 'meanwhile');
  expect(await store.takeLeftImports({ importId: 'two', now: Date.now() })).toEqual(['copy']);
  while ((await store.clearImport({ ...run('two'), keepsName: false })).hasMore);
  await send(store, 'after');
  const { copies } = await store.recentCopies({ sessionId, agentId: 'ben', horizon: 100, before: null, limit: 10 });
  expect(copies.map(({ message: { content } }) => content)).toMatchObject([
    [{ text: 'before' }],
    [{ text: 'meanwhile' }],
    [{ text: 'after' }],
  ]);
  await store.close();
});
