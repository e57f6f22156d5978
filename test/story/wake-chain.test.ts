// Routes of an agent form a chain: the next one is tried when the one before failed or was not confirmed in time; then
// people are asked, if the sender wants that.
import { describe, expect, it } from 'vitest';
import { companionOf, confirmedWake } from '../support/companion.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { parkedAt } from '../support/metrics.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

type Fields = Record<string, unknown>;

const clock = movableClock();
const hub = useHub({ clock });

async function team(session: string) {
  for (const agentId of ['ada', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  clock.advance(6_000);
  const by = (agent: string, operation: string, input: Fields = {}) =>
    call(hub.url, operation, input, { agent, session });
  return {
    by,
    ben: { url: hub.url, session, agent: 'ben' },
    send: (input: Fields = {}) => by('ada', 'send_message', { target: 'ben', content: 'Hello', ...input }),
    lastWake: async () => (await by('ben', 'list_wakes')).wakes[0],
  };
}

describe('a chain of routes', () => {
  it('goes on when a route fails, in the order of their positions', async () => {
    const { by, ben, send } = await team('failed');
    const second = await companionOf(ben, { kind: 'command', position: 1 });
    const first = await companionOf(ben, { kind: 'codex-queue', position: 0 });
    await send();
    expect(await second.wait(0)).toMatchObject({ wake: null, state: 'held' });
    const { wake } = await first.wait(0);
    const waiting = second.wait();
    await parkedAt(hub, 1);
    expect(await first.report(wake.wakeId, 'failed', 'the thread is held by another writer')).toMatchObject({
      state: 'failed',
    });
    expect((await waiting).wake.wakeId).toBe(wake.wakeId);
    await by('ben', 'get_messages');
    expect(await confirmedWake(ben)).toMatchObject({
      state: 'confirmed',
      attempts: [
        { kind: 'codex-queue', state: 'failed', reason: 'the thread is held by another writer' },
        { kind: 'command', state: 'confirmed' },
      ],
    });
  });

  it('goes on when a route is accepted and not confirmed in time', async () => {
    const { ben, send, lastWake } = await team('unconfirmed');
    const first = await companionOf(ben, { confirmMs: 30_000 });
    const second = await companionOf(ben, { kind: 'opencode', position: 1 });
    await send();
    const { wake } = await first.wait(0);
    await first.report(wake.wakeId, 'accepted');
    expect(await second.wait(0)).toMatchObject({ state: 'held', retryAt: expect.any(String) });
    clock.advance(31_000);
    expect((await second.wait(0)).wake.wakeId).toBe(wake.wakeId);
    expect((await lastWake()).attempts.map(({ state }: Fields) => state)).toEqual(['unconfirmed', 'attempted']);
    // Too late: what has ended stays so.
    expect(await first.report(wake.wakeId, 'failed')).toMatchObject({ state: 'unconfirmed' });
  });

  it('is held by a command that runs, and goes on when it ends without a call', async () => {
    const { ben, send, lastWake } = await team('running');
    const first = await companionOf(ben, { kind: 'command', confirmMs: 30_000 });
    const second = await companionOf(ben, { kind: 'opencode', position: 1 });
    await send();
    const { wake } = await first.wait(0);
    for (let minutes = 0; minutes < 4; minutes += 1) {
      clock.advance(20_000);
      expect(await first.report(wake.wakeId, 'running')).toMatchObject({ state: 'accepted' });
      expect(await second.wait(0)).toMatchObject({ state: 'held' });
    }
    expect(await first.report(wake.wakeId, 'finished')).toMatchObject({ state: 'unconfirmed' });
    expect((await second.wait(0)).wake.wakeId).toBe(wake.wakeId);
    expect((await lastWake()).attempts[0].reason).toBe('ended without a call of the agent');
  });

  it('keeps the route of a command that runs, also after its wake was confirmed', async () => {
    const { by, ben, send } = await team('alive');
    const companion = await companionOf(ben, { kind: 'command' });
    await send();
    const { wake } = await companion.wait(0);
    await companion.report(wake.wakeId, 'running');
    await by('ben', 'list_groups');
    for (let seconds = 0; seconds < 120; seconds += 20) {
      clock.advance(20_000);
      expect(await companion.report(wake.wakeId, 'running')).toMatchObject({ state: 'confirmed' });
    }
    expect((await by('ben', 'list_wakes')).routes).toMatchObject([{ state: 'live' }]);
    const { agents } = await by('ada', 'list_agents');
    expect(agents.find(({ id }: Fields) => id === 'ben').wake.text).not.toMatch(/gone/);
    expect((await send()).warnings).toEqual([]);
  });

  it('passes over a companion that is gone, and ends when none is left', async () => {
    const { ben, send, lastWake } = await team('gone');
    const dead = await companionOf(ben, { confirmMs: 3_600_000 });
    clock.advance(61_000);
    const live = await companionOf(ben, { kind: 'command', position: 1, confirmMs: 1_000 });
    await send();
    const { wake } = await live.wait(0);
    expect(wake).toMatchObject({ unread: 1 });
    clock.advance(2_000);
    await eventually('it is given up', async () => (await lastWake()).state === 'abandoned');
    // Announced already; a route that comes back may try again.
    expect(await live.wait(0)).toMatchObject({ state: 'nothing' });
    clock.advance(20_000);
    const back = await companionOf(ben, { companion: 'c2' });
    expect(back.routeId).toBe(dead.routeId);
    expect((await back.wait(0)).wake).toMatchObject({ unread: 1 });
  });
});

describe('one companion holds a route', () => {
  it('until another replaces it, whose predecessor is told', async () => {
    const { ben } = await team('replaced');
    const first = await companionOf(ben, { clientSession: 's1' });
    const taken = await post(
      hub.url,
      'set_wake_route',
      { kind: 'codex-queue', clientSession: 's1', companion: 'c2' },
      ben,
    );
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'WAKE_ROUTE_TAKEN' } } });
    const waiting = first.wait();
    await parkedAt(hub, 1);
    const second = await companionOf(ben, { clientSession: 's1', companion: 'c2', replace: true });
    expect(await waiting).toMatchObject({ wake: null, state: 'replaced' });
    expect(second.routeId).toBe(first.routeId);
    // Of another client session, it is another route.
    expect((await companionOf(ben, { clientSession: 's2' })).routeId).not.toBe(first.routeId);
  });

  it('and gets the same wake once more, if the answer was lost', async () => {
    const { ben, send } = await team('lost');
    const companion = await companionOf(ben);
    await send();
    const { wake } = await companion.wait(0);
    expect((await companion.wait(0)).wake).toEqual(wake);
    expect(await companion.wait(0)).toMatchObject({ wake: null, state: 'held' });
  });

  it('whose hook is used up by one wake, and is not told again of the same mail', async () => {
    const { by, ben, send } = await team('hook');
    const hook = (companion: string) =>
      companionOf(ben, { kind: 'claude-hook', clientSession: 's', once: true, replace: true, companion });
    await send();
    const first = await hook('h1');
    const { wake } = await first.wait(0);
    await first.report(wake.wakeId, 'accepted');
    const { agents } = await by('ada', 'list_agents');
    expect(agents.find(({ id }: Fields) => id === 'ben').wake.routes).toMatchObject([{ state: 'used' }]);
    clock.advance(120_000);
    expect(await (await hook('h2')).wait(0)).toMatchObject({ wake: null, state: 'nothing' });
    await send();
    clock.advance(10_000);
    expect((await (await hook('h3')).wait(0)).wake).toMatchObject({ unread: 2 });
  });

  it('and is shown as gone soon after it has disconnected', async () => {
    const { by, ben } = await team('killed');
    const { routeId } = await companionOf(ben);
    const abort = new AbortController();
    const options = { ...ben, signal: abort.signal };
    const waiting = post(hub.url, 'await_wake', { routeId, companion: 'c1', timeoutMs: 600_000 }, options);
    waiting.catch(() => {});
    await parkedAt(hub, 1);
    abort.abort();
    await eventually('it is gone', async () => {
      clock.advance(1_000);
      return (await by('ben', 'list_wakes')).routes[0].state === 'gone';
    });
  });
});

describe('a test of the routes', () => {
  it('says that the agent was woken, by which route and how fast', async () => {
    const { by, ben } = await team('test');
    const companion = await companionOf(ben);
    const testing = by('ada', 'test_wake', { target: 'ben', waitMs: 600_000 });
    const { wake } = await companion.wait();
    expect(wake).toMatchObject({ unread: 0, isTest: true, text: 'A test of your wake route: call list_agents' });
    await companion.report(wake.wakeId, 'accepted');
    await by('ben', 'list_agents');
    const { text, ...result } = await testing;
    expect(result).toMatchObject({ state: 'confirmed', attempts: [{ state: 'confirmed' }] });
    expect(text).toMatch(/^ben was woken by codex-queue: confirmed after \d+\.\d s$/);
  });

  it('says where it stopped', async () => {
    const { by, ben } = await team('stopped');
    const test = () => by('ada', 'test_wake', { target: 'ben' });
    expect(await test()).toMatchObject({ state: 'abandoned', text: 'ben is not woken: no wake route' });
    const companion = await companionOf(ben);
    clock.advance(11_000);
    const { wakeId, state } = await test();
    expect(state).toBe('open');
    expect((await companion.wait(0)).wake.wakeId).toBe(wakeId);
    await companion.report(wakeId, 'failed', 'no such session');
    expect((await by('ben', 'list_wakes')).wakes[0]).toMatchObject({ wakeId, state: 'abandoned', isTest: true });
  });
});

describe('a test that reached no route', () => {
  it('announces no mail: the next turn’s hook is still told of it', async () => {
    const { by, ben, send } = await team('swallowed');
    const hook = (companion: string) =>
      companionOf(ben, { kind: 'claude-hook', clientSession: 's', once: true, replace: true, companion });
    await send();
    const first = await hook('h1');
    await first.report((await first.wait(0)).wake.wakeId, 'accepted');
    await by('ben', 'get_messages');
    // In its turn, when its hook is used up.
    clock.advance(11_000);
    await send();
    expect(await by('ada', 'test_wake', { target: 'ben' })).toMatchObject({ state: 'abandoned', attempts: [] });
    clock.advance(11_000);
    expect((await (await hook('h2')).wait(0)).wake).toMatchObject({ isTest: false, from: ['ada'] });
  });
});

describe('escalation to a person', () => {
  const questions = async (session: string, url = hub.url) =>
    (await call(url, 'list_questions', {}, { agent: 'ada', session })).questions;

  async function withPerson() {
    const t = await team('default');
    return { ...t, asked: async () => questions('default') };
  }

  it('asks on the sender’s behalf when every route has failed, once', async () => {
    const { ben, send, asked } = await withPerson();
    const companion = await companionOf(ben, { companion: 'e1', replace: true });
    const sent = await send({ escalate: 'person', idempotency_key: 'once' });
    const { wake } = await companion.wait(0);
    expect(await asked()).toEqual([]);
    await companion.report(wake.wakeId, 'failed', 'the client is closed');
    const found = await eventually('people are asked', async () => {
      clock.advance(1_000);
      const all = await asked();
      return all.length > 0 && all;
    });
    expect(found).toMatchObject([{ from: 'ada', status: 'pending', priority: 'high' }]);
    expect(found[0].question).toContain(`ben was not woken and has not read a message of ada (${sent.messageId})`);
    expect(await send({ escalate: 'person', idempotency_key: 'once' })).toMatchObject({ duplicate: true });
    for (let seconds = 0; seconds < 120; seconds += 1) clock.advance(1_000);
    await Promise.all(hubsAt(hub.url).map((url) => questions('default', url)));
    expect(await asked()).toHaveLength(1);
  });

  it('asks when there is no route and no call for a minute, and not if the message was read', async () => {
    const { by, ben, send, asked } = await withPerson();
    const before = (await asked()).length;
    await call(hub.url, 'remove_wake_route', { routeId: (await by('ben', 'list_wakes')).routes[0].routeId }, ben);
    await send({ escalate: 'person' });
    await by('ben', 'get_messages');
    const { seq } = await send({ escalate: 'person' });
    // Less than a minute, also with what the calls take.
    clock.advance(40_000);
    expect(await asked()).toHaveLength(before);
    await eventually('people are asked about the second', async () => {
      clock.advance(1_000);
      return (await asked()).length === before + 1;
    });
    expect(seq).toBeGreaterThan(0);
  });

  it('is refused before anything is sent where there is nobody to ask', async () => {
    const { send } = await team('nobody');
    await expect(send({ escalate: 'person' })).rejects.toThrow(/NO_PERSON/);
    await expect(send({ escalate: 'everyone' })).rejects.toThrow(/INVALID_INPUT/);
  });
});
