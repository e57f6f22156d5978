// An idle agent is woken through a route of its companion: attempted, accepted, confirmed only by the agent's own call.
import { describe, expect, it } from 'vitest';
import { clientIdHeader, commandClientId } from '../../dist/contract/client-headers.js';
import { companionOf, confirmedWake } from '../support/companion.js';
import { eventually } from '../support/eventually.js';
import { followEvents } from '../support/follow-events.js';
import { call } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { connectMcp } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

type Fields = Record<string, unknown>;

const clock = movableClock();
const hub = useHub({ clock });
const graceMs = 6_000;

async function team(session: string) {
  for (const agentId of ['ada', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  // Who has just called is at work, and is not woken.
  clock.advance(graceMs);
  const by = (agent: string, operation: string, input: Fields = {}) =>
    call(hub.url, operation, input, { agent, session });
  return {
    by,
    ben: { url: hub.url, session, agent: 'ben' },
    send: (content = 'Hello', input: Fields = {}) => by('ada', 'send_message', { target: 'ben', content, ...input }),
    wakeOf: async (agent: string, url = hub.url) => {
      const { agents } = await call(url, 'list_agents', {}, { session });
      return agents.find(({ id }: Fields) => id === agent).wake;
    },
    attempts: async () => (await by('ben', 'list_wakes')).wakes[0].attempts,
  };
}

describe('an idle agent', () => {
  it('is woken by mail that comes, and the mail stays unread until it reads', async () => {
    const { by, ben, send, attempts } = await team('woken');
    const companion = await companionOf(ben, { label: 'laptop' });
    const waiting = companion.wait();
    await parkedAt(hub, 1);
    const sent = await send('A secret plan');
    expect(sent.recipients[0].wake).toMatchObject({ state: 'ready' });
    const { wake, state } = await waiting;
    expect(state).toBe('wake');
    expect(wake).toMatchObject({ unread: 1, from: ['ada'], highest: 'normal', isTest: false });
    expect(wake.text).toBe('1 unread from ada: call get_messages');
    expect(JSON.stringify(wake)).not.toContain('secret');
    expect(await companion.report(wake.wakeId, 'accepted')).toMatchObject({ state: 'accepted' });
    expect(await attempts()).toMatchObject([{ kind: 'codex-queue', label: 'laptop', state: 'accepted' }]);
    const { messages } = await by('ben', 'get_messages');
    expect(messages).toHaveLength(1);
    expect(messages[0]).not.toHaveProperty('redelivered');
    const {
      attempts: [attempt],
    } = await confirmedWake(ben);
    expect(attempt).toMatchObject({ state: 'confirmed' });
    const { deliveries } = await by('ada', 'get_receipts', { messageId: sent.messageId });
    expect(deliveries[0].wakes).toEqual([attempt]);
  });

  it('is woken by mail that was there before its companion', async () => {
    const { ben, send } = await team('before');
    await send();
    expect((await (await companionOf(ben)).wait(0)).wake).toMatchObject({ unread: 1 });
  });

  it('is not woken while it is at work or waits', async () => {
    const { by, ben, send } = await team('at-work');
    const companion = await companionOf(ben);
    await by('ben', 'list_groups');
    await send();
    expect(await companion.wait(0)).toMatchObject({ wake: null, state: 'active', retryAt: expect.any(String) });
    let woken: Fields | undefined;
    const waiting = companion.wait().then(({ wake }) => (woken = wake));
    await eventually('it is woken when it has been idle for a while', () => {
      clock.advance(graceMs);
      return woken !== undefined;
    });
    expect(await waiting).toMatchObject({ unread: 1 });
  });

  it('is told once of mail that was announced, and again only of newer mail', async () => {
    const { by, ben, send } = await team('once');
    const companion = await companionOf(ben);
    await send('one');
    const first = await companion.wait(0);
    await send('two');
    await by('ben', 'list_groups');
    clock.advance(60_000);
    expect(await companion.wait(0)).toMatchObject({ wake: null, state: 'nothing' });
    await send('three');
    const second = await companion.wait(0);
    expect(second.wake).toMatchObject({ unread: 3 });
    expect(second.wake.wakeId).not.toBe(first.wake.wakeId);
  });

  it('gets a digest of all that waits', async () => {
    const { by, ben, send } = await team('digest');
    for (const agentId of ['cyn', 'dan', 'eve']) await by(agentId, 'register_agent', { agentId });
    for (const sender of ['cyn', 'dan', 'eve']) await by(sender, 'send_message', { target: 'ben', content: 'x' });
    await send('now', { priority: 'high' });
    const { wake } = await (await companionOf(ben)).wait(0);
    expect(wake).toMatchObject({ unread: 4, highest: 'high', from: ['cyn', 'dan', 'eve', 'ada'] });
    expect(wake.text).toBe('4 unread from cyn, dan, eve and 1 others: call get_messages');
  });
});

describe('only the agent’s own call confirms a wake', () => {
  it('not its companion, its connection or a command beside it', async () => {
    const { by, ben, send, attempts } = await team('confirm');
    const companion = await companionOf(ben);
    await send();
    const { wake } = await companion.wait(0);
    await companion.report(wake.wakeId, 'accepted');
    await companion.wait(0);
    await by('ben', 'list_wakes');
    const headers = { 'content-type': 'application/json', 'coterie-agent': 'ben', 'coterie-session': 'confirm' };
    await fetch(`${hub.url}/v1/get_messages`, {
      method: 'POST',
      headers: { ...headers, [clientIdHeader]: commandClientId },
      body: JSON.stringify({ markAsRead: false }),
    });
    const client = await connectMcp('v2 2025', `${hub.url}/mcp?agent=ben&session=confirm`);
    await client.tools();
    expect(await attempts()).toMatchObject([{ state: 'accepted' }]);
    await client.call('list_groups', {});
    expect((await confirmedWake(ben)).attempts).toMatchObject([{ state: 'confirmed' }]);
  });

  it('at any hub', async () => {
    const { ben, send, wakeOf } = await team('any-hub');
    const hubs = hubsAt(hub.url);
    const [first = hub.url, second = first, third = first] = hubs;
    const companion = await companionOf({ ...ben, url: first });
    await send();
    const { wake } = await companion.wait(0);
    await companion.report(wake.wakeId, 'accepted');
    // At once, whether the hint has arrived there or not.
    await call(second, 'list_groups', {}, { agent: 'ben', session: 'any-hub' });
    await confirmedWake(ben);
    await eventually('a third hub knows', async () => (await wakeOf('ben', third)).state === 'woken');
    expect((await wakeOf('ben', third)).text).toMatch(/^active, woken by codex-queue \d+\.\d s ago$/);
  });
});

/** At all hubs. */
async function confirmedCount(): Promise<number> {
  const texts = await Promise.all(hubsAt(hub.url).map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const counts = texts.map((text) => /^coterie_wake_confirmed_seconds_count\{kind="codex-queue"\} (\d+)$/m.exec(text));
  return counts.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0);
}

describe('what others see', () => {
  it('in list_agents, in every state', async () => {
    const { by, ben, send, wakeOf } = await team('shown');
    clock.advance(3_600_000);
    expect(await wakeOf('ben')).toEqual({ state: 'none', text: 'offline, no wake route' });
    const companion = await companionOf(ben, { confirmMs: 30_000 });
    const everywhere = (state: string) =>
      eventually(`every hub shows ${state}`, async () => {
        const wakes = await Promise.all(hubsAt(hub.url).map((url) => wakeOf('ben', url)));
        return wakes.every((wake) => wake.state === state) ? wakes[0] : undefined;
      });
    expect(await everywhere('ready')).toMatchObject({
      text: 'offline, can be woken by codex-queue',
      routes: [{ kind: 'codex-queue', label: '', state: 'live' }],
    });
    await send();
    const { wake } = await companion.wait(0);
    expect((await everywhere('waking')).text).toMatch(
      /^offline, wake attempted by codex-queue .* ago, not confirmed yet$/,
    );
    await companion.report(wake.wakeId, 'failed', 'no such thread\nOh no');
    expect((await everywhere('unanswered')).text).toContain('offline, not woken: codex-queue failed (no such thread');
    clock.advance(11 * 60_000);
    expect((await everywhere('gone')).text).toMatch(/^offline, companion of codex-queue gone since \d\d:\d\d UTC$/);
    await by('ada', 'list_groups');
    expect((await send()).warnings).toEqual(['offline, wake route gone, will get it on return: ben']);
  });

  it('as events and as numbers', async () => {
    const { by, ben, send } = await team('events');
    const follower = await followEvents(hub.url, { session: 'events' });
    const before = await confirmedCount();
    const companion = await companionOf(ben);
    await send();
    const { wake } = await companion.wait(0);
    await companion.report(wake.wakeId, 'accepted');
    await by('ben', 'get_messages');
    const seen = () => follower.events.filter(({ event }) => event === 'wake');
    await eventually('all three states', () => seen().length === 3);
    expect(seen().map(({ data }) => data.state)).toEqual(['attempted', 'accepted', 'confirmed']);
    expect(seen()[0]?.data).toEqual({
      agent: 'ben',
      kind: 'codex-queue',
      state: 'attempted',
      at: expect.stringMatching(/Z$/),
    });
    expect(await confirmedCount()).toBe(before + 1);
  });
});
