// The store's log is copied into its file beside the writer: it stays short however much is stored, and is gone when the
// store is closed.
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { tempFolder } from '../support/temp-folder.js';

const folder = tempFolder();
const log = join(folder, 'coterie.db-wal');
const open = () => {
  const quiet = { onBatch() {}, onNotices() {}, onBug: console.error, onBroken: console.error };
  return openSqliteStore({ folder, storeMaxBytes: null, monotonicNow: 0, manualLeaseMs: 60_000, ...quiet });
};

const sessionId = 'default';
const ann = {
  sessionId,
  agentId: 'ann',
  capabilities: new Set(['send', 'read'] as const),
  owner: 'open',
  connectAs: String,
  grant: null,
  address: '',
};

it('stays short while images are stored one after the other, and is gone afterwards', { tags: ['long'] }, async () => {
  const store = await open();
  const about = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await store.registerAgent({ sessionId, id, ...about });
  const mebibyte = 1024 * 1024;
  let longest = 0;
  for (let count = 0; count < 40; count += 1) {
    const data = randomBytes(4 * mebibyte).toString('base64');
    const content = [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data } }];
    const draft = operations.sendMessage.input.parse({ target: 'ben', content });
    await store.appendMessage(planSend(ann, draft, Date.now()));
    longest = Math.max(longest, statSync(log).size);
  }
  // 160 MiB were stored. At 16,000 pages of 4 KiB a commit copies what is left, unless the thread is just at it: then one
  // of the next does, and a few images may come on top.
  expect(longest).toBeLessThan(100 * mebibyte);
  await store.close();
  expect(existsSync(log)).toBe(false);
  const again = await open();
  expect(await again.lastSeq({ sessionId })).toBe(40);
  await again.close();
});
