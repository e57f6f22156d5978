// A question reaches a person's phone by Web Push, whatever happens on the way.
import { beforeEach, describe, expect, it } from 'vitest';
import { open } from '../../dist/signal/envelope/index.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { movableClock } from '../support/movable-clock.js';
import { startPushService, type PushService, type Subscription } from '../support/push-service.js';
import { TestDevice } from '../support/test-device.js';
import { world } from '../support/world.js';

const minuteMs = 60_000;
const person = 'me';
const contact = 'mailto:ops@example.com';
let clock = movableClock();
let service: PushService;
let hub: HubInProcess;
let phone: TestDevice;
let subscription: Subscription;

beforeEach(async () => {
  clock = movableClock();
  service = await startPushService();
  hub = await startHubInProcess({ clock, args: ['--push-hosts', service.host, '--push-contact', contact] });
  await call(hub.url, 'register_agent', { agentId: 'builder', agentName: 'Builder' }, { agent: 'builder' });
  phone = await TestDevice.make('Phone');
  expect(await phone.pairOnPage(hub.url)).toMatchObject({ status: 200 });
  subscription = await subscribe(phone);
});

async function vapidKey(): Promise<string> {
  const response = await fetch(`${hub.url}/app/hub`);
  return ((await response.json()) as { hub: { vapid: string } }).hub.vapid;
}

async function subscribe(device: TestDevice): Promise<Subscription> {
  const made = service.subscribe(await vapidKey());
  await device.call(hub.url, 'set_channel', { kind: 'web-push', endpoint: made.endpoint, keys: made.keys });
  return made;
}

const ask = async (question: string, more: object = {}): Promise<string> => {
  const input = { question, encrypt: false, ...more };
  return (await call(hub.url, 'ask_question', input, { agent: 'builder' })).questionId;
};
const alert = (message: string, more: object = {}) =>
  call(hub.url, 'send_alert', { message, encrypt: false, ...more }, { agent: 'builder' });
const receivedAt = (count: number) =>
  eventually(`${count} pushes arrived`, () => service.received.length >= count && service.received.slice(0, count));
const channels = async () => (await phone.call(hub.url, 'list_channels')).channels;
const waiting = async () => (await hub.store.countPushes()).waiting;
/** Until nothing waits in the outbox. */
const settled = () => eventually('nothing waits', async () => (await waiting()) === 0);
const faultAt = () =>
  eventually('the channel has a fault', async () => (await channels())[0]?.fault as string | undefined);

describe('a question to a person with a subscribed device', () => {
  it('is pushed at once, with what a browser can show by itself and what the app needs', async () => {
    const id = await ask('Deploy now?', { options: ['Yes', 'No'], priority: 'high', ttl: 600 });
    const [push] = await receivedAt(1);
    expect(push).toMatchObject({ to: subscription.id, urgency: 'high', claims: { sub: contact } });
    expect(push?.ttl).toBeGreaterThan(500);
    expect(push?.ttl).toBeLessThanOrEqual(600);
    expect(push?.topic).toMatch(/^[\w-]{32}$/);
    expect(push?.json).toEqual({
      web_push: 8030,
      notification: {
        title: 'Builder has a question',
        body: 'Open it to read and answer.',
        navigate: expect.stringMatching(new RegExp(`^https?://.*/app/question/${id}$`)),
        tag: id,
      },
      signal: {
        id,
        kind: 'question',
        from: 'builder',
        fromName: 'Builder',
        encryption: 'none',
        question: 'Deploy now?',
        options: ['Yes', 'No'],
      },
    });
    await settled();
    expect(await channels()).toMatchObject([{ kind: 'web-push', label: 'Phone', lastOkAt: expect.any(String) }]);
    expect(service.attempts()).toBe(1);
  });

  it('is pushed to each of the person’s devices once, and an alert of an error is urgent', async () => {
    const tablet = await TestDevice.make('Tablet');
    await tablet.pairOnPage(hub.url);
    const other = await subscribe(tablet);
    await alert('The disk is full.', { alertType: 'error' });
    const pushes = await receivedAt(2);
    expect(pushes.map(({ to }) => to).toSorted()).toEqual([subscription.id, other.id].toSorted());
    expect(pushes[0]).toMatchObject({
      urgency: 'high',
      json: {
        notification: { title: 'Builder reports an error' },
        signal: { kind: 'alert', alertType: 'error', message: 'The disk is full.' },
      },
    });
    await settled();
    expect(service.received).toHaveLength(2);
  });

  it('is pushed with its id alone if it is too large for a push, or for this service', async () => {
    const id = await ask('界'.repeat(1_500));
    const [push] = await receivedAt(1);
    expect(push?.json.signal).toEqual({
      id,
      kind: 'question',
      from: 'builder',
      fromName: 'Builder',
      encryption: 'none',
    });
    service.refuse({ status: 413 });
    const next = await ask('Small, but not for this service?');
    const [, second] = await receivedAt(2);
    expect(second?.json).toMatchObject({ notification: { tag: next } });
    expect(second?.text).not.toContain('Small');
  });

  it('is pushed sealed for this device alone, and nothing of it in plain text', async () => {
    const tablet = await TestDevice.make('Tablet');
    await tablet.pairOnPage(hub.url);
    const marked = 'MARKED-7Q';
    const id = await ask(`Deploy ${marked}?`, { encrypt: true, options: [`Yes ${marked}`], context: marked });
    const [push] = await receivedAt(1);
    expect(push?.text).not.toContain(marked);
    const { signal } = push?.json ?? {};
    expect(signal).toMatchObject({ id, encryption: 'device', senderKeys: { kid: expect.any(String) } });
    expect(signal.question).toBeUndefined();
    expect(signal.sealed.r.map(({ k }: { k: string }) => k)).toEqual([phone.keys.public.kid]);
    const expected = { senders: [signal.senderKeys], header: { use: 'question' as const, session: 'default', id } };
    const { payload } = await open(phone.keys, signal.sealed, expected);
    expect(payload).toMatchObject({ text: `Deploy ${marked}?`, options: [`Yes ${marked}`] });
  });

  it('is not pushed any more once it has ended', async () => {
    service.refuse({ status: 503 }, 1);
    const id = await ask('Deploy?', { options: ['Yes', 'No'] });
    await faultAt();
    await phone.call(hub.url, 'answer_question', { questionId: id, option: 1 });
    expect(await waiting()).toBe(0);
    clock.advance(60 * minuteMs);
    await ask('Another?');
    const [push] = await receivedAt(1);
    expect(push?.json.signal.question).toBe('Another?');
  });
});

describe('a push service', () => {
  it('that is down or overloaded gets the push again later, not before it says', async () => {
    service.refuse({ status: 429, headers: { 'retry-after': '120' } });
    await ask('Deploy?');
    expect(await faultAt()).toBe('The service answered 429.');
    clock.advance(119_000);
    const attempts = service.attempts();
    await eventually('the outbox looked', async () => (await waiting()) === 1);
    expect(service.attempts()).toBe(attempts);
    clock.advance(4 * minuteMs);
    await receivedAt(1);
    await settled();
    expect((await channels())[0].fault).toBeUndefined();
    await service.stop();
    await ask('And now?');
    expect(await faultAt()).toBe('The service cannot be reached: ECONNREFUSED.');
    await service.start();
    clock.advance(minuteMs);
    await receivedAt(2);
    expect(service.received).toHaveLength(2);
  });

  it('that says the subscription is gone ends the channel', async () => {
    service.unsubscribe(subscription.id);
    await ask('Deploy?');
    await settled();
    expect(await channels()).toEqual([]);
    subscription = await subscribe(phone);
    await ask('Deploy now?');
    await receivedAt(1);
  });

  it('that refuses the hub’s key is a fault, shown at the channel and in the metrics, and tried again slowly', async () => {
    service.refuse({ status: 403, body: '{"reason":"BadJwtToken"}' });
    await ask('Deploy?');
    expect(await faultAt()).toMatch(/^The service answered 403 \(\{"reason":"BadJwtToken"\}\)\. Check --push-contact/);
    if (world !== 'three-hubs') {
      const metrics = await (await fetch(`${hub.url}/metrics`)).text();
      expect(metrics).toContain('coterie_pushes_total{kind="web-push",result="failed"} 1');
      expect(metrics).toContain('coterie_pushes_waiting 1');
    }
    clock.advance(10 * minuteMs);
    expect(service.received).toHaveLength(0);
    clock.advance(30 * minuteMs);
    await receivedAt(1);
  });
});

describe('quiet hours', () => {
  it('delay pushes to their end; high priority passes', async () => {
    const local = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const now = clock.now();
    const quietHours = { from: local(now - 60 * minuteMs), to: local(now + 60 * minuteMs), timeZone: 'UTC' };
    await phone.call(hub.url, 'set_person_prefs', { quietHours });
    expect(await phone.call(hub.url, 'get_person_prefs')).toMatchObject({ person, prefs: { quietHours } });
    await ask('Which colour?');
    await ask('Production is down: roll back?', { priority: 'high' });
    const [urgent] = await receivedAt(1);
    expect(urgent?.json.signal.question).toContain('roll back');
    await eventually('one waits', async () => (await waiting()) === 1);
    expect(service.received).toHaveLength(1);
    clock.advance(62 * minuteMs);
    const [, late] = await receivedAt(2);
    expect(late?.json.signal.question).toBe('Which colour?');
  });

  it.each([
    [{ from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ from: '25:00', to: '07:00', timeZone: 'UTC' }, 'from'],
  ])('refuse %o', async (quietHours, field) => {
    const { status, body } = await phone.post(hub.url, 'set_person_prefs', { quietHours });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'INVALID_INPUT',
      expect.stringContaining(field),
    ]);
  });
});

describe('a channel for Web Push', () => {
  it('is set by the paired device itself, at a known service', async () => {
    const { keys } = subscription;
    const input = { kind: 'web-push', endpoint: subscription.endpoint, keys };
    expect(await post(hub.url, 'set_channel', input, { agent: person })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', hint: expect.stringContaining('pair') } },
    });
    expect(await post(hub.url, 'set_channel', input, { agent: 'builder' })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
    for (const endpoint of ['https://169.254.169.254/x', 'https://example.com/push', 'http://fcm.googleapis.com/x']) {
      const { body } = await phone.post(hub.url, 'set_channel', { ...input, endpoint });
      expect(body.error).toMatchObject({ code: 'ENDPOINT_REFUSED', hint: expect.stringContaining('--push-hosts') });
    }
    const wrong = await phone.post(hub.url, 'set_channel', { ...input, keys: { ...keys, auth: 'x' } });
    expect(wrong.body.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'keys' } });
    expect(await channels()).toHaveLength(1);
  });

  it('can be tested, and says truly what the service answered', async () => {
    const [{ id: channelId }] = await channels();
    expect(await phone.call(hub.url, 'test_channel', { channelId })).toMatchObject({ success: true, status: 201 });
    expect(service.received[0]?.json).toMatchObject({ web_push: 8030, signal: { kind: 'test' } });
    service.refuse({ status: 401 });
    expect(await phone.call(hub.url, 'test_channel', { channelId })).toMatchObject({ success: false, status: 401 });
    expect(await channels()).toMatchObject([{ fault: expect.stringContaining('401') }]);
    await service.stop();
    const silent = await phone.call(hub.url, 'test_channel', { channelId });
    expect(silent).toEqual({ success: false, channelId, fault: 'The service cannot be reached: ECONNREFUSED.' });
  });

  it('is gone with its device', async () => {
    await phone.call(hub.url, 'revoke_device', { deviceId: phone.id });
    await ask('Deploy?');
    await settled();
    expect(service.attempts()).toBe(0);
  });

  it('of another person is as unknown as one that does not exist', async () => {
    const [{ id }] = await channels();
    await hub.store.addPerson({
      sessionId: 'default',
      id: 'kim',
      name: null,
      at: 0,
      audit: { sessionId: 'default', at: 0, actor: 'cli', keyId: null, address: '', act: 'a', target: '', details: {} },
    });
    for (const channelId of [id, 'c0']) {
      for (const operation of ['remove_channel', 'test_channel']) {
        const { body } = await post(hub.url, operation, { channelId }, { agent: 'kim' });
        expect(body.error).toMatchObject({ code: 'CHANNEL_UNKNOWN', message: `You have no channel ${channelId}.` });
      }
    }
    expect(await phone.call(hub.url, 'remove_channel', { channelId: id })).toMatchObject({ success: true });
    expect(await channels()).toEqual([]);
  });
});
