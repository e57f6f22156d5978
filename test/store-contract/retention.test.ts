// Which old messages may be deleted, and that deleting them leaves the store sound.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';
import { eventually } from '../support/eventually.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
const audit = cliAudit(sessionId);
let opened: OpenedStore;
let store: Store;

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await store.registerAgent({ sessionId, id, ...nothing });
});
afterAll(() => opened.close());

async function send(content: string, at: number): Promise<{ id: string; seq: number }> {
  const capabilities = new Set(['send', 'read'] as const);
  const caller = { sessionId, agentId: 'ann', capabilities, owner: 'ann', connectAs: String, grant: null, address: '' };
  const plan = planSend(caller, operations.sendMessage.input.parse({ target: 'ben', content }), at);
  const answer = await store.appendMessage(plan);
  return 'appended' in answer ? answer.appended : expect.unreachable('it was refused');
}

async function readAll(at: number) {
  const lease = { token: `read-${at}`, isManual: false, now: at, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  const filter = { wakingOnly: false };
  const { copies } = await store.leaseCopies({ sessionId, agentId: 'ben', filter, limit: 100, ...lease });
  const held = { sessionId, agentId: 'ben', token: lease.token, keys: copies.map(({ key }) => key) };
  await store.confirmLease({ ...held, at });
  return held;
}

const prune = (before: number) => store.pruneMessages({ sessionId, before, afterSeq: 0 });

it('keeps a message that was read only lately: its reader may say that it did not arrive', async () => {
  const { seq } = await send('old', 1_000);
  const held = await readAll(900_000);
  await send('newest', 900_000);
  expect(await prune(500_000)).toMatchObject({ count: 0 });
  expect(await store.reopenCopies({ ...held, at: 900_100 })).toEqual([seq]);
  await readAll(900_200);
  expect(await prune(900_201)).toMatchObject({ count: 1 });
});

it('deletes a message that was redacted, with the words of every message', async () => {
  // SQLite indexes the words of 256 messages at a time.
  const sent = await Promise.all(Array.from({ length: 300 }, (_, index) => send(`zebra${index}`, 1_000_000)));
  await eventually('they are indexed', async () => {
    const [mark] = await opened
      .sql("select n as at from watermark where name = 'search'")
      .catch(() => opened.sql('select seq as at from word_mark'));
    return Number(mark?.['at']) >= 256;
  });
  const messageId = sent[7]?.id ?? '';
  await store.redactMessage({ sessionId, messageId, by: 'ann', reason: null, at: 1_000_001, audit });
  expect(await find('zebra7')).toBe(0);
  expect(await find('redacted')).toBe(0);
  expect(await find('zebra8')).toBe(1);
  for (let page = 0; page < 4; page += 1) await readAll(1_000_002 + page);
  await send('newest', 1_000_010);
  let pruned = 0;
  for (let from: number | null = 0; from !== null;) {
    const { count, next } = await store.pruneMessages({ sessionId, before: 1_000_010, afterSeq: from });
    pruned += count;
    from = next;
  }
  expect(pruned).toBe(301);
  expect(await find('zebra8')).toBe(0);
  expect(await find('newest')).toBe(1);
});

async function find(word: string): Promise<number> {
  const query = { sessionId, reader: { kind: 'all' as const }, threadId: null, sender: null, type: null };
  const terms = [{ words: [word], isPrefix: false }];
  const page = await store.searchMessages({ ...query, terms, since: null, until: null, limit: 50, position: null });
  return page.hits.length;
}
