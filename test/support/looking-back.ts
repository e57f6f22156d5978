// A session to look back at: what was said in it, page by page, and with its indexes filled.
import { join } from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { eventually } from './eventually.js';
import { call } from './http-call.js';
import type { HubInProcess } from './hub-in-process.js';
import { databaseOf } from './test-database.js';
import { world } from './world.js';

export type Fields = Record<string, unknown>;
export interface Found {
  messages: { id: string; seq: number; sender: string; snippet: string; content: { text: string }[] }[];
  hasMore: boolean;
  cursor: string | null;
}

/** A session with ann, ben and cyn in it. */
export async function openSession(hub: HubInProcess, session: string) {
  for (const agentId of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', { agentId }, { session });
  const as = (agent: string) => ({ agent, session });
  const send = (agent: string, input: Fields) => call(hub.url, 'send_message', input, as(agent));
  const ask = (operation: string, input: Fields, agent = 'ann') => call(hub.url, operation, input, as(agent));
  const history = (input: Fields): Promise<Found> => ask('query_message_history', input);
  const search = (query: string, input: Fields = {}): Promise<Found> => ask('search_messages', { query, ...input });
  return { as, send, ask, history, search };
}

/** What agents wrote, without the hub's own notices. */
export const texts = ({ messages }: Found) =>
  messages.filter(({ sender }) => sender !== 'system').map(({ content }) => content[0]?.text);

/** Every page, following the cursor; `between` runs after each. */
export async function allPages(
  read: (cursor: Fields) => Promise<Found>,
  between: () => Promise<unknown> = async () => {},
) {
  const pages: Found[] = [];
  for (let cursor: string | null | undefined = undefined; cursor !== null;) {
    const page: Found = await read(cursor === undefined ? {} : { cursor });
    expect(page.hasMore).toBe(page.cursor !== null);
    pages.push(page);
    cursor = page.cursor;
    await between();
  }
  return pages.flatMap(({ messages }) => messages);
}

function indexedUpTo(hub: HubInProcess, name: string): number {
  const database = openDatabase(join(hub.data, 'coterie.db'));
  try {
    return (database.prepare('select n from watermark where name = ?').get(name) as { n: number }).n;
  } finally {
    database.close();
  }
}

function lastRow(hub: HubInProcess): number {
  const database = openDatabase(join(hub.data, 'coterie.db'));
  try {
    return (database.prepare('select max(n) as n from message').get() as { n: number }).n;
  } finally {
    database.close();
  }
}

/** On a database only the index of words comes later. */
async function wordsAreFilled(hub: HubInProcess): Promise<void> {
  const client = new Client((await databaseOf(hub.data)) ?? '');
  await client.connect();
  const behind = `select 1 from session s where (select max(seq) from message m where m.session_id = s.id)
    > coalesce((select w.seq from word_mark w where w.session_id = s.id), 0)`;
  await eventually('all words are in the index', async () => (await client.query(behind)).rowCount === 0, 30_000);
  await client.end();
}

/** Sends so many that the indexes are filled in the background, and waits until they are. */
export async function fillIndexes(
  hub: HubInProcess,
  send: (agent: string, input: Fields) => Promise<unknown>,
  sender = 'cyn',
): Promise<void> {
  const from = world === 'sqlite' ? lastRow(hub) : 0;
  for (let part = 0; part < 20; part++) {
    const batch = Array.from({ length: 30 }, (_, index) =>
      send(sender, { target: 'cyn2', message: `filler ${part}.${index}` }),
    );
    await Promise.all(batch);
  }
  if (world !== 'sqlite') return wordsAreFilled(hub);
  for (const name of ['history', 'search']) {
    await eventually(`the ${name} index has what was sent before`, () => indexedUpTo(hub, name) > from);
  }
}
