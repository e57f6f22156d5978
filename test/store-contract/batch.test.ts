// Commands that commit together: one that fails half done undoes only itself.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { tempFolder } from '../support/temp-folder.js';
import { openCaller } from '../support/open-caller.js';

const sessionId = 'default';
const folder = tempFolder();
const bugs: string[] = [];
let store: Store;

beforeAll(async () => {
  store = await openSqliteStore({
    folder,
    storeMaxBytes: null,
    monotonicNow: 0,
    manualLeaseMs: 60_000,
    onBatch() {},
    onNotices() {},
    onBug: (command) => bugs.push(command),
    onBroken: (message) => bugs.push(message),
  });
  for (const id of ['ann', 'ben']) {
    const nothing = { name: null, description: null, capabilities: null };
    await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at: 1, onlyIfMissing: false });
  }
});
afterAll(async () => {
  await store.close();
});

const caller = openCaller(sessionId, 'ann');
const plan = (draft: Record<string, unknown>) => planSend(caller, operations.sendMessage.input.parse(draft), 1);
const send = (content: string) => store.appendMessage(plan({ content, target: 'ben' }));

const open = (threadId: string, replyTo?: string) => {
  const opening = plan({ content: 'hello', ...(replyTo === undefined ? {} : { replyTo }) });
  const kind = { isAdmin: true, isPrivate: false, critical: null, key: null };
  const people = { creator: 'ann', participants: ['ben'] };
  return store.createThread({ sessionId, threadId, title: threadId, ...people, opening, at: 1, ...kind });
};

it('the others of its batch are stored, in order and without a gap', async () => {
  // Submitted in one turn of the loop, so they are one batch. The second has written its thread and members when its
  // opening message turns out to answer nothing.
  const outcomes = await Promise.allSettled([send('one'), open('half', 'ma9zzz'), send('two'), open('whole')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'MESSAGE_UNKNOWN' } });
  expect(await store.readThread({ sessionId, threadId: 'half', reader: null })).toBeNull();
  expect((await store.readThread({ sessionId, threadId: 'whole', reader: null }))?.members).toEqual(['ann', 'ben']);
  const { messages: feed } = await store.readFeed({ sessionId, reader: { kind: 'all' }, afterSeq: 0, limit: 10 });
  expect(feed.map(({ seq, threadId }) => [seq, threadId])).toEqual([
    [1, null],
    [2, null],
    [3, 'whole'],
    [4, 'whole'],
  ]);
  expect(await store.countUnread({ sessionId, agentId: 'ben' })).toBe(3);
  expect(bugs).toEqual([]);
});

it('the writes of a batch are answered before its reads run', async () => {
  const answered: string[] = [];
  const inbox = { sessionId, agentId: 'ben' };
  const read = async () => {
    await store.countUnread(inbox);
    answered.push('read');
  };
  const write = async () => {
    await send('three');
    answered.push('write');
  };
  // In one turn of the loop: one batch, and the read was called first.
  await Promise.all([read(), write(), read()]);
  expect(answered).toEqual(['write', 'read', 'read']);
});
