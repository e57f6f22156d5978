// How much was sent lately, and between whom: numbers of what the caller may read.
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const as = (agent: string) => ({ agent });

beforeAll(async () => {
  for (const agent of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', {}, as(agent));
  for (const content of ['one', 'two', 'three']) await call(hub.url, 'send_message', { to: 'ben', content }, as('ann'));
  await call(hub.url, 'send_message', { to: 'ann', content: 'back' }, as('ben'));
});

describe('get_activity', () => {
  it('counts messages and copies by time, and by pair, the most talkative first', async () => {
    const { sent, copies, pairs, since, until } = await call(hub.url, 'get_activity', { buckets: 4 }, as('ann'));
    expect(sent).toHaveLength(4);
    expect(sent.reduce((sum: number, count: number) => sum + count, 0)).toBe(4);
    expect(copies.reduce((sum: number, count: number) => sum + count, 0)).toBe(4);
    // All of it was sent just now, which is the last quarter of the hour.
    expect(sent.at(-1)).toBe(4);
    expect(pairs).toEqual([
      { from: 'ann', to: 'ben', messages: 3 },
      { from: 'ben', to: 'ann', messages: 1 },
    ]);
    expect(Date.parse(until) - Date.parse(since)).toBe(3_600_000);
  });

  it('tells an admin which loops were stopped, and how long woken waits took', async () => {
    for (const agent of ['ping', 'pong']) await call(hub.url, 'register_agent', {}, as(agent));
    const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 60_000 }, as('pong'));
    await parkedAt(hub, 1);
    let stopped: string | undefined;
    // Turns at other hubs are known a moment later.
    for (let turn = 0; turn < 200 && stopped === undefined; turn += 1) {
      const [sender = '', to = ''] = turn % 2 === 0 ? ['ping', 'pong'] : ['pong', 'ping'];
      const { body } = await post(hub.url, 'send_message', { to, content: 'your turn' }, as(sender));
      stopped = body.error?.code;
    }
    expect(stopped).toBe('LOOP_GUARD');
    await waiting;
    // Told between hubs a moment later.
    for (const url of hubsAt(hub.url)) {
      const found = await eventually('this hub knows', async () => {
        const { loops, wakes } = await call(url, 'get_activity', {}, as('me'));
        return loops.length > 0 && wakes.count > 0 ? { loops, wakes } : undefined;
      });
      expect(found.loops).toMatchObject([{ times: 1 }]);
      expect(found.loops[0].agents.toSorted()).toEqual(['ping', 'pong']);
      expect(found.wakes.parts).toHaveLength(60);
      expect(found.wakes.p50).toBeGreaterThan(0);
      expect(found.wakes.p50).toBeLessThanOrEqual(found.wakes.p99);
    }
  });

  it('refuses a time to come and too many parts', async () => {
    const since = new Date(Date.now() + 60_000).toISOString();
    for (const input of [{ since }, { buckets: 241 }]) {
      const { status, body } = await post(hub.url, 'get_activity', input, as('ann'));
      expect(status).toBe(400);
      expect(body.error.code).toBe('INVALID_INPUT');
    }
  });
});
