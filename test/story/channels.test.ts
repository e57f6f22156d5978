// Questions reach people by ntfy and by webhook; an ntfy button answers where nothing is encrypted.
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { movableClock } from '../support/movable-clock.js';
import { startRecordingServer, type RecordingServer } from '../support/recording-server.js';

const me = { agent: 'me' };
const marked = 'MARKED-7Q';
let clock = movableClock();
let server: RecordingServer;
let hub: HubInProcess;

beforeEach(async () => {
  clock = movableClock();
  server = await startRecordingServer();
  hub = await startHubInProcess({ clock, args: ['--push-hosts', server.host] });
  await call(hub.url, 'register_agent', { agentId: 'builder' }, { agent: 'builder' });
});

const ask = async (input: object): Promise<string> =>
  (await call(hub.url, 'ask_question', input, { agent: 'builder' })).questionId;
const postedAt = (count: number) =>
  eventually(`${count} posts`, () => server.posted.length >= count && server.posted.slice(0, count));

describe('an ntfy topic', () => {
  const setTopic = (more: object = {}) =>
    call(hub.url, 'set_channel', { kind: 'ntfy', server: server.url, topic: 'kim-7f3c9a41e0', ...more }, me);

  it('gets a question that is not encrypted, with a button for each option, which answers it once', async () => {
    const { channel } = await setTopic({ token: 'tk_secret123' });
    expect(channel).toMatchObject({ kind: 'ntfy', label: `${server.host}/kim…`, person: 'me' });
    const id = await ask({ question: 'Deploy?', options: ['Yes', 'No'], encrypt: false, priority: 'high' });
    const [note] = await postedAt(1);
    expect(note).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_secret123' } });
    expect(note?.json).toMatchObject({
      topic: 'kim-7f3c9a41e0',
      title: 'builder has a question',
      message: 'Deploy?',
      priority: 4,
      tags: ['question'],
      click: expect.stringMatching(new RegExp(`/app/question/${id}$`)),
      actions: [
        { action: 'http', label: 'Yes', method: 'POST' },
        { action: 'http', label: 'No', method: 'POST' },
      ],
    });
    const press = async (index: number, headers = {}) => {
      const link = new URL(note?.json.actions[index].url);
      const response = await fetch(`${hub.url}${link.pathname}`, { method: 'POST', headers });
      return { status: response.status, body: await response.json() };
    };
    expect(await press(1, { origin: 'https://ntfy.sh' })).toEqual({
      status: 200,
      body: { success: true, questionId: id },
    });
    const answer = await call(hub.url, 'get_response', { questionId: id }, { agent: 'builder' });
    expect(answer).toMatchObject({ answered: true, response: 'No', option: 2, by: 'me', on: 'ntfy' });
    expect(await press(0)).toMatchObject({ status: 409, body: { error: { code: 'ALREADY_ANSWERED' } } });
  });

  it('gets no button that this hub did not make', async () => {
    await setTopic();
    await ask({ question: 'Deploy?', options: ['Yes', 'No'], encrypt: false });
    const [note] = await postedAt(1);
    const [yes = '', no = ''] = [0, 1].map((index) => new URL(note?.json.actions[index].url).pathname);
    const mixed = `${yes.split('.')[0]}.${no.split('.')[1]}`;
    for (const path of [mixed, '/app/answer/x', '/app/answer/', `${yes}x`, `${yes}.x`]) {
      const response = await fetch(`${hub.url}${path}`, { method: 'POST' });
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('QUESTION_UNKNOWN')]);
    }
  });

  it('gets nothing of an encrypted question but that there is one', async () => {
    await setTopic();
    const id = await ask({ question: `Deploy ${marked}?`, options: [`Yes ${marked}`], context: marked });
    const [note] = await postedAt(1);
    expect(note?.json).toMatchObject({ title: 'Coterie', message: 'builder has a question' });
    expect(note?.json.actions).toBeUndefined();
    expect(note?.text).not.toContain(marked);
    expect(note?.json.click).toContain(id);
  });

  it('has no buttons where there are more options than buttons', async () => {
    await setTopic();
    await ask({ question: 'Which?', options: ['a', 'b', 'c', 'd'], encrypt: false });
    const [note] = await postedAt(1);
    expect(note?.json.actions).toEqual([]);
  });

  it('that is set again replaces the same topic, and a wrong token is a fault that says so', async () => {
    await setTopic();
    const { channel } = await setTopic({ token: 'tk_secret123' });
    expect((await call(hub.url, 'list_channels', {}, me)).channels).toEqual([channel]);
    server.answer(403);
    const tested = await call(hub.url, 'test_channel', { channelId: channel.id }, me);
    expect(tested).toMatchObject({ success: false, status: 403, fault: expect.stringContaining('Check the token') });
    expect(await call(hub.url, 'test_channel', { channelId: channel.id }, me)).toMatchObject({
      success: true,
      status: 200,
    });
    expect(server.posted.at(-1)?.json).toMatchObject({ title: 'Test from Coterie', message: 'This channel works.' });
  });
});

describe('a webhook', () => {
  const setHook = (more: object = {}) =>
    call(hub.url, 'set_channel', { kind: 'webhook', url: `${server.url}/hook/abc`, ...more }, me);
  const signatureIn = (header: unknown) => /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(header)) ?? [];

  it('is signed with a secret that is shown once, and sent again with the same id until it arrives', async () => {
    const { channel, secret } = await setHook();
    expect(channel.label).toBe(server.host);
    expect(JSON.stringify(await call(hub.url, 'list_channels', {}, me))).not.toContain(secret);
    server.answer(500);
    const id = await ask({ question: 'Deploy?', options: ['Yes'], encrypt: false });
    await postedAt(1);
    await eventually('the fault is kept', async () => (await call(hub.url, 'list_channels', {}, me)).channels[0].fault);
    clock.advance(60_000);
    const [first, second] = await postedAt(2);
    expect(second?.headers['coterie-delivery']).toBe(first?.headers['coterie-delivery']);
    const [, seconds = '', signature] = signatureIn(second?.headers['coterie-signature']);
    expect(createHmac('sha256', secret).update(`${seconds}.${second?.text}`).digest('hex')).toBe(signature);
    expect(second?.json).toMatchObject({
      v: 1,
      kind: 'question',
      id,
      person: 'me',
      from: 'builder',
      encryption: 'none',
      content: { text: 'Deploy?', options: ['Yes'] },
    });
  });

  it('gets nothing of an encrypted question or alert', async () => {
    await setHook({ secret: 'my-own-secret' });
    await ask({ question: `Deploy ${marked}?` });
    await call(hub.url, 'send_alert', { message: marked }, { agent: 'builder' });
    const posts = await postedAt(2);
    for (const { text, json } of posts) {
      expect(text).not.toContain(marked);
      expect(json.content).toBeUndefined();
    }
  });
});

describe('a channel', () => {
  it.each([
    [{ kind: 'webhook', url: 'https://localhost/hook' }, 'ENDPOINT_REFUSED'],
    [{ kind: 'webhook', url: 'https://10.0.0.1/hook' }, 'ENDPOINT_REFUSED'],
    [{ kind: 'webhook', url: 'http://example.com/hook' }, 'ENDPOINT_REFUSED'],
    [{ kind: 'webhook', url: 'https://user:pass@example.com/hook' }, 'ENDPOINT_REFUSED'],
    [{ kind: 'ntfy', server: 'http://169.254.169.254', topic: 'x' }, 'ENDPOINT_REFUSED'],
    [{ kind: 'ntfy' }, 'INVALID_INPUT'],
    [{ kind: 'ntfy', topic: 'has spaces' }, 'INVALID_INPUT'],
    [{ kind: 'ntfy', topic: 'x', url: 'https://example.com' }, 'INVALID_INPUT'],
    [{ kind: 'webhook' }, 'INVALID_INPUT'],
    [{ kind: 'webhook', url: 'https://example.com', secret: 'short' }, 'INVALID_INPUT'],
    [{ kind: 'pigeon' }, 'INVALID_INPUT'],
  ])('is not made of %o', async (input, code) => {
    const { status, body } = await post(hub.url, 'set_channel', input, me);
    expect([status, body.error.code]).toEqual([400, code]);
    expect((await call(hub.url, 'list_channels', {}, me)).channels).toEqual([]);
  });

  it('is no agent’s to set', async () => {
    const input = { kind: 'ntfy', topic: 'mine' };
    expect(await post(hub.url, 'set_channel', input, { agent: 'builder' })).toMatchObject({ status: 403 });
    expect(await post(hub.url, 'set_person_prefs', { quietHours: null }, { agent: 'builder' })).toMatchObject({
      status: 403,
    });
  });
});
