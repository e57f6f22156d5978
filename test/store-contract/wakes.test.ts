// Wakes on every store: one transaction decides, so that of many who ask exactly one gets the wake.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits, setLimits } from '../../dist/contract/limits.js';
import type { WakeRoute } from '../../dist/ports/wake.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
const agentId = 'ben';
const ref = { sessionId, agentId };
const at = 1_000_000;
let opened: OpenedStore;

async function open(): Promise<void> {
  opened = await openStore();
  const plan = { sessionId, name: null, description: null, capabilities: null, owner: 'open', at, onlyIfMissing: true };
  for (const id of ['ada', 'ben']) await opened.store.registerAgent({ ...plan, id });
}

beforeEach(open);
const usualLimits = { ...limits };
afterEach(() => {
  setLimits(usualLimits);
  return opened.close();
});

const routeOf = (id: string, fields: Partial<WakeRoute> = {}) => ({
  id,
  kind: 'command' as const,
  label: id,
  clientSession: null,
  companion: `of-${id}`,
  position: 0,
  confirmMs: 30_000,
  wakesPerHour: null,
  quietMs: null,
  isOnce: false,
  url: null,
  host: null,
  ...fields,
});

const setRoute = (id: string, fields: Partial<WakeRoute> = {}) =>
  opened.store.setWakeRoute({ ...ref, route: routeOf(id, fields), leaseMs: 60_000, replace: false, now: at });

let asked = 0;
const ask = (routeId: string, { now = at, companion = `of-${routeId}` } = {}) =>
  opened.store.nextWake({
    ...ref,
    routeId,
    companion,
    wakeId: `w${(asked += 1)}`,
    calledMsAgo: null,
    isWaiting: false,
    leaseMs: 60_000,
    now,
  });

const send = () =>
  opened.store.appendMessage({
    sessionId,
    sender: 'ada',
    isAdmin: false,
    threadId: null,
    target: 'ben',
    content: '[{"type":"text","text":"x"}]',
    attachments: null,
    role: null,
    type: null,
    priority: 'normal',
    action: 'queue',
    urgent: false,
    mentions: [],
    mentionsInText: [],
    replyTo: null,
    context: null,
    payload: null,
    metadata: {},
    label: null,
    shareThinking: false,
    wantsReceipt: false,
    notice: null,
    at,
    expiresAt: null,
    key: null,
  });

describe('a wake', () => {
  it('is given to one of many routes that ask at once, and attempted once', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `r${index}`);
    for (const id of ids) await setRoute(id);
    await send();
    const answers = await Promise.all([...ids, ...ids].map((id) => ask(id)));
    const given = answers.filter(({ wake }) => wake !== null);
    // The first route of the chain, and once more to the same companion, which asked twice.
    expect(new Set(given.map(({ wake }) => wake?.wakeId)).size).toBe(1);
    expect(given.flatMap(({ news }) => news)).toHaveLength(1);
    const [wake, ...others] = await opened.store.listWakes({ ...ref, limit: 50 });
    expect(others).toEqual([]);
    expect(wake?.attempts).toMatchObject([{ routeId: 'r0', state: 'attempted' }]);
  });

  it('is confirmed once, however many hubs see the call', async () => {
    await setRoute('r1');
    await send();
    await ask('r1');
    const news = await Promise.all([1, 2, 3, 4].map(() => opened.store.confirmWake({ ...ref, now: at + 400 })));
    expect(news.flat()).toEqual([{ ...ref, kind: 'command', state: 'confirmed', at: at + 400, confirmedMs: 400 }]);
    expect(await opened.store.openWakes({ now: at, limit: 10 })).toEqual([]);
  });

  it('is given up once, however many hubs look', async () => {
    await setRoute('r1');
    await send();
    await ask('r1');
    const late = { ...ref, now: at + 30_000 };
    expect(await opened.store.openWakes({ now: at + 30_000, limit: 10 })).toMatchObject([{ isDue: true }]);
    const news = await Promise.all([1, 2, 3, 4].map(() => opened.store.settleWake(late)));
    expect(news.flat()).toMatchObject([{ state: 'unconfirmed' }]);
    expect(await opened.store.listWakes({ ...ref, limit: 5 })).toMatchObject([{ state: 'abandoned' }]);
  });

  it('is not confirmed by a call before it was attempted', async () => {
    await setRoute('r1');
    await opened.store.startTestWake({ ...ref, wakeId: 'test', now: at });
    expect(await opened.store.confirmWake({ ...ref, now: at })).toEqual([]);
    expect(await opened.store.findWake({ ...ref, wakeId: 'test' })).toMatchObject({ state: 'open', attempts: [] });
  });

  it('is one of at most a hundred that are kept of an agent', async () => {
    await setRoute('r1');
    for (let hour = 0; hour < 110; hour += 1) {
      const now = at + hour * 3_600_000;
      await send();
      expect((await ask('r1', { now })).state).toBe('wake');
      await opened.store.confirmWake({ ...ref, now: now + 1 });
    }
    const [{ count } = { count: 0 }] = await opened.sql('select count(*) as count from wake where agent_id = ?', 'ben');
    expect(Number(count)).toBeLessThanOrEqual(102);
  });

  it('counts in the budget of its hour, however often others test the routes', async () => {
    await setRoute('r1', { isOnce: true });
    await send();
    expect((await ask('r1')).state).toBe('wake');
    await opened.store.confirmWake({ ...ref, now: at + 1 });
    const test = (number: number) => opened.store.startTestWake({ ...ref, wakeId: `test${number}`, now: at + 2 });
    for (let number = 0; number < 110; number += 1) expect((await test(number)).state).toBe('abandoned');
    expect(await opened.store.wakeFacts({ ...ref, now: at + 3 })).toMatchObject({
      starts: [at],
      last: { endedAt: at + 1 },
    });
    expect(await opened.store.listWakes({ ...ref, limit: 5 })).toHaveLength(1);
  });

  it('counts, too, where more than a hundred in an hour are allowed', async () => {
    setLimits({ wakesPerHour: 120, wakeQuietMs: 0 });
    // A store learns the limits when it opens.
    await opened.close();
    await open();
    await setRoute('r1');
    let now = at;
    const wake = async () => {
      await send();
      const { state } = await ask('r1', { now: (now += 1) });
      await opened.store.confirmWake({ ...ref, now: (now += 1) });
      return state;
    };
    for (let number = 0; number < 120; number += 1) expect(await wake()).toBe('wake');
    expect(await wake()).toBe('budget');
  });

  it('is forgotten with its agent', async () => {
    await setRoute('r1');
    await send();
    await ask('r1');
    await opened.store.removeAgent({ sessionId, id: 'ben', at, audit: null });
    for (const table of ['wake_route', 'wake', 'wake_attempt', 'wake_agent', 'escalation']) {
      expect(await opened.sql(`select agent_id from ${table} where agent_id = ?`, 'ben')).toEqual([]);
    }
  });
});

describe('an escalation', () => {
  const add = () =>
    opened.store.addEscalations({ sessionId, sender: 'ada', seq: 1, recipients: ['ben'], now: at, afterMs: 60_000 });
  const take = (now: number) => opened.store.takeEscalations({ now, holdMs: 30_000, limit: 10 });

  it('is taken by one hub when it is due, and by another if that one dies', async () => {
    await send();
    await add();
    expect(await opened.store.escalationsDue({ now: at + 59_999 })).toBe(false);
    const taken = await Promise.all([1, 2, 3].map(() => take(at + 60_000)));
    expect(taken.flat()).toMatchObject([{ agentId: 'ben', sender: 'ada', seq: 1 }]);
    expect(await take(at + 90_000)).toHaveLength(1);
    await opened.store.endEscalation({ ...ref, seq: 1 });
    // A repeated send does not begin it again.
    await add();
    expect(await take(at + 900_000)).toEqual([]);
  });

  it('of one sender are bounded', async () => {
    const escalate = (seq: number) =>
      opened.store.addEscalations({ sessionId, sender: 'ada', seq, recipients: ['ben'], now: at, afterMs: 60_000 });
    for (let seq = 1; seq <= limits.escalations; seq += 1) expect(await escalate(seq)).toEqual({ leftOut: 0 });
    expect(await escalate(limits.escalations + 1)).toEqual({ leftOut: 1 });
  });

  it('waits for an open wake, and ends with one that is confirmed', async () => {
    await setRoute('r1', { confirmMs: 3_600_000 });
    await send();
    await add();
    await ask('r1');
    expect(await take(at + 60_000)).toEqual([]);
    expect(await opened.store.escalationsDue({ now: at + 70_000 })).toBe(true);
    await opened.store.confirmWake({ ...ref, now: at + 61_000 });
    expect(await take(at + 70_000)).toEqual([]);
    expect(await opened.store.escalationsDue({ now: at + 900_000 })).toBe(false);
  });
});
