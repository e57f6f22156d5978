// A wait for responses counts from the store: no order of events, time limit or restart makes it miss an answer.
import { describe, expect, it } from 'vitest';
import { countTokens } from '../support/count-tokens.js';
import { criticalTeam, sendersOf } from '../support/critical-team.js';
import { eventually } from '../support/eventually.js';
import { fastClock } from '../support/fast-clock.js';
import { call } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { parkedAt } from '../support/metrics.js';

const hub = useHub({ args: ['--client-wait-ms', '1000'] });

describe('an answer that commits', () => {
  it.each(['createThread', 'takeResponses'] as const)(
    'before the hub hears of its own %s is not missed',
    async (method) => {
      let between: ((threadId: string) => Promise<unknown>) | undefined;
      const forced = await startHubInProcess({
        wrapStore: (store) => ({
          ...store,
          async createThread(plan) {
            const created = await store.createThread(plan);
            if (method === 'createThread') await between?.(created.thread.id);
            return created;
          },
          async takeResponses(request) {
            const found = await store.takeResponses(request);
            const send = between;
            between = undefined;
            if (method === 'takeResponses') await send?.(request.threadId);
            return found;
          },
        }),
      });
      const team = await criticalTeam(forced, 'default');
      for (let round = 0; round < 10; round++) {
        between = async (threadId) => {
          between = undefined;
          await Promise.all([team.say('ben', threadId, `b${round}`), team.say('cas', threadId, `c${round}`)]);
        };
        const { responses, complete, waitedMs } = await team.create();
        expect(complete).toBe(true);
        expect(sendersOf(responses).toSorted()).toEqual(['ben', 'cas']);
        expect(waitedMs).toBeLessThan(5_000);
      }
    },
  );

  it('while a lost hint leaves the wait asleep is found by its last read', async () => {
    let isDeaf = true;
    const deaf = await startHubInProcess({
      // No hint reaches the wait: what was committed says that it is in no thread.
      wrapStore: (store) => ({
        ...store,
        async appendMessage(plan) {
          const stored = await store.appendMessage(plan);
          if (!isDeaf || !('appended' in stored)) return stored;
          return { ...stored, appended: { ...stored.appended, threadId: null } };
        },
      }),
    });
    const team = await criticalTeam(deaf, 'default');
    const waiting = team.create({ timeout_ms: 6_000 });
    await parkedAt(deaf, 1);
    await team.say('ben', await team.thread(), 'unheard');
    isDeaf = false;
    expect(await waiting).toMatchObject({ complete: false, timedOut: true, responses: [{ sender: 'ben' }] });
  });
});

it('two waits of one creator on one thread both get every response', async () => {
  const team = await criticalTeam(hub, 'two-waits');
  const first = team.create();
  await parkedAt(hub, 1);
  const threadId = await team.thread();
  const second = team.wait(threadId, { wait_for_responses: 3 });
  await parkedAt(hub, 2);
  await team.say('ben', threadId, 'one');
  await team.say('cas', threadId, 'two');
  expect(sendersOf((await first).responses)).toEqual(['ben', 'cas']);
  await parkedAt(hub, 1);
  await team.say('dan', threadId, 'three');
  const { responses, complete } = await second;
  expect(complete).toBe(true);
  expect(sendersOf(responses)).toEqual(['ben', 'cas', 'dan']);
  await parkedAt(hub, 0);
});

it('a retry with the same key finds the same thread, and its answers', async () => {
  const team = await criticalTeam(hub, 'retry');
  const first = team.create({ idempotency_key: 'k' });
  await parkedAt(hub, 1);
  const threadId = await team.thread();
  await team.say('ben', threadId, 'one');
  const again = team.create({ idempotency_key: 'k' });
  await parkedAt(hub, 2);
  await team.say('cas', threadId, 'two');
  const [one, two] = await Promise.all([first, again]);
  expect(two).toMatchObject({ threadId: one.threadId, messageId: one.messageId, duplicate: true, complete: true });
  expect((await team.as('ann', 'list_threads', {})).threads).toHaveLength(1);
});

describe('a response that was shown', () => {
  it('does not come again from the inbox', async () => {
    const team = await criticalTeam(hub, 'shown');
    const waiting = team.create();
    await parkedAt(hub, 1);
    const threadId = await team.thread();
    await team.say('ben', threadId, 'one');
    await team.say('cas', threadId, 'two');
    const { responses } = await waiting;
    for (const response of responses) expect(response).not.toHaveProperty('redelivered');
    await eventually('nothing unread', async () => (await team.unread('ann')).length === 0);
    const { deliveries } = await team.as('ben', 'get_receipts', { messageId: responses[0].id });
    await eventually('read', async () => {
      const receipts = await team.as('ben', 'get_receipts', { messageId: responses[0].id });
      return receipts.deliveries.find(({ recipient }: { recipient: string }) => recipient === 'ann').state === 'read';
    });
    expect(deliveries).toHaveLength(3);
    const again = await team.wait(threadId);
    expect(again.responses).toMatchObject([{ redelivered: true }, { redelivered: true }]);
  });

  it('comes again, marked, when the answer that showed it was lost', async () => {
    const team = await criticalTeam(hub, 'lost');
    const { threadId } = await team.create({ wait_for_responses: 0 });
    await team.say('ben', threadId, 'one');
    const shown = await team.wait(threadId, { ack: 'manual' });
    expect(shown.responses).toHaveLength(1);
    expect(await team.unread('ann')).toEqual([]);
    await team.as('ann', 'ack_messages', { cursor: shown.cursor, release: true });
    expect(await team.unread('ann')).toMatchObject([{ sender: 'ben', redelivered: true }]);
  });

  it('leaves alone what the creator holds already', async () => {
    const team = await criticalTeam(hub, 'held');
    const { threadId } = await team.create({ wait_for_responses: 0 });
    await team.say('ben', threadId, 'one');
    const held = await team.as('ann', 'get_messages', { ack: 'manual' });
    expect(await team.wait(threadId)).toMatchObject({ cursor: null, responses: [{ redelivered: true }] });
    const { acknowledged } = await team.as('ann', 'ack_messages', { cursor: held.cursor });
    expect(acknowledged).toHaveLength(held.messages.length);
  });
});

it.each(generations)('client %s that gave a token hears who has answered', { tags: ['long'] }, async (generation) => {
  const fast = await startHubInProcess({ clock: fastClock(20), args: ['--client-wait-ms', '600000'] });
  const team = await criticalTeam(fast, 'default');
  const client = await connectMcp(generation, `${fast.url}/mcp?agent=ann`);
  const told: string[] = [];
  const onprogress = (progress?: { message?: string | undefined }) => void told.push(progress?.message ?? '');
  const waiting = client.call(
    'create_critical_thread',
    {
      title: 'T',
      participants: ['ben', 'cas', 'dan'],
      initial_message: 'Well?',
      wait_for_responses: 3,
      timeout_ms: 600_000,
    },
    { onprogress },
  );
  await parkedAt(fast, 1);
  const threadId = await team.thread();
  await team.say('ben', threadId, 'one');
  await eventually('told of ben', () => told.includes('1 of 3 answered: ben'));
  await team.say('cas', threadId, 'two');
  await eventually('told of both', () => told.filter((text) => text === '2 of 3 answered: ben, cas').length >= 2);
  await team.say('dan', threadId, 'three');
  expect((await waiting).structured).toMatchObject({ complete: true });
  await client.close();
});

describe('to a model', () => {
  it('many long responses are shown in part, and what is left out stays unread', async () => {
    const session = 'crowd';
    const crowd = Array.from({ length: 60 }, (_, index) => `member-${String(index).padStart(2, '0')}`);
    for (const agentId of ['ann', ...crowd]) await call(hub.url, 'register_agent', { agentId }, { session });
    const asked = { title: 'T', participants: crowd, initial_message: 'Well?', wait_for_responses: 0 };
    const { threadId } = await call(hub.url, 'create_critical_thread', asked, { agent: 'ann', session });
    const content = 'so many words '.repeat(500);
    for (const agent of crowd) await call(hub.url, 'send_message', { threadId, content }, { agent, session });
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`);
    const { structured, text } = await client.call('wait_for_responses', { threadId, wait_for_responses: 60 });
    expect(structured.complete).toBe(true);
    expect(structured.responses.length + structured.leftOut.responses).toBe(60);
    expect(structured.responses[0].cut).toMatchObject({ from: 0, next: expect.stringContaining('get_messages') });
    expect(text).toMatch(/^60 of 60 responses/);
    expect(countTokens(text)).toBeLessThanOrEqual(8_000);
    expect(countTokens(JSON.stringify(structured))).toBeLessThanOrEqual(8_000);
    const shown = new Set(structured.responses.map(({ id }: { id: string }) => id));
    const { messages } = await call(
      hub.url,
      'get_messages',
      { markAsRead: false, limit: 500 },
      { agent: 'ann', session },
    );
    const left = messages.filter(({ sender }: { sender: string }) => sender !== 'system');
    expect(left).toHaveLength(structured.leftOut.responses);
    for (const { id } of left) expect(shown.has(id)).toBe(false);
    const thread = await client.call('get_thread', { threadId });
    expect(thread.structured).toMatchObject({ moreReceipts: 40 });
    expect(countTokens(JSON.stringify(thread.structured))).toBeLessThanOrEqual(8_000);
    await client.close();
  });
});

it('an administrator outside the thread sees responses that no one has handed it before, unmarked', async () => {
  const team = await criticalTeam(hub, 'outside');
  const { threadId } = await team.create({ wait_for_responses: 0 });
  await team.say('ben', threadId, 'yes');
  await team.as('eve', 'list_agents', {});
  const { responses } = await team.as('eve', 'wait_for_responses', { threadId, wait_for_responses: 1 });
  expect(sendersOf(responses)).toEqual(['ben']);
  expect(responses[0].redelivered).toBeUndefined();
});
