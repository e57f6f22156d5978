// What a send costs on the way to the database: one question, and one for all that come at once.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';
import { openCaller } from '../support/open-caller.js';

const sessionId = 'default';
const folder = tempFolder();
const original = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
let store: Store;
/** By connection: words are indexed behind the sends, on others. */
let asked: { client: Client; text: string }[] = [];

beforeAll(async () => {
  Reflect.set(Client.prototype, 'query', function collect(this: Client, ...given: unknown[]) {
    const [first] = given;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    asked.push({ client: this, text: text ?? '' });
    return Reflect.apply(original, this, given);
  });
  const url = (await databaseOf(folder)) ?? '';
  store = await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  for (const id of ['ann', 'ben', 'cas']) {
    const nothing = { name: null, description: null, capabilities: null };
    await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at: 1, onlyIfMissing: false });
  }
  const kind = { isAdmin: true, isPrivate: false, critical: null, key: null, opening: null, at: 1 };
  const participants = ['ben', 'cas'];
  await store.createThread({ sessionId, threadId: 't', title: 'T', creator: 'ann', participants, ...kind });
});
afterAll(async () => {
  Reflect.set(Client.prototype, 'query', original);
  await store.close();
});

async function send(draft: Record<string, unknown>): Promise<void> {
  const caller = openCaller(sessionId, 'ann');
  const input = operations.sendMessage.input.parse({ content: 'hello', ...draft });
  expect(await store.appendMessage(planSend(caller, input, Date.now()))).toHaveProperty('appended');
}

/** What was asked meanwhile on the connections that sends go by. */
async function askedBySends(run: () => Promise<unknown>): Promise<string[]> {
  asked = [];
  await run();
  const clients = new Set(asked.flatMap(({ client, text }) => (isAppend(text) ? [client] : [])));
  return asked.filter(({ client }) => clients.has(client)).map(({ text }) => (isAppend(text) ? 'append' : text));
}

const isAppend = (text: string) => text.includes('append_messages');

const drafts = [
  ['to one', { target: 'ben' }],
  ['to a thread, with a mention', { threadId: 't', content: '@cas hello' }],
  ['with a key', { target: 'cas', idempotencyKey: 'k' }],
] as const;

it.each(drafts)('%s: one question, once the hub knows who is there', async (_, draft) => {
  await send({ ...draft, idempotencyKey: undefined });
  expect(await askedBySends(() => send(draft))).toEqual(['append']);
});

it('many at once: one question for all', async () => {
  await send({ target: 'ben' });
  const sends = () => Promise.all(Array.from({ length: 100 }, () => send({ target: 'ben' })));
  expect(await askedBySends(sends)).toEqual(['append']);
});
