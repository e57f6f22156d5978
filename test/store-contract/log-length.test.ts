// The store's log is copied into its file beside the writer: it stays short however much is stored, and is gone when the
// store is closed.
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { SearchQuery } from '../../dist/ports/history.js';
import type { Store } from '../../dist/ports/store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { tempFolder } from '../support/temp-folder.js';

const folder = tempFolder();
const log = join(folder, 'coterie.db-wal');
const open = () => {
  const quiet = { onBatch() {}, onNotices() {}, onBug: console.error, onBroken: console.error };
  return openSqliteStore({ folder, storeMaxBytes: null, monotonicNow: 0, manualLeaseMs: 60_000, ...quiet });
};

const mebibyte = 1024 * 1024;
const imagesMax = 160;
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

const everything: SearchQuery = {
  sessionId,
  reader: { kind: 'all' },
  terms: [{ words: ['plan'], isPrefix: false }],
  threadId: null,
  sender: null,
  type: null,
  since: null,
  until: null,
  position: null,
  limit: 50,
};

/** Several at once, so that the reader always has one to do. */
function readWithoutPause(store: Store) {
  const state = { isOver: false, reads: 0 };
  const readers = Array.from({ length: 8 }, async () => {
    for (; !state.isOver; state.reads++) await store.searchMessages(everything);
  });
  return {
    reads: () => state.reads,
    async stop() {
      state.isOver = true;
      await Promise.all(readers);
    },
  };
}

interface Lengths {
  stored: number;
  /** Of the log, at its longest. */
  longest: number;
}

/** At least 160 MiB. On a busy machine the thread that copies the log is slow: then more, and the log must not grow with them. */
async function storeImages(store: Store, isEnough: (lengths: Lengths) => boolean): Promise<Lengths> {
  const about = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await store.registerAgent({ sessionId, id, ...about });
  const lengths = { stored: 0, longest: 0 };
  for (let count = 0; count < imagesMax && (count < 40 || !isEnough(lengths)); count += 1) {
    const data = randomBytes(4 * mebibyte).toString('base64');
    const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data } };
    const content = [{ type: 'text', text: 'the plan' }, image];
    const draft = operations.sendMessage.input.parse({ target: 'ben', content });
    await store.appendMessage(planSend(ann, draft, Date.now()));
    lengths.stored += 4 * mebibyte;
    lengths.longest = Math.max(lengths.longest, statSync(log).size);
  }
  return lengths;
}

/** Of all that was stored; not copied away, the log would have all of it. */
const isShort = ({ stored, longest }: Lengths, share: number) => longest < share * stored;

// At 16,000 pages of 4 KiB a commit copies what is left, unless the thread is just at it: then one of the next does, and a few
// images may come on top.
it(
  'stays short while images are stored one after the other, and is gone afterwards',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    const store = await open();
    const stored = await storeImages(store, (lengths) => isShort(lengths, 0.6));
    expect(isShort(stored, 0.6), JSON.stringify(stored)).toBe(true);
    await store.close();
    expect(existsSync(log)).toBe(false);
    const again = await open();
    expect(await again.lastSeq({ sessionId })).toBe(stored.stored / (4 * mebibyte));
    await again.close();
  },
);

// It can be reset only between two reads.
it('stays short also while someone reads without a pause', { tags: ['long'], timeout: 180_000 }, async () => {
  const store = await open();
  const reading = readWithoutPause(store);
  const stored = await storeImages(store, (lengths) => isShort(lengths, 0.75) && reading.reads() > 40);
  expect(isShort(stored, 0.75), JSON.stringify(stored)).toBe(true);
  expect(reading.reads()).toBeGreaterThan(40);
  await reading.stop();
  await store.close();
  expect(existsSync(log)).toBe(false);
});
