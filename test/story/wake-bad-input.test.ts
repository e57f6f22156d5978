// What a route may not be: each refusal says why, and leaves nothing behind.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { companionOf, confirmedWake } from '../support/companion.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { startRecordingServer } from '../support/recording-server.js';
import { useHub } from '../support/use-hub.js';

type Fields = Record<string, unknown>;

const session = 'bad';
const clock = movableClock();
const receivers = Promise.all([startRecordingServer(), startRecordingServer()]);
const [allowed, foreign] = await receivers;
const hub = useHub({ clock, args: ['--wake-hosts', `${allowed.host},wake.example.com`] });
const route = { kind: 'codex-queue', companion: 'c1' };

const refuse = async (operation: string, input: Fields, agent = 'ben') => {
  const { body } = await post(hub.url, operation, input, { agent, session });
  return body.error ?? body;
};
const routesOf = async (agent: string) => (await call(hub.url, 'list_wakes', {}, { agent, session })).routes;

describe('a route is refused', () => {
  it('for another agent', async () => {
    expect(await refuse('set_wake_route', { ...route, agentId: 'cyn' })).toMatchObject({ code: 'IDENTITY_MISMATCH' });
    await call(hub.url, 'register_agent', { agentId: 'cyn' }, { session });
    expect(await routesOf('cyn')).toEqual([]);
  });

  it('with a command, which only the companion knows', async () => {
    const error = await refuse('set_wake_route', { ...route, kind: 'command', command: 'rm -rf /' });
    expect(error).toMatchObject({ code: 'UNKNOWN_FIELD' });
    expect(error.message).toContain('command');
    expect(await routesOf('ben')).toEqual([]);
  });

  it.each([
    ['of no known kind', { kind: 'telepathy' }, 'INVALID_INPUT', /kind/],
    ['without a companion', { companion: undefined }, 'INVALID_INPUT', /companion/],
    ['of a companion with a line break', { companion: 'a\nb' }, 'INVALID_INPUT', /companion/],
    ['with a label that is too long', { label: 'x'.repeat(101) }, 'INVALID_INPUT', /label/],
    ['with no time to confirm', { confirmMs: 999 }, 'INVALID_INPUT', /confirmMs: must be 1000 to 3600000/],
    ['with too much time to confirm', { confirmMs: 3_600_001 }, 'INVALID_INPUT', /confirmMs/],
    ['with a budget of none', { wakesPerHour: 0 }, 'INVALID_INPUT', /wakesPerHour/],
    [
      'with a url that is not a webhook’s',
      { url: 'https://wake.example.com/' },
      'INVALID_INPUT',
      /url: is for the kind/,
    ],
    ['as a webhook without a url', { kind: 'webhook' }, 'INVALID_INPUT', /url: is missing/],
    ['as a webhook at a foreign host', hook('https://other.example.com/x'), 'ENDPOINT_REFUSED', /host is not allowed/],
    ['as a webhook at another port', hook('http://127.0.0.1:1/x'), 'ENDPOINT_REFUSED', /address is not public/],
    ['as a webhook at a private address', hook('https://10.0.0.1/x'), 'ENDPOINT_REFUSED', /address is not public/],
    ['as a webhook of the metadata service', hook('http://169.254.169.254/'), 'ENDPOINT_REFUSED', /not public/],
    ['as a webhook by http', hook('http://wake.example.com/x'), 'ENDPOINT_REFUSED', /not https/],
    ['as a webhook with a password', hook('https://u:p@wake.example.com/'), 'ENDPOINT_REFUSED', /user name/],
    ['as a file', hook('file:///etc/passwd'), 'ENDPOINT_REFUSED', /not https/],
  ])('%s', async (_, fields, code, message) => {
    const error = await refuse('set_wake_route', { ...route, ...fields });
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.stringMatching(/\w/) });
    expect(await routesOf('ben')).toEqual([]);
  });

  it('beyond the number of routes that an agent may have, unless one is gone', async () => {
    const set = (label: string) => post(hub.url, 'set_wake_route', { ...route, label }, { agent: 'many', session });
    for (let index = 0; index < 16; index += 1) expect((await set(`l${index}`)).status).toBe(200);
    expect((await set('one more')).body.error).toMatchObject({ code: 'LIMIT_REACHED' });
    clock.advance(61_000);
    expect((await set('one more')).status).toBe(200);
    expect(await routesOf('many')).toHaveLength(16);
  });
});

function hook(url: string): Fields {
  return { kind: 'webhook', companion: undefined, url };
}

describe('a companion is refused', () => {
  it('with a route that there is not, or that is another agent’s', async () => {
    const mine = await companionOf({ url: hub.url, session, agent: 'dan' });
    const wait = { routeId: mine.routeId, companion: 'c1', timeoutMs: 0 };
    expect(await refuse('await_wake', wait, 'eve')).toMatchObject({ code: 'WAKE_ROUTE_UNKNOWN' });
    expect(await refuse('await_wake', { ...wait, routeId: 'r1' }, 'dan')).toMatchObject({
      code: 'WAKE_ROUTE_UNKNOWN',
      hint: expect.stringContaining('set_wake_route'),
    });
    expect(await refuse('remove_wake_route', { routeId: mine.routeId }, 'eve')).toMatchObject({ removed: false });
    expect(await routesOf('dan')).toHaveLength(1);
  });

  it('with a wake that it was not given', async () => {
    const mine = await companionOf({ url: hub.url, session, agent: 'fay' });
    const report = { wakeId: 'w1', routeId: mine.routeId, outcome: 'accepted' };
    expect(await refuse('report_wake', report, 'fay')).toMatchObject({ code: 'WAKE_UNKNOWN' });
    expect(await refuse('report_wake', { ...report, outcome: 'confirmed' }, 'fay')).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('with a reason that is too long', async () => {
    const report = { wakeId: 'w1', routeId: 'r1', outcome: 'failed', reason: 'x'.repeat(501) };
    expect(await refuse('report_wake', report)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^reason: .*500/),
    });
  });

  it('a test of a person, of nobody, and the wakes of others', async () => {
    expect(await refuse('test_wake', { target: 'nobody' })).toMatchObject({ code: 'AGENT_UNKNOWN' });
    const { body } = await post(hub.url, 'test_wake', { target: 'me' }, { agent: 'ben' });
    expect(body.error).toMatchObject({ code: 'INVALID_INPUT', hint: expect.stringContaining('send_alert') });
  });
});

describe('a webhook', () => {
  it('is called by the hub, signed, without any content, by one hub alone', async () => {
    const as = { agent: 'hook', session };
    await call(hub.url, 'register_agent', { agentId: 'gus' }, { session });
    const url = `${allowed.url}/secret-path`;
    const { secret, leaseMs } = await call(hub.url, 'set_wake_route', { kind: 'webhook', url }, as);
    expect(leaseMs).toBe(0);
    expect(JSON.stringify(await routesOf('hook'))).not.toContain('secret-path');
    clock.advance(6_000);
    await call(hub.url, 'send_message', { target: 'hook', content: 'A secret plan' }, { agent: 'gus', session });
    await eventually('it was called', () => allowed.posted.length > 0);
    const [posted] = allowed.posted;
    expect(posted?.path).toBe('/secret-path');
    expect(posted?.json).toMatchObject({ v: 1, kind: 'wake', agent: 'hook', unread: 1, from: ['gus'] });
    expect(posted?.text).not.toContain('plan');
    const [, seconds, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(posted?.headers['coterie-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', secret).update(`${seconds}.${posted?.text}`).digest('hex'));
    await eventually('it is accepted', async () => {
      const { wakes } = await call(hub.url, 'list_wakes', {}, as);
      return wakes[0]?.attempts[0].state === 'accepted';
    });
    await call(hub.url, 'get_messages', {}, as);
    await confirmedWake({ url: hub.url, ...as });
    expect(allowed.posted).toHaveLength(1);
    expect(foreign.posted).toEqual([]);
  });

  it('that answers with an error has failed', async () => {
    const as = { agent: 'broken', session };
    allowed.answer(500);
    await call(hub.url, 'set_wake_route', { kind: 'webhook', url: `${allowed.url}/x` }, as);
    clock.advance(6_000);
    await call(hub.url, 'send_message', { target: 'broken', content: 'x' }, { agent: 'gus', session });
    const attempt = await eventually('it has failed', async () => {
      const { wakes } = await call(hub.url, 'list_wakes', {}, as);
      return wakes[0]?.state === 'abandoned' && wakes[0].attempts[0];
    });
    expect(attempt).toMatchObject({ state: 'failed', reason: 'the webhook answered 500' });
  });
});
