// The audit log: administrative acts, and reads of others' mail, each stored with the act or before the answer.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';
import { eventually } from '../support/eventually.js';
import { followEvents } from '../support/follow-events.js';
import { call as openCall, post as openPost } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

interface Entry {
  id: number;
  at: string;
  actor: string;
  act: string;
  target?: string;
  keyId?: string;
  address?: string;
  details?: Record<string, unknown>;
}

let isLogFull = false;
const wrapStore = (store: Store): Store => ({
  ...store,
  appendAudit: (entry) => (isLogFull ? Promise.reject(new Error('no room')) : store.appendAudit(entry)),
});
const rights = { ann: agentRights, ben: agentRights, boss: ['admin' as const] };
const { hub, key, post, call } = useKeyedHub(rights, { wrapStore });

const secret = 'the-secret-word';
let threadId = '';
let messageId = '';

const entries = async (filter: object = {}): Promise<Entry[]> =>
  (await call('boss', 'list_audit', { limit: 100, ...filter })).entries;

/** What the call adds to the log. */
async function addedBy(who: string, operation: string, input: object = {}): Promise<Entry[]> {
  const before = (await entries())[0]?.id ?? 0;
  await post(who, operation, input);
  return (await entries()).filter(({ id }) => id > before);
}

beforeAll(async () => {
  ({ threadId } = await call('ann', 'create_thread', { title: 'T', participants: ['ben'] }));
  const source = { type: 'base64', mediaType: 'image/png', data: 'aGVsbG8=' };
  const content = [
    { type: 'text', text: secret },
    { type: 'image', source },
  ];
  ({ messageId } = await call('ann', 'send_message', { threadId, content }));
});

describe('an administrative act', () => {
  it('is recorded with who, when, key and address', async () => {
    const [entry, ...others] = await addedBy('boss', 'set_group', { name: 'crew', members: ['ann', 'ben'] });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actor: 'boss', act: 'set_group', target: 'crew', details: { members: 2 } });
    expect(key('boss')).toContain(entry?.keyId);
    expect(entry?.address).toMatch(/127\.0\.0\.1|::1/);
    expect(Math.abs(Date.parse(entry?.at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('of every kind is', async () => {
    await post('ann', 'send_message', { target: 'nobody', message: secret });
    await post('ann', 'send_message', { target: 'nobody-else', message: secret });
    await call('ann', 'send_message', { target: 'ben', message: secret });
    const { deadLetters } = await call('boss', 'get_dead_letters');
    const [first, second] = deadLetters;
    await call('ann', 'create_thread', { title: 'Private', participants: ['ben'], private: true });
    const { threads } = await call('boss', 'list_threads');
    const hidden = threads.find(({ title }: { title: string }) => title === 'Private').threadId;
    for (const [operation, input, target] of [
      ['set_notify_prefs', { agent: 'ben', quiet: false }, 'ben'],
      ['set_notify_template', { name: 'closed', text: secret }, 'closed'],
      ['remove_group', { name: 'crew' }, 'crew'],
      ['discard_dead_letter', { id: first.id }, first.id],
      ['close_thread', { threadId }, threadId],
      ['reopen_thread', { threadId }, threadId],
      ['remove_participant', { threadId, participantId: 'ben' }, threadId],
      ['join_thread', { threadId: hidden }, hidden],
      ['remove_agent', { agentId: 'ben' }, 'ben'],
    ] as const) {
      const added = await addedBy('boss', operation, input);
      expect(added).toMatchObject([{ actor: 'boss', act: operation, target }]);
    }
    await call('ben', 'register_agent');
    await call('ann', 'add_participant', { threadId, participantId: 'ben' });
    expect(await addedBy('boss', 'replay_dead_letter', { id: second.id })).toEqual([]);
    expect((await entries({ act: 'discard_dead_letter' }))[0]?.details).toMatchObject({ messageId: first.messageId });
  });

  it('of one’s own is not, nor one that is refused or changes nothing', async () => {
    for (const [who, operation, input] of [
      ['ann', 'close_thread', { threadId }],
      ['ann', 'reopen_thread', { threadId }],
      ['boss', 'reopen_thread', { threadId }],
      ['boss', 'remove_group', { name: 'no-such-group' }],
      ['ann', 'set_group', { name: 'mine', members: [] }],
      ['ann', 'remove_agent', { agentId: 'ben' }],
    ] as const) {
      expect(await addedBy(who, operation, input)).toEqual([]);
    }
  });
});

describe('a read of others’ mail', () => {
  it('is recorded, each kind', async () => {
    for (const [operation, input, target] of [
      ['query_message_history', { source: 'ann' }, 'ann'],
      ['get_dead_letters', {}, undefined],
      ['get_messages', { sessionId: 'ben' }, 'ben'],
      ['get_messages', { sessionId: 'ben', include: 'recent' }, 'ben'],
      ['get_messages', { messageId }, 'ann'],
      ['get_sent_messages', { source: 'ann' }, 'ann'],
      ['get_notify_prefs', { agent: 'ann' }, 'ann'],
      ['get_thread', { threadId }, threadId],
      ['search_messages', { query: secret }, undefined],
      ['get_receipts', { messageId }, 'ann'],
      ['get_attachment', { messageId, index: 0 }, messageId],
    ] as const) {
      const [entry, ...others] = await addedBy('boss', operation, input);
      expect(others).toEqual([]);
      expect([entry?.actor, entry?.act, entry?.target]).toEqual(['boss', operation, target]);
      expect(key('boss')).toContain(entry?.keyId);
    }
  });

  it('by a follower is recorded once', async () => {
    const before = (await entries({ act: 'follow events' })).length;
    const follower = await followEvents(hub.url, { key: key('boss'), lastEventId: 0 });
    await eventually('messages', () => follower.seqs().length > 1);
    expect((await entries({ act: 'follow events' })).length).toBe(before + 1);
    const own = await followEvents(hub.url, { key: key('ann'), lastEventId: 0 });
    await eventually('messages', () => own.seqs().length > 0);
    expect((await entries({ act: 'follow events' })).length).toBe(before + 1);
  });

  it('of one’s own mail is not', async () => {
    await call('ann', 'send_message', { target: 'boss', message: 'for the boss' });
    const sent = await call('boss', 'send_message', { target: 'ann', message: 'of the boss' });
    for (const [operation, input] of [
      ['get_messages', { markAsRead: false }],
      ['get_messages', { messageId: sent.messageId }],
      ['get_sent_messages', {}],
      ['get_receipts', { messageId: sent.messageId }],
      ['list_threads', {}],
      ['list_agents', {}],
    ] as const) {
      expect(await addedBy('boss', operation, input)).toEqual([]);
    }
    for (const [operation, input] of [
      ['get_thread', { threadId }],
      ['search_messages', { query: secret }],
      ['get_attachment', { messageId, index: 0 }],
      ['get_receipts', { messageId }],
    ] as const) {
      expect(await addedBy('ann', operation, input)).toEqual([]);
    }
  });

  it('is refused when it cannot be recorded', async () => {
    isLogFull = true;
    try {
      for (const [operation, input] of [
        ['query_message_history', { source: 'ann' }],
        ['get_dead_letters', {}],
        ['get_messages', { sessionId: 'ben' }],
        ['get_notify_prefs', { agent: 'ben' }],
        ['get_thread', { threadId }],
        ['search_messages', { query: secret }],
        ['get_receipts', { messageId }],
        ['get_attachment', { messageId, index: 0 }],
      ] as const) {
        const { status, body } = await post('boss', operation, input);
        expect([operation, status]).toEqual([operation, 500]);
        expect(Object.keys(body)).toEqual(['error']);
      }
      const followed = await fetch(`${hub.url}/v1/events`, { headers: { authorization: `Bearer ${key('boss')}` } });
      expect(followed.status).toBe(500);
    } finally {
      isLogFull = false;
    }
  });
});

describe('list_audit', () => {
  it('pages and filters, newest first, and shows nothing that a message says', async () => {
    const all = await entries();
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(JSON.stringify(all)).not.toContain(secret);
    const paged: Entry[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await call('boss', 'list_audit', { limit: 7, ...(cursor ? { cursor } : {}) });
      paged.push(...page.entries);
      cursor = page.cursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    expect((await entries({ actor: 'cli' })).every(({ act }) => act === 'create_key')).toBe(true);
    expect((await entries({ act: 'set_group' })).map(({ act }) => act)).toEqual(['set_group']);
    expect(await entries({ until: '2020-01-01' })).toEqual([]);
    expect(await entries({ since: '2020-01-01' })).toEqual(all);
  });

  it('is for admins, of their own session', async () => {
    expect((await post('ann', 'list_audit')).body.error.code).toBe('FORBIDDEN');
    const { body } = await post('boss', 'list_audit', { cursor: 'forged' });
    expect(body.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'cursor' } });
  });

  it('is counted', async () => {
    const counts = await Promise.all(
      hubsAt(hub.url).map(async (url) => {
        const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key('boss')}` } });
        return Number(/coterie_audit_entries_total\{act="set_group"\} (\d+)/.exec(await metrics.text())?.[1] ?? 0);
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});

describe('in open mode', () => {
  const dayMs = 86_400_000;
  const clock = movableClock();
  let store: Store;
  const open = useHub({ clock, args: ['--audit-days', '2'], wrapStore: (opened) => (store = opened) });
  const listed = async (session = 'default'): Promise<Entry[]> =>
    (await openCall(open.url, 'list_audit', {}, { session })).entries;

  it('changes are recorded, reads are not', async () => {
    await openCall(open.url, 'set_group', { name: 'crew', members: [] }, { agent: 'ann' });
    await openPost(open.url, 'query_message_history', { source: 'ann' });
    expect(await listed()).toMatchObject([{ actor: 'ann', act: 'set_group', target: 'crew' }]);
    expect((await listed())[0]).not.toHaveProperty('keyId');
  });

  it('a replay says which message it was', async () => {
    const session = 'letters';
    await openPost(open.url, 'send_message', { target: 'late', message: 'x' }, { agent: 'ann', session });
    await openCall(open.url, 'register_agent', { agentId: 'late' }, { session });
    const { deadLetters } = await openCall(open.url, 'get_dead_letters', {}, { session });
    const [{ id, messageId: lost }] = deadLetters;
    await openCall(open.url, 'replay_dead_letter', { id }, { session });
    const details = { messageId: lost, recipient: 'late' };
    expect(await listed(session)).toMatchObject([{ actor: '', act: 'replay_dead_letter', target: id, details }]);
  });

  it('entries go only with --audit-days, which is recorded', async () => {
    const entry = { ...cliAudit('other'), at: clock.now() };
    await Promise.all(Array.from({ length: 1_200 }, () => store.appendAudit(entry)));
    clock.advance(dayMs);
    await openCall(open.url, 'set_group', { name: 'crew', members: [] }, { agent: 'ann' });
    clock.advance(2 * dayMs);
    await eventually('pruned', async () => (await listed()).some(({ act }) => act === 'prune_audit'));
    expect(await listed()).toMatchObject([
      { actor: 'system', act: 'prune_audit', details: { removed: 1 } },
      { actor: 'ann', act: 'set_group' },
    ]);
    await eventually('the others', async () => {
      const counts = (await listed('other')).map(({ details }) => Number(details?.['removed'] ?? 0));
      return counts.reduce((sum, count) => sum + count, 0) === 1_200;
    });
    expect((await listed('other')).every(({ act }) => act === 'prune_audit')).toBe(true);
  });
});
