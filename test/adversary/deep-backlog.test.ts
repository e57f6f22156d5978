// Inboxes with 20,000 unread copies: what their readers ask holds up nobody, and the hub files them before someone asks.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { openStoreDatabase } from '../../dist/store/sqlite/writer/open.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';

const copies = 20_000;
const readers = ['early', 'late'];
const privateThreads = 2_000;

/** As if it had been sent before the hub starts: every thousandth message is from `rare`. */
function fill(folder: string): void {
  const database = openStoreDatabase({ folder, storeMaxBytes: null });
  const upTo = (last: number) => `with recursive c (n) as (select 1 union all select n + 1 from c where n < ${last})`;
  database.exec('pragma synchronous = off; begin');
  database.exec("insert into session (id, salt, created_at) values ('default', 1, 0)");
  for (const id of [...readers, 'busy', 'rare', 'idle']) {
    database.exec(
      `insert into agent (session_id, id, name, description, capabilities, kind, owner, registered_at, last_seen_at)
       values ('default', '${id}', '${id}', '', '[]', 'agent', 'open', 0, 0)`,
    );
  }
  database.exec(
    `${upTo(copies)} insert into message (n, session_id, seq, thread_id, sender, at, rank, role, priority, action, urgent, content, recipients)
     select n, 'default', n, 'noise', iif(n % 1000 = 0, 'rare', 'busy'), n, 2, 'ASSISTANT', 'normal', 'queue', 0,
       '[{"type":"text","text":"one of many"}]', '["early","late"]' from c`,
  );
  for (const id of readers) {
    database.exec(
      `${upTo(copies)} insert into pending (session_id, agent_id, lane, rank, seq, n, why, sender)
       select 'default', '${id}', 0, 2, n, n, 'direct', null from c`,
    );
  }
  database.exec(
    `${upTo(privateThreads)} insert into thread (session_id, id, title, status, creator, is_critical, is_private, created_at)
     select 'default', 't' || n, 'a thread', 'open', 'busy', 0, 1, n from c`,
  );
  database.exec('commit');
  database.close();
}

it('filtered waits, cursors, list_threads and remove_agent hold up nobody', { timeout: 180_000 }, async () => {
  const folder = tempFolder();
  fill(folder);
  const hub = await startSmallHub({ data: folder });
  const database = openDatabase(join(folder, 'coterie.db'));
  const number = (sql: string) => (database.prepare(sql).get() as { number: number | null }).number;
  const state = { isOver: false, sent: 0, confirmed: 0 };
  const send = async () => {
    while (!state.isOver) {
      await call(hub.url, 'send_message', { target: 'idle', message: 'short' }, { agent: 'busy' });
      state.sent += 1;
    }
  };
  const wait = { from: 'rare', timeoutMs: 0, limit: 5, ack: 'manual' };

  const health = await healthDuring(hub.url, async () => {
    const sending = send();
    // Before the hub has filed the inbox: what is found early comes at once, and the rest in its order.
    const early = await call(hub.url, 'wait_for_mentions', wait, { agent: 'early' });
    const found: number[] = early.messages.map(({ seq }: { seq: number }) => seq);
    expect(found).toEqual([1_000, 2_000, 3_000, 4_000, 5_000].slice(0, found.length));
    expect(early.hasMore).toBe(true);
    // The cursor confirms these, and confirmed again finds none of them.
    const next = await call(hub.url, 'wait_for_mentions', { ...wait, cursor: early.cursor }, { agent: 'early' });
    expect(next.messages[0].seq).toBe(Number(found.at(-1)) + 1_000);
    state.confirmed = found.length;
    await call(hub.url, 'wait_for_mentions', { ...wait, from: 'idle', cursor: early.cursor }, { agent: 'early' });
    expect((await call(hub.url, 'list_threads', { participant: 'idle' }, { agent: 'idle' })).threads).toEqual([]);

    // Nobody has asked for this one.
    const filed = "select filed_seq as number from agent where id = 'late'";
    await eventually('the hub files the inbox', () => number(filed) === copies);
    const late = await call(hub.url, 'wait_for_mentions', wait, { agent: 'late' });
    expect(late.messages).toHaveLength(5);

    await call(hub.url, 'remove_agent', { agentId: 'early' }, { agent: 'early' });
    state.isOver = true;
    await sending;
  });
  expect(number("select count(*) as number from pending where agent_id = 'early'")).toBe(0);
  const dead = "select count(*) as number from delivery where agent_id = 'early' and state = 'dead_lettered'";
  expect(number(dead)).toBe(copies - state.confirmed);
  expect(number("select count(*) as number from pending where agent_id = 'late' and sender is null")).toBe(0);
  database.close();
  expect(state.sent).toBeGreaterThan(20);
  expect(health.failures).toBe(0);
  expect(health.slowestMs).toBeLessThan(healthMsMax);
});
