// Wakes cost money: they are few and bounded, whatever peers send, and the sender is told.
import { describe, expect, it } from 'vitest';
import { companionOf, confirmedWake, type Companion } from '../support/companion.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { parkedAt } from '../support/metrics.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

type Fields = Record<string, unknown>;

const clock = movableClock();
const hub = useHub({ clock });

async function team(session: string, ids = ['ada', 'ben']) {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session });
  clock.advance(6_000);
  const by = (agent: string, operation: string, input: Fields = {}) =>
    call(hub.url, operation, input, { agent, session });
  return {
    by,
    at: (agent: string) => ({ url: hub.url, session, agent }),
    send: (from: string, to: string) => by(from, 'send_message', { target: to, content: 'Hello' }),
    /** The companion gives the wake to its client, whose agent calls. */
    wakeUp: async (companion: Companion, agent: string) => {
      const answer = await companion.wait(0);
      if (answer.wake === null) return answer;
      await companion.report(answer.wake.wakeId, 'accepted');
      await by(agent, 'get_messages');
      await confirmedWake({ url: hub.url, session, agent });
      return answer;
    },
  };
}

describe('an agent is not woken too often', () => {
  it('by a chatty peer: after its budget of an hour it is left alone, and the sender is told', async () => {
    const { by, at, send, wakeUp } = await team('chatty');
    const companion = await companionOf(at('ben'));
    let woken = 0;
    let told: string[] = [];
    // 50 messages, more than a minute apart: each would be a turn of the model.
    for (let turn = 0; turn < 50; turn += 1) {
      const { warnings } = await send('ada', 'ben');
      told = warnings;
      if ((await wakeUp(companion, 'ben')).wake !== null) woken += 1;
      clock.advance(61_000);
      // Of its client, which still runs.
      await call(hub.url, 'await_wake', { routeId: companion.routeId, companion: 'c1', timeoutMs: 0 }, at('ben'));
    }
    expect(woken).toBe(20);
    expect(told).toEqual([expect.stringMatching(/^not woken: ben is \w+, wake budget used up until \d\d:\d\d UTC$/)]);
    expect(await companion.wait(0)).toMatchObject({ state: 'budget', retryAt: expect.any(String) });
    const { budget, wake } = await by('ben', 'list_wakes');
    expect(budget).toMatchObject({ wakesPerHour: 20, usedInLastHour: 20, until: expect.any(String) });
    expect(wake.state).toBe('budget');
    clock.advance(3_600_000);
    expect((await companion.wait(0)).state).toBe('wake');
  });

  it('by a storm of 1,000 messages: one wake announces them all', async () => {
    const { at, send, by } = await team('storm');
    const companion = await companionOf(at('ben'));
    const wakes: Fields[] = [];
    const storm = new AbortController();
    const playing = (async () => {
      while (!storm.signal.aborted) {
        const { wake } = await companion.wait(1_000);
        if (wake === null) continue;
        wakes.push(wake);
        await companion.report(wake.wakeId, 'accepted');
      }
    })();
    await parkedAt(hub, 1);
    const thousand = Array.from({ length: 1_000 });
    await Promise.all(thousand.map(() => send('ada', 'ben')));
    storm.abort();
    clock.advance(2_000);
    await playing;
    expect(wakes).toHaveLength(1);
    await by('ben', 'list_groups');
    clock.advance(30_000);
    expect(await companion.wait(0)).toMatchObject({ wake: null, state: 'nothing' });
  });

  it('in its quiet period after a wake, which a route may make longer', async () => {
    const { at, send, wakeUp } = await team('quiet');
    const companion = await companionOf(at('ben'), { quietMs: 60_000 });
    await send('ada', 'ben');
    await wakeUp(companion, 'ben');
    await send('ada', 'ben');
    clock.advance(30_000);
    expect(await companion.wait(0)).toMatchObject({ wake: null, state: 'quiet' });
    clock.advance(31_000);
    expect((await companion.wait(0)).state).toBe('wake');
  });

  it('than its own route allows', async () => {
    const { at, send, wakeUp } = await team('own');
    const companion = await companionOf(at('ben'), { wakesPerHour: 2 });
    const states: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await send('ada', 'ben');
      states.push((await wakeUp(companion, 'ben')).state);
      clock.advance(20_000);
    }
    expect(states).toEqual(['wake', 'wake', 'budget']);
  });
});

describe('two agents that only wake each other', () => {
  it('are stopped, as those that only answer each other are', async () => {
    const { at, send, wakeUp } = await team('pair');
    const companions = { ada: await companionOf(at('ada')), ben: await companionOf(at('ben')) };
    const turns: [from: 'ada' | 'ben', to: 'ada' | 'ben'][] = [
      ['ada', 'ben'],
      ['ben', 'ada'],
    ];
    let woken = 0;
    let last: { state: string } = { state: '' };
    let told: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const [from, to] = turns[turn % 2] ?? ['ada', 'ben'];
      told = (await send(from, to)).warnings;
      clock.advance(11_000);
      last = await wakeUp(companions[to], to);
      if (last.state === 'loop') break;
      woken += 1;
    }
    expect(last.state).toBe('loop');
    expect(woken).toBe(12);
    expect(told).toEqual([expect.stringMatching(/^not woken, since you only wake each other in turns: (ada|ben)$/)]);
    // A pause ends it.
    clock.advance(10 * 60_000);
    await eventually('woken again', async () => {
      const { wake } = await companions.ben.wait(0).catch(() => ({ wake: null }));
      const other = wake ?? (await companions.ada.wait(0).catch(() => ({ wake: null }))).wake;
      return other !== null;
    });
  });

  it('also if their routes are tested meanwhile, with mail or without', async () => {
    const { by, at, send, wakeUp } = await team('tested', ['ada', 'ben', 'cyn']);
    const companions = { ada: await companionOf(at('ada')), ben: await companionOf(at('ben')) };
    const states: string[] = [];
    for (let turn = 0; turn < 13; turn += 1) {
      const [from, to] = turn % 2 === 0 ? (['ada', 'ben'] as const) : (['ben', 'ada'] as const);
      await send(from, to);
      clock.advance(11_000);
      if (turn % 4 === 0) await by('cyn', 'test_wake', { target: to });
      states.push((await wakeUp(companions[to], to)).state);
      clock.advance(11_000);
      if (turn % 3 !== 0) continue;
      await by('cyn', 'test_wake', { target: to });
      await wakeUp(companions[to], to);
    }
    expect(states).toEqual([...Array.from({ length: 12 }, () => 'wake'), 'loop']);
  });

  it('unless someone else writes, too', async () => {
    const { at, send, wakeUp } = await team('three', ['ada', 'ben', 'cyn']);
    const companions = { ada: await companionOf(at('ada')), ben: await companionOf(at('ben')) };
    const states: string[] = [];
    for (let turn = 0; turn < 16; turn += 1) {
      const [from, to] = turn % 2 === 0 ? (['ada', 'ben'] as const) : (['ben', 'ada'] as const);
      await send(from, to);
      if (turn === 8) await send('cyn', to);
      clock.advance(11_000);
      states.push((await wakeUp(companions[to], to)).state);
    }
    expect(new Set(states)).toEqual(new Set(['wake']));
  });
});
