// The outbox of pushes on every store: taken once, sent once, tried again, removed with their channel or their question.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../dist/contract/limits.js';
import type { PushOutcome } from '../../dist/ports/channels.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
const at = 1_000_000;
const leaseMs = 60_000;
let opened: OpenedStore;

beforeEach(async () => {
  opened = await openStore();
});
afterEach(() => opened.close());

const channel = (id: string, personId = 'pat', deviceId: string | null = null) =>
  opened.store.saveChannel({
    sessionId,
    id,
    personId,
    deviceId,
    kind: deviceId === null ? 'ntfy' : 'web-push',
    label: id,
    settings: 'box',
    createdAt: at,
    replaces: null,
  });

async function question(id: string, channels: string[], { status = 'pending', expiresAt = at + 1e9 } = {}) {
  const body = JSON.stringify({ form: 'plain', json: '{}' });
  await opened.sql(
    `insert into signal (session_id, id, kind, sender, status, level, priority, option_count, body, asked_at)
     values (?, ?, 'question', 'builder', ?, 'none', 'high', 0, ?, ?) returning id`,
    sessionId,
    id,
    status,
    body,
    at,
  );
  for (const channelId of channels)
    await opened.sql(
      `insert into push (session_id, id, signal_id, channel_id, due_at, attempts, expires_at)
       values (?, ?, ?, ?, ?, 0, ?) returning id`,
      sessionId,
      `${id}.${channelId}`,
      id,
      channelId,
      at,
      expiresAt,
    );
}

const take = (now = at, token = 't', limit = 10) => opened.store.takePushes({ now, leaseMs, token, limit });
const settle = (id: string, outcome: PushOutcome, token = 't') =>
  opened.store.settlePush({ sessionId, id, token, outcome });
const channels = async () => opened.store.listChannels({ sessionId, personId: 'pat' });

describe('a push', () => {
  it('is taken with all that is needed to send it', async () => {
    await channel('c1');
    await opened.store.setPersonPrefs({
      sessionId,
      personId: 'pat',
      prefs: { quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Vienna' } },
    });
    await question('q-1', ['c1']);
    expect(await opened.store.countPushes()).toEqual({ waiting: 1, oldestDueAt: at });
    expect(await take()).toMatchObject([
      {
        id: 'q-1.c1',
        attempts: 0,
        channel: { id: 'c1', personId: 'pat', kind: 'ntfy' },
        kid: null,
        signal: { id: 'q-1', sender: 'builder', senderName: 'builder', priority: 'high', body: { form: 'plain' } },
        prefs: { quietHours: { from: '22:00' } },
      },
    ]);
  });

  it('is taken once, until its lease ends', async () => {
    await channel('c1');
    await question('q-1', ['c1']);
    const rounds = await Promise.all(Array.from({ length: 8 }, (_, index) => take(at, `t${index}`)));
    expect(rounds.flat()).toHaveLength(1);
    expect(await take(at + leaseMs - 1)).toEqual([]);
    expect(await take(at + leaseMs)).toHaveLength(1);
  });

  it('that was sent is gone, and its channel worked', async () => {
    await channel('c1');
    await question('q-1', ['c1']);
    await take();
    await settle('q-1.c1', { kind: 'sent', at: at + 5 });
    expect(await opened.store.countPushes()).toEqual({ waiting: 0, oldestDueAt: null });
    expect(await channels()).toMatchObject([{ lastOkAt: at + 5, fault: null }]);
  });

  it('that failed is due again later, with the fault at its channel until one works', async () => {
    await channel('c1');
    await question('q-1', ['c1']);
    await take();
    await settle('q-1.c1', { kind: 'later', delayMs: 500, at, fault: 'The service answered 503.' });
    expect(await channels()).toMatchObject([{ fault: 'The service answered 503.', faultAt: at, lastOkAt: null }]);
    expect(await take(at + 499)).toEqual([]);
    expect(await take(at + 500)).toMatchObject([{ attempts: 1 }]);
    await settle('q-1.c1', { kind: 'sent', at });
    expect(await channels()).toMatchObject([{ fault: null, faultAt: null }]);
  });

  it('is not settled by a hub whose lease has ended', async () => {
    await channel('c1');
    await question('q-1', ['c1']);
    await take(at, 'slow');
    await take(at + leaseMs, 'next');
    await settle('q-1.c1', { kind: 'sent', at }, 'slow');
    expect(await opened.store.countPushes()).toMatchObject({ waiting: 1 });
    await settle('q-1.c1', { kind: 'sent', at }, 'next');
    expect(await opened.store.countPushes()).toMatchObject({ waiting: 0 });
  });

  it('whose subscription is gone removes the channel and all that waits for it', async () => {
    await channel('c1');
    await channel('c2');
    await question('q-1', ['c1', 'c2']);
    await question('q-2', ['c1']);
    await take(at, 't', 1);
    await settle('q-1.c1', { kind: 'gone' });
    expect(await channels()).toMatchObject([{ id: 'c2' }]);
    expect(await take()).toMatchObject([{ id: 'q-1.c2' }]);
  });

  it('of an ended question, past its time or without its channel is removed and not sent', async () => {
    await channel('c1');
    await question('q-1', ['c1'], { status: 'answered' });
    await question('q-2', ['c1'], { expiresAt: at });
    await question('q-3', ['c9']);
    await question('q-4', ['c1'], { status: 'sent' });
    expect(await take()).toMatchObject([{ id: 'q-4.c1' }]);
    expect(await opened.store.countPushes()).toMatchObject({ waiting: 1 });
  });
});

describe('a channel', () => {
  it('of a device replaces the one before it', async () => {
    await channel('c1', 'pat', 'phone');
    await channel('c2', 'pat', 'tablet');
    await channel('c3', 'pat', 'phone');
    expect((await channels()).map(({ id }) => id)).toEqual(['c2', 'c3']);
  });

  it('is removed once, with its pushes', async () => {
    await channel('c1');
    await question('q-1', ['c1']);
    expect(await opened.store.removeChannel({ sessionId, id: 'c1' })).toBe(true);
    expect(await opened.store.removeChannel({ sessionId, id: 'c1' })).toBe(false);
    expect(await opened.store.countPushes()).toMatchObject({ waiting: 0 });
  });
});

it('channels of a person are refused beyond their number', async () => {
  for (let index = 0; index < limits.channels; index += 1) await channel(`c${index}`);
  await expect(channel('more')).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  await channel('other', 'kim');
  await opened.store.removeChannel({ sessionId, id: 'c0' });
  await channel('more');
});
