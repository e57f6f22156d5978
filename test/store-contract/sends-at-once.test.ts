// Many sends in one turn of the loop travel together: each still gets its own answer, and none costs another its place.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { openCaller } from '../support/open-caller.js';
import { openStore, type OpenedStore } from './stores.js';

const sessions = ['red', 'blue'] as const;
let opened: OpenedStore;
let store: Store;

beforeEach(async () => {
  opened = await openStore();
  store = opened.store;
  for (const sessionId of sessions) for (const id of ['ann', 'ben']) await register(sessionId, id);
});
afterEach(async () => {
  await opened.close();
});

async function register(sessionId: string, id: string): Promise<void> {
  const nothing = { name: null, description: null, capabilities: null };
  await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at: 1, onlyIfMissing: false });
}

function send(sessionId: string, content: string, draft: Record<string, unknown> = {}) {
  const caller = openCaller(sessionId, 'ann');
  return store.appendMessage(
    planSend(caller, operations.sendMessage.input.parse({ target: 'ben', content, ...draft }), 1_000),
  );
}

async function textsOf(sessionId: string): Promise<string[]> {
  const page = { reader: { kind: 'all' }, afterSeq: 0, limit: 1_000 } as const;
  const { messages: feed } = await store.readFeed({ sessionId, ...page });
  expect(feed.map(({ seq }) => seq)).toEqual(feed.map((_, index) => index + 1));
  const columns = 'select content from message where session_id = ? order by seq';
  const rows = await opened.sql(columns, sessionId);
  return rows.map(({ content }) => JSON.parse(String(content))[0].text);
}

it('a retry among them is answered as before, another request under its key is refused, the others are stored', async () => {
  const first = await send('red', 'one', { idempotencyKey: 'k' });
  const outcomes = await Promise.allSettled([
    send('red', 'two'),
    send('red', 'one', { idempotencyKey: 'k' }),
    send('blue', 'zwei'),
    send('red', 'another', { idempotencyKey: 'k' }),
    send('red', 'three', { idempotencyKey: 'new' }),
    send('red', 'four'),
  ]);
  const states = outcomes.map(({ status }) => status);
  expect(states).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ value: { appended: { ...firstOf(first), duplicate: true } } });
  expect(outcomes[3]).toMatchObject({ reason: { code: 'IDEMPOTENCY_CONFLICT' } });
  expect(await textsOf('red')).toEqual(['one', 'two', 'three', 'four']);
  expect(await textsOf('blue')).toEqual(['zwei']);
  expect(await send('red', 'three', { idempotencyKey: 'new' })).toMatchObject({
    appended: { seq: 3, duplicate: true },
  });
});

function firstOf(result: Awaited<ReturnType<typeof send>>): { id: string; seq: number } {
  if (!('appended' in result)) throw new Error('it was refused');
  return { id: result.appended.id, seq: result.appended.seq };
}

it('the same send twice under one key is one message', async () => {
  const both = await Promise.all(['k', 'k'].map((idempotencyKey) => send('red', 'once', { idempotencyKey })));
  expect(both.map((one) => ('appended' in one ? [one.appended.seq, one.appended.duplicate] : one))).toEqual([
    [1, false],
    [1, true],
  ]);
});

it('one to a stranger is kept as a dead letter, and those around it are stored', async () => {
  const [, refused] = await Promise.all([
    send('red', 'one'),
    send('red', 'lost', { target: 'eve' }),
    send('red', 'two'),
  ]);
  expect(refused).toMatchObject({ refused: { code: 'TARGET_UNKNOWN' } });
  expect((await textsOf('red')).toSorted()).toEqual(['lost', 'one', 'two']);
});

it('texts of every kind and all that goes with a message come back as they were', async () => {
  const texts = ['{a,"b",\\}', 'NULL', 'ü 漢字 🦩', 'null \u0000 byte', '\\\\x', '""', "it's", '\n\tx', '\uD800 half'];
  await Promise.all(texts.map((text) => send('red', text, { ttl: 60, metadata: { text }, receipt: 'read' })));
  expect(await textsOf('red')).toEqual(texts);
  const rows = await opened.sql('select extras, expires_at from message where session_id = ? order by seq', 'red');
  expect(rows.map(({ extras }) => JSON.parse(String(extras)).metadata.text)).toEqual(texts);
  expect(rows.map(({ expires_at }) => Number(expires_at))).toEqual(texts.map(() => 61_000));
  const copies = await opened.sql('select agent_id, wants_receipt from pending where session_id = ?', 'red');
  expect(copies).toEqual(texts.map(() => ({ agent_id: 'ben', wants_receipt: 1 })));
});

it('many hundreds are stored in their order', async () => {
  const texts = Array.from({ length: 700 }, (_, index) => `number ${index}`);
  await Promise.all(texts.map((text, index) => send(sessions[index % 2] ?? 'red', text)));
  expect(await textsOf('red')).toEqual(texts.filter((_, index) => index % 2 === 0));
  expect(await textsOf('blue')).toEqual(texts.filter((_, index) => index % 2 === 1));
});
