// A browser signs in with a key that was pasted once: it gets a cookie of its own, which ends with the key.
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../dist/contract/limits.js';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { hubsAt } from '../support/hub-team.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { movableClock } from '../support/movable-clock.js';
import { postFromPage, type PageAnswer } from '../support/test-device.js';
import { ownMsOf } from '../support/own-time.js';
import { ask, askOperation, askTool } from './ask.js';

const clock = movableClock();
const admin = ['send', 'read', 'signal', 'admin'] as const;
const team = useKeyedHub({ boss: [...admin], ben: agentRights, observer: ['observer'] }, { clock });
const { hub } = team;
const lastHub = () => hubsAt(hub.url).at(-1) ?? hub.url;
let annsKey = '';

beforeAll(async () => {
  annsKey = (await team.makePerson('ann')).text;
});

const signIn = (key: string, url = hub.url) => postFromPage(url, '/app/sign-in/key', { body: { key } });

async function cookieOf(key: string): Promise<string> {
  const { status, cookie, body } = await signIn(key);
  expect({ status, body }).toEqual({ status: 200, body: { success: true } });
  return cookie ?? '';
}

const post = (cookie: string, operation: string, input: object = {}): Promise<PageAnswer> =>
  postFromPage(lastHub(), `/v1/${operation}`, { body: input, cookie });

async function whoIs(cookie: string) {
  const answer = await fetch(`${lastHub()}/app/hub`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  return ((await answer.json()) as { signedIn?: object }).signedIn;
}

const codeOf = ({ status, body }: PageAnswer) => [status, body.error?.code];

describe('a pasted key', () => {
  it('becomes a cookie that no script reads, without the key in it', async () => {
    const { setCookie, body } = await signIn(`  ${annsKey}\n`);
    expect(setCookie).toMatch(
      /^__Host-coterie-[\w-]{12}=coterie_\w{12}_[\w-]{43}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(setCookie + JSON.stringify(body)).not.toContain(annsKey.slice(8, 20));
    expect(setCookie + JSON.stringify(body)).not.toContain(annsKey.slice(21));
  });

  it('of a person, an administrator or an observer signs in with its rights', async () => {
    const person = await cookieOf(annsKey);
    expect(await whoIs(person)).toMatchObject({ person: 'ann', isPerson: true, capabilities: agentRights });
    expect(codeOf(await post(person, 'list_keys'))).toEqual([403, 'FORBIDDEN']);
    const boss = await cookieOf(team.key('boss'));
    const keyId = team.key('boss').slice(8, 20);
    expect(await whoIs(boss)).toMatchObject({ person: 'boss', isPerson: false, capabilities: admin, keyId });
    expect((await post(boss, 'list_keys')).status).toBe(200);
    const observer = await cookieOf(team.key('observer'));
    expect(await whoIs(observer)).toMatchObject({ session: 'default', capabilities: ['observer'] });
    expect(await whoIs(observer)).not.toHaveProperty('person');
    expect((await post(observer, 'list_threads')).status).toBe(200);
    expect(codeOf(await post(observer, 'create_thread', { title: 'T' }))).toEqual([403, 'FORBIDDEN']);
  });

  it('of an agent is for its program', async () => {
    const refused = await signIn(team.key('ben'));
    expect([...codeOf(refused), refused.cookie]).toEqual([403, 'FORBIDDEN', null]);
    expect(refused.body.error.hint).toContain('coterie people add');
  });

  it('that is wrong is refused, and nothing is repeated', async () => {
    const wrong = `${annsKey.slice(0, -3)}abc`;
    const answers = await Promise.all([wrong, 'coterie_', 'x', `Bearer ${annsKey}`].map((key) => signIn(key)));
    expect(answers.map(codeOf)).toEqual(answers.map(() => [401, 'KEY_INVALID']));
    expect(JSON.stringify(answers)).not.toContain(annsKey.slice(21, 40));
    for (const body of [{}, { key: '' }, { key: 7 }, { key: 'x'.repeat(201) }]) {
      expect(codeOf(await postFromPage(hub.url, '/app/sign-in/key', { body }))).toEqual([400, 'INVALID_INPUT']);
    }
  });

  it('is taken from the hub’s own page only', async () => {
    const body = { key: annsKey };
    for (const origin of ['http://evil.example', 'null', 'http://localhost:1']) {
      expect(codeOf(await postFromPage(hub.url, '/app/sign-in/key', { body, origin }))).toEqual([
        403,
        'ORIGIN_REFUSED',
      ]);
    }
    const headers = [['content-type', 'application/json']] as const;
    const unmarked = await ask(hub.url, { method: 'POST', path: '/app/sign-in/key', headers, body });
    expect([unmarked.status, unmarked.body.error.code]).toEqual([403, 'ORIGIN_REFUSED']);
    const inUrl = await ask(hub.url, { path: `/app/sign-in?key=${annsKey}` });
    expect(inUrl.status).toBe(400);
    expect(inUrl.text).not.toContain(annsKey.slice(21));
  });
});

describe('the sign-in', () => {
  it('is no key: not listed, not revoked as one, not in a header, not at /mcp', async () => {
    const cookie = await cookieOf(annsKey);
    const value = cookie.slice(cookie.indexOf('=') + 1);
    const id = value.slice(8, 20);
    const { keys } = await team.call('boss', 'list_keys');
    expect(keys.map((key: { id: string }) => key.id)).not.toContain(id);
    for (const operation of ['revoke_key', 'rotate_key']) {
      expect((await team.post('boss', operation, { keyId: id })).body.error.code).toBe('KEY_UNKNOWN');
    }
    const shown = await askOperation(hub.url, 'list_agents', {}, [['authorization', `Bearer ${value}`]]);
    expect([shown.status, shown.body.error.code]).toEqual([401, 'KEY_INVALID']);
    expect(codeOf(await signIn(value))).toEqual([401, 'KEY_INVALID']);
    const origin = ['origin', new URL(hub.url).origin] as const;
    const atMcp = await askTool(hub.url, 'get_messages', {}, [['cookie', cookie], origin]);
    expect([atMcp.status, atMcp.body.error.code]).toEqual([401, 'KEY_REQUIRED']);
    expect((await post(cookie, 'get_messages')).status).toBe(200);
  });

  it('ends with its key within a second, its stream too, on every hub', async () => {
    const { id, text } = await team.makeKey('chief', [...admin]);
    const [one, other] = [await cookieOf(text), await cookieOf(annsKey)];
    const stream = await fetch(`${lastHub()}/v1/events`, { headers: { cookie: one, 'sec-fetch-site': 'same-origin' } });
    expect(stream.status).toBe(200);
    await team.call('boss', 'revoke_key', { keyId: id });
    const ended = stream.text().catch(() => {});
    expect(await ownMsOf(lastHub(), ended)).toBeLessThan(1_500);
    expect(codeOf(await post(one, 'list_agents'))).toEqual([401, 'KEY_INVALID']);
    expect((await post(other, 'list_agents')).status).toBe(200);
  });

  it('ends when its key expires, or after the overlap of a rotation', async () => {
    const { id, text } = await team.makeKey('chief', [...admin]);
    const cookie = await cookieOf(text);
    await team.call('boss', 'rotate_key', { keyId: id, overlap: 60 });
    expect((await post(cookie, 'list_agents')).status).toBe(200);
    clock.advance(61_000);
    expect(codeOf(await post(cookie, 'list_agents'))).toEqual([401, 'KEY_INVALID']);
    const week = await cookieOf(annsKey);
    clock.advance(7 * 86_400_000);
    expect(codeOf(await post(week, 'list_agents'))).toEqual([401, 'KEY_INVALID']);
  });

  it('ends by signing out, alone, with its stream', async () => {
    const [one, other] = [await cookieOf(annsKey), await cookieOf(annsKey)];
    const stream = await fetch(`${hub.url}/v1/events`, { headers: { cookie: one, 'sec-fetch-site': 'same-origin' } });
    const out = await postFromPage(lastHub(), '/app/sign-out', { cookie: one });
    expect(out.setCookie).toMatch(/=; Path=\/; Max-Age=0; /);
    await stream.text().catch(() => {});
    expect(codeOf(await post(one, 'list_agents'))).toEqual([401, 'KEY_INVALID']);
    expect((await post(other, 'list_agents')).status).toBe(200);
    expect((await askOperation(hub.url, 'list_agents', {}, [['authorization', `Bearer ${annsKey}`]])).status).toBe(200);
  });

  it('is one of ten with a key: the oldest ends', async () => {
    const first = await cookieOf(annsKey);
    clock.advance(1_000);
    for (let count = 0; count < 10; count += 1) await cookieOf(annsKey);
    await eventually('the oldest ended', async () => (await post(first, 'list_agents')).status === 401);
    expect((await post(await cookieOf(annsKey), 'list_agents')).status).toBe(200);
  });

  it('and what is done with it are in the audit log, by the key', async () => {
    const cookie = await cookieOf(team.key('boss'));
    await post(cookie, 'set_group', { name: 'crew', members: [] });
    const { entries } = await team.call('boss', 'list_audit', { limit: 2 });
    const keyId = team.key('boss').slice(8, 20);
    expect(entries).toMatchObject([
      { act: 'set_group', target: 'crew', actor: 'boss', keyId },
      { act: 'sign_in', target: keyId, actor: 'boss', keyId, details: { how: 'key' } },
    ]);
  });
});

it('wrong keys are counted by address, and a good one still works', async () => {
  const guesses = Array.from({ length: limits.failedKeysPerMinute + 1 }, () => signIn('coterie_', lastHub()));
  const codes = (await Promise.all(guesses)).map(({ body }) => body.error.code);
  expect(codes).toContain('RATE_LIMITED');
  await cookieOf(annsKey);
});

it('a hub without keys needs none, and says so', async () => {
  const open = await startHubInProcess();
  const refused = await signIn(annsKey, open.url);
  expect([...codeOf(refused), refused.cookie]).toEqual([403, 'FORBIDDEN', null]);
  expect(refused.body.error.message).toContain('no keys');
  await open.stop();
});
