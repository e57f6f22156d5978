// coterie observe: a link that signs one browser in, once, to look at threads that are not private.
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { hubsAt } from '../support/hub-team.js';
import { keyCommands, type KeyCommand } from '../support/key-commands.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { movableClock } from '../support/movable-clock.js';
import { startHubProcess } from '../support/hub-process.js';
import { postFromPage, type PageAnswer } from '../support/test-device.js';
import { ownMsOf } from '../support/own-time.js';
import { runCli } from '../cli/run-cli.js';

const clock = movableClock();
const team = useKeyedHub({ boss: ['send', 'read', 'signal', 'admin'], ann: agentRights, ben: agentRights }, { clock });
const { hub } = team;
const lastHub = () => hubsAt(hub.url).at(-1) ?? hub.url;
let coterie: KeyCommand;
let [openThread, privateThread] = ['', ''];

beforeAll(async () => {
  coterie = await keyCommands(hub.data);
  const create = async (title: string, isPrivate: boolean) => {
    const { threadId } = await team.call('ann', 'create_thread', { title, participants: ['ben'], private: isPrivate });
    await team.call('ann', 'send_message', { threadId, content: `in ${title}` });
    return threadId;
  };
  [openThread, privateThread] = [await create('Open', false), await create('Private', true)];
});

interface Made {
  fragment: string;
  opensUntil: string;
  key: { id: string; expiresAt: string };
}

const makeLink = (input: object = {}): Promise<Made> => team.call('boss', 'create_observer_link', input);

function redeem(fragment: string, url = hub.url): Promise<PageAnswer> {
  const [linkId, secret] = fragment.split('.');
  return postFromPage(url, '/app/sign-in/link', { body: { linkId, secret } });
}

const post = (cookie: string | null, operation: string, input: object = {}) =>
  postFromPage(lastHub(), `/v1/${operation}`, { body: input, cookie: cookie ?? '' });
const codeOf = ({ status, body }: PageAnswer) => [status, body.error?.code];
const failed = [401, 'SIGN_IN_FAILED'];

describe('a link', () => {
  it('lets one look, but not at private threads, and change nothing', async () => {
    const { cookie, setCookie } = await redeem((await makeLink()).fragment);
    expect(setCookie).toMatch(/; Secure; HttpOnly; SameSite=Strict$/);
    const seen = await post(cookie, 'get_thread', { threadId: openThread });
    expect(seen.body.messages.at(-1)).toMatchObject({ sender: 'ann', content: [{ text: 'in Open' }] });
    expect(codeOf(await post(cookie, 'get_thread', { threadId: privateThread }))).toEqual([404, 'THREAD_UNKNOWN']);
    const titles = (await post(cookie, 'list_threads')).body.threads.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(['Open']);
    for (const [operation, input] of [
      ['send_message', { threadId: openThread, content: 'x' }],
      ['close_thread', { threadId: openThread }],
      ['create_observer_link', {}],
      ['list_audit', {}],
    ] as const) {
      expect(codeOf(await post(cookie, operation, input))).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('works once, at whatever hub', async () => {
    const { fragment } = await makeLink();
    const answers = await Promise.all([hub.url, lastHub(), hub.url].map((url) => redeem(fragment, url)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    expect(codeOf(await redeem(fragment))).toEqual(failed);
  });

  it('is refused in the same words if it is wrong, unknown, tried too often, too old or revoked', async () => {
    const { fragment, key } = await makeLink();
    const [linkId = '', secret = ''] = fragment.split('.');
    const wrong = `${linkId}.${'A'.repeat(43)}`;
    const unknown = await redeem(`o-${'0'.repeat(24)}.${secret}`);
    expect(codeOf(unknown)).toEqual(failed);
    expect((await redeem(wrong)).body).toEqual(unknown.body);
    await team.call('boss', 'revoke_key', { keyId: key.id });
    expect((await redeem(fragment)).body).toEqual(unknown.body);
    const tried = await makeLink();
    for (let tries = 0; tries < 5; tries += 1) await redeem(tried.fragment.replace(/\..*/, `.${'A'.repeat(43)}`));
    expect((await redeem(tried.fragment)).body).toEqual(unknown.body);
    const late = await makeLink({ ttl: 7 * 86_400 });
    clock.advance(86_400_001);
    expect((await redeem(late.fragment)).body).toEqual(unknown.body);
  });

  it('is neither a key nor a pairing', async () => {
    const { fragment } = await makeLink();
    const [linkId, claim] = fragment.split('.');
    expect(codeOf(await postFromPage(hub.url, '/app/pair/look', { body: { pairingId: linkId } }))[1]).toBe(
      'PAIRING_INVALID',
    );
    expect(codeOf(await postFromPage(hub.url, '/app/sign-in/key', { body: { key: claim } }))).toEqual([
      401,
      'KEY_INVALID',
    ]);
    for (const body of [{}, { linkId }, { linkId: 7, secret: claim }, { linkId, secret: 'x'.repeat(129) }]) {
      expect(codeOf(await postFromPage(hub.url, '/app/sign-in/link', { body }))).toEqual([400, 'INVALID_INPUT']);
    }
  });

  it('is not taken from another page', async () => {
    const [linkId, secret] = (await makeLink()).fragment.split('.');
    const body = { linkId, secret };
    const foreign = await postFromPage(hub.url, '/app/sign-in/link', { body, origin: 'http://evil.example' });
    expect(codeOf(foreign)).toEqual([403, 'ORIGIN_REFUSED']);
    expect((await postFromPage(hub.url, '/app/sign-in/link', { body })).status).toBe(200);
  });
});

describe('looking', () => {
  it('ends with the time it was given, and not before', async () => {
    const { fragment } = await makeLink({ ttl: 30 * 86_400 });
    const { cookie } = await redeem(fragment);
    clock.advance(29 * 86_400_000);
    expect((await post(cookie, 'list_threads')).status).toBe(200);
    clock.advance(86_400_001);
    expect(codeOf(await post(cookie, 'list_threads'))).toEqual([401, 'KEY_INVALID']);
  });

  it('ends by revoking its key, the stream too, on every hub', async () => {
    const { fragment, key } = await makeLink();
    const { cookie } = await redeem(fragment);
    const headers = { cookie: cookie ?? '', 'sec-fetch-site': 'same-origin' };
    const stream = await fetch(`${lastHub()}/v1/events`, { headers });
    expect(stream.status).toBe(200);
    await team.call('boss', 'revoke_key', { keyId: key.id });
    const ended = stream.text().catch(() => {});
    expect(await ownMsOf(lastHub(), ended)).toBeLessThan(1_500);
    expect(codeOf(await post(cookie, 'list_threads'))).toEqual([401, 'KEY_INVALID']);
  });

  it('is in the audit log: the link, and its use', async () => {
    const { fragment, key } = await makeLink({ label: 'for Sam' });
    await redeem(fragment);
    const { entries } = await team.call('boss', 'list_audit', { limit: 2 });
    expect(entries).toMatchObject([
      { act: 'sign_in', target: key.id, keyId: key.id, details: { how: 'link' } },
      { act: 'create_observer_link', target: key.id, actor: 'boss', details: { label: 'for Sam' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(fragment.split('.')[1]);
  });
});

describe('making a link', () => {
  it('is for administrators, for less time than their own key has', async () => {
    expect((await team.post('ann', 'create_observer_link')).body.error.code).toBe('FORBIDDEN');
    for (const input of [{ ttl: 59 }, { ttl: 366 * 86_400 }, { label: 'x'.repeat(2_000) }, { sessionId: 'a b' }]) {
      expect((await team.post('boss', 'create_observer_link', input)).body.error.code).toBe('INVALID_INPUT');
    }
    expect((await team.post('boss', 'create_observer_link', { sessionId: 'nobodys' })).body.error.code).toBe(
      'SESSION_UNKNOWN',
    );
  });

  it('works from the command line, and the key is listed and revoked like others', async () => {
    const url = ['--url', hub.url];
    const env = { COTERIE_KEY: team.key('boss') };
    const made = await runCli(['observe', '--for', '2h', '--label', 'Sam', ...url], { env });
    expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('for an observer') });
    expect(made.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/app\/observe#o-[0-9a-f]{24}\.[\w-]{43}\n$/);
    const { cookie } = await redeem(made.stdout.trim().split('#')[1] ?? '');
    expect((await post(cookie, 'list_threads')).status).toBe(200);
    const listed = await runCli(['keys', 'list', '--json', ...url], { env });
    const [key] = JSON.parse(listed.stdout).keys.filter(({ label }: { label: string }) => label === 'Sam');
    expect(key).toMatchObject({ agentId: null, capabilities: ['observer'], state: 'active' });
    expect(await runCli(['keys', 'revoke', key.id, ...url], { env })).toMatchObject({ exitCode: 0 });
    await eventually('it ended', async () => (await post(cookie, 'list_threads')).status === 401);
    const bad = await runCli(['observe', '--for', '3', ...url], { env });
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--for') });
  });

  it('in the store itself needs no key, but a session that exists', async () => {
    const unknown = await coterie('observe', '--session', 'nowhere');
    expect(unknown.exitCode).not.toBe(0);
    expect((await coterie('keys', 'list', '--session', 'nowhere', '--json')).stdout).toMatch(/"keys":\s*\[\]/);
  });

  it('does not end open mode: there nobody needs one', async () => {
    const open = await startHubProcess();
    const refused = await runCli(['observe', ...open.flags]);
    expect(refused.exitCode).not.toBe(0);
    expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining('has no keys') });
    expect((await fetch(`${open.url}/v1/openapi.json`)).status).toBe(200);
    expect((await postFromPage(open.url, '/v1/create_observer_link')).body.error.code).toBe('FORBIDDEN');
  });
});
