// What is asked and answered is readable only where it must be, through the real doors and in the store.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Envelope, PublicKeys } from '../../dist/contract/signal/signal.js';
import { contentOf, newKeys, open, seal, wrapFor, type SignalKeys } from '../../dist/signal/envelope/index.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { TestDevice } from '../support/test-device.js';

const agent = { agent: 'ann' };
const me = { agent: 'me' };
const question = { question: 'Deploy 1.4?', options: ['Yes', 'No'], context: 'All tests pass.' };

interface View {
  id: string;
  encryption: string;
  question?: string;
  sealed?: Envelope;
  senderKeys?: PublicKeys;
  missingWraps?: string[];
}

async function viewBy(hub: HubInProcess, device: TestDevice, id: string): Promise<View> {
  const { questions } = await device.call(hub.url, 'list_questions', { questionId: id });
  return questions[0] as View;
}

async function readBy(hub: HubInProcess, device: TestDevice, id: string) {
  const { sealed, senderKeys } = await viewBy(hub, device, id);
  if (sealed === undefined || senderKeys === undefined) throw new Error('not sealed');
  const header = { use: 'question' as const, session: 'default', id };
  return contentOf((await open(device.keys, sealed, { senders: [senderKeys], header })).payload);
}

interface Answer {
  id: string;
  to: PublicKeys;
  option?: number | null;
  response?: string;
  status?: 'answered' | 'declined';
}

function sealedAnswer(keys: SignalKeys, { id, to, option = 1, response = 'Yes', status = 'answered' }: Answer) {
  const header = { use: 'answer' as const, session: 'default', id, at: Date.now(), status };
  return seal(keys, [to, keys.public], { header, payload: { option, response } });
}

const hubKeys = async (hub: HubInProcess) =>
  (await call(hub.url, 'get_signal_keys', {}, agent)).hub as PublicKeys & { vapid: string };

async function pairedWith(hub: HubInProcess, name?: string): Promise<TestDevice> {
  const device = await TestDevice.make(name);
  expect((await device.pairOnPage(hub.url)).status).toBe(200);
  return device;
}

const stored = async (hub: HubInProcess, id: string) =>
  JSON.stringify(await hub.store.findSignal({ sessionId: 'default', id }));

describe('without a device', () => {
  it('a question is sealed by the hub, readable for the person, and sealed again when a device pairs', async () => {
    const hub = await startHubInProcess();
    const asked = await call(hub.url, 'ask_question', { ...question, defaultAnswer: 'No', ttl: 3600 }, agent);
    expect(asked).toMatchObject({ encryption: 'hub', devices: 0 });
    const done = await call(hub.url, 'ask_question', question, agent);
    await call(hub.url, 'answer_question', { questionId: done.questionId, option: 'No' }, me);
    for (const id of [asked.questionId, done.questionId]) expect(await stored(hub, id)).not.toContain('Deploy');
    const { questions } = await call(hub.url, 'list_questions', {}, me);
    expect(questions).toContainEqual(expect.objectContaining({ id: asked.questionId, question: 'Deploy 1.4?' }));

    const device = await pairedWith(hub);
    expect(await readBy(hub, device, asked.questionId)).toMatchObject({ text: 'Deploy 1.4?', options: ['Yes', 'No'] });
    expect(await viewBy(hub, device, asked.questionId)).toMatchObject({ encryption: 'device' });
    expect(await call(hub.url, 'get_response', { questionId: done.questionId }, agent)).toMatchObject({
      answered: true,
      response: 'No',
      option: 2,
    });
    expect(await stored(hub, done.questionId)).toContain('"form":"envelope"');
    const { questions: seen } = await call(hub.url, 'list_questions', {}, agent);
    expect(seen.map((view: View) => view.question)).toEqual([undefined, undefined]);
  });

  it('a hub that ended between pairing and sealing makes up for it when it starts', async () => {
    const hub = await startHubInProcess();
    const { questionId } = await call(hub.url, 'ask_question', question, agent);
    const { public: keys } = await newKeys(false);
    const device = { ...keys, id: 'd-1', name: 'Phone', mac: null };
    const signIn = { id: 'k1', hash: 'h', expiresAt: Date.now() + 1e6 };
    const at = Date.now();
    await hub.store.pairLocally({ device, signIn, at, address: '', sessionId: 'default', personId: 'me' });
    await hub.stop();
    const next = await startHubInProcess({ data: hub.data });
    await eventually('it is sealed for the device', async () => {
      const signal = await next.store.findSignal({ sessionId: 'default', id: questionId });
      return signal?.level === 'device' && JSON.stringify(signal.body).includes(keys.kid);
    });
  });
});

describe('with a device', () => {
  let hub: HubInProcess;
  let device: TestDevice;
  let hubs: PublicKeys;
  beforeAll(async () => {
    hub = await startHubInProcess();
    device = await pairedWith(hub);
    hubs = await hubKeys(hub);
  });

  const ask = async () => (await call(hub.url, 'ask_question', question, agent)).questionId as string;
  const answer = (id: string, sealed: Envelope, by = device) =>
    by.post(hub.url, 'answer_question', { questionId: id, sealed });

  it('a question is sealed on receipt, read by the device, answered sealed, and opened for the asker alone', async () => {
    const asked = await call(hub.url, 'ask_question', question, agent);
    const id = asked.questionId as string;
    expect(asked).toMatchObject({ encryption: 'device', devices: 1 });
    expect(await readBy(hub, device, id)).toEqual({
      text: 'Deploy 1.4?',
      options: ['Yes', 'No'],
      context: 'All tests pass.',
    });
    expect((await answer(id, await sealedAnswer(device.keys, { id, to: hubs }))).status).toBe(200);
    const response = await call(hub.url, 'get_response', { questionId: id }, agent);
    expect(response).toMatchObject({ answered: true, response: 'Yes', option: 1, by: 'me', on: 'Phone' });
    expect(await stored(hub, id)).not.toMatch(/Deploy|"Yes"/);
  });

  it('alerts and default answers are sealed too', async () => {
    const { alertId, encryption } = await call(hub.url, 'send_alert', { message: 'Deployed.' }, agent);
    expect(encryption).toBe('device');
    expect(await stored(hub, alertId)).not.toContain('Deployed');
    const withDefault = { ...question, defaultAnswer: 'No', ttl: 3600 };
    const { questionId } = await call(hub.url, 'ask_question', withDefault, agent);
    expect(await stored(hub, questionId)).not.toContain('"No"');
  });

  it('an answer in plain text is sealed by the hub', async () => {
    const id = await ask();
    await call(hub.url, 'answer_question', { questionId: id, response: 'Tomorrow' }, me);
    expect(await stored(hub, id)).not.toContain('Tomorrow');
    expect(await call(hub.url, 'get_response', { questionId: id }, agent)).toMatchObject({ response: 'Tomorrow' });
  });

  it('with encrypt false nothing is sealed, and the result says so', async () => {
    const asked = await call(hub.url, 'ask_question', { ...question, encrypt: false }, agent);
    expect(asked.encryption).toBe('none');
    expect(await stored(hub, asked.questionId)).toContain('Deploy 1.4?');
  });

  it('a forged, replayed or misdirected answer is refused, and the question stays open', async () => {
    const [id, other] = [await ask(), await ask()];
    const stranger = await newKeys(false);
    const genuine = await sealedAnswer(device.keys, { id: other, to: hubs });
    const forged: [string, Envelope][] = [
      ['keys of nobody', await sealedAnswer(stranger, { id, to: hubs })],
      ['a false signature', await sealedAnswer({ ...stranger, public: device.keys.public }, { id, to: hubs })],
      ['the answer to another question', genuine],
      ['not for the hub', await sealedAnswer(device.keys, { id, to: stranger.public })],
      ['another status', await sealedAnswer(device.keys, { id, to: hubs, status: 'declined' })],
      ['an option that was not offered', await sealedAnswer(device.keys, { id, to: hubs, option: 3 })],
    ];
    for (const [what, envelope] of forged) {
      const { status, body } = await answer(id, envelope);
      expect([what, status, body.error?.code]).toEqual([what, 400, 'ENVELOPE_INVALID']);
    }
    expect(await call(hub.url, 'get_response', { questionId: id }, agent)).toMatchObject({ status: 'pending' });
    expect((await answer(other, genuine)).status).toBe(200);
    expect((await answer(other, genuine)).body.error.code).toBe('ALREADY_ANSWERED');
  });

  it('a device that is paired later reads it once another has shared it', async () => {
    const id = await ask();
    const later = await pairedWith(hub, 'Tablet');
    expect((await viewBy(hub, later, id)).sealed?.r).toEqual([]);
    const { sealed, missingWraps } = await viewBy(hub, device, id);
    expect(missingWraps).toEqual([later.keys.public.kid]);
    if (sealed === undefined) throw new Error('not sealed');
    const stranger = await newKeys(false);
    const share = (wraps: object[], by = device) => by.post(hub.url, 'share_signal', { signalId: id, wraps });
    const wrap = await wrapFor(device.keys, sealed, later.keys.public);
    const refused = [
      await share([await wrapFor(device.keys, sealed, stranger.public)]),
      await share([{ ...wrap, w: 'AAAA' }]),
      await share([wrap], later),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      refused.map(() => [400, 'ENVELOPE_INVALID']),
    );
    expect((await share([wrap])).body).toMatchObject({ success: true, added: 1 });
    expect((await share([wrap])).body).toMatchObject({ added: 0 });
    expect(await readBy(hub, later, id)).toMatchObject({ text: 'Deploy 1.4?' });
    expect((await post(hub.url, 'share_signal', { signalId: id, wraps: [wrap] }, me)).body.error.code).toBe(
      'DEVICE_UNKNOWN',
    );

    await device.call(hub.url, 'revoke_device', { deviceId: later.id });
    expect((await share([wrap], later)).status).not.toBe(200);
    expect((await call(hub.url, 'ask_question', question, agent)).devices).toBe(1);
    const { devices } = await call(hub.url, 'get_signal_keys', {}, agent);
    expect(devices.map(({ kid }: PublicKeys) => kid)).toEqual([device.keys.public.kid]);
    expect((await share([wrap])).body.error.code).toBe('ENVELOPE_INVALID');
  });

  it('an asker is told once when the last device that can read a pending question is revoked', async () => {
    const team = await startHubInProcess();
    const [one, two] = [await pairedWith(team), await pairedWith(team, 'Tablet')];
    const { questionId } = await call(team.url, 'ask_question', question, agent);
    const done = await call(team.url, 'ask_question', question, agent);
    await call(team.url, 'answer_question', { questionId: done.questionId, option: 1 }, me);
    const news = async () => {
      const { messages } = await call(team.url, 'get_messages', { markAsRead: false }, agent);
      return (messages as { payload?: { readable?: boolean; questionId: string } }[]).filter(
        ({ payload }) => payload?.readable === false,
      );
    };
    await one.call(team.url, 'revoke_device', { deviceId: one.id });
    expect(await news()).toEqual([]);
    expect((await call(team.url, 'get_response', { questionId }, agent)).readable).toBeUndefined();
    await two.call(team.url, 'revoke_device', { deviceId: two.id });
    expect((await news()).map(({ payload }) => payload?.questionId)).toEqual([questionId]);
    const response = await call(team.url, 'get_response', { questionId }, agent);
    expect(response).toMatchObject({
      status: 'pending',
      readable: false,
      message: expect.stringContaining('ask again'),
    });
    const three = await pairedWith(team, 'New phone');
    await three.call(team.url, 'revoke_device', { deviceId: three.id });
    expect(await news()).toHaveLength(1);
  });

  it('of several people those without a device are named', async () => {
    await hub.store.addPerson({
      sessionId: 'default',
      id: 'bo',
      name: null,
      at: Date.now(),
      audit: { sessionId: 'default', at: 1, actor: 'cli', keyId: null, address: '', act: 'x', target: '', details: {} },
    });
    const asked = await call(hub.url, 'ask_question', { ...question, to: ['me', 'bo'] }, agent);
    expect(asked.warnings).toContainEqual(expect.stringMatching(/^bo has no paired device/));
  });
});

describe('sealed beside the agent', () => {
  let hub: HubInProcess;
  let device: TestDevice;
  let program: SignalKeys;
  beforeAll(async () => {
    hub = await startHubInProcess();
    device = await pairedWith(hub);
    program = await newKeys(true);
    await call(hub.url, 'list_agents', {}, agent);
  });

  let made = 0;
  const newId = () => `q-sealed${made++}`;
  const envelopeOf = (id: string, keys: SignalKeys, readers: PublicKeys[]) => {
    const header = { use: 'question' as const, session: 'default', id, at: Date.now() };
    return seal(keys, readers, { header, payload: { text: 'Deploy?', options: ['Yes'], context: null } });
  };
  const send = async (id: string, envelope: Envelope, by = agent) =>
    post(hub.url, 'send_sealed', { id, envelope, optionCount: 1, replyKid: program.public.kid }, by);

  it('keys must be registered, and be what they say', async () => {
    const id = newId();
    const unknown = await send(id, await envelopeOf(id, program, [device.keys.public]));
    expect(unknown.body.error).toMatchObject({ code: 'ENVELOPE_INVALID', details: { fault: 'unknown_sender' } });
    const wrong = { ...program.public, kid: 'x' };
    expect((await post(hub.url, 'set_agent_key', wrong, agent)).body.error.code).toBe('ENVELOPE_INVALID');
    expect(await call(hub.url, 'set_agent_key', program.public, agent)).toMatchObject({ kid: program.public.kid });
    expect((await send(id, await envelopeOf(id, program, [device.keys.public]), { agent: 'ben' })).status).toBe(400);
    const stranger = await newKeys(false);
    for (const readers of [[stranger.public], [device.keys.public, stranger.public], [program.public], []]) {
      const { body } = await send(id, await envelopeOf(id, program, readers));
      expect(body.error).toMatchObject({ code: 'ENVELOPE_INVALID', details: { fault: 'wrong_readers' } });
    }
  });

  it('the device reads it, and its answer opens for the program alone', async () => {
    await call(hub.url, 'set_agent_key', program.public, agent);
    const id = newId();
    const { body } = await send(id, await envelopeOf(id, program, [device.keys.public, program.public]));
    expect(body).toMatchObject({ questionId: id, encryption: 'end_to_end', devices: 1 });
    expect(await readBy(hub, device, id)).toMatchObject({ text: 'Deploy?' });
    const hubs = await hubKeys(hub);
    const toHub = await device.post(hub.url, 'answer_question', {
      questionId: id,
      sealed: await sealedAnswer(device.keys, { id, to: hubs }),
    });
    expect(toHub.body.error.code).toBe('ENVELOPE_INVALID');
    const sealed = await sealedAnswer(device.keys, { id, to: program.public });
    await device.call(hub.url, 'answer_question', { questionId: id, sealed });
    const response = await call(hub.url, 'get_response', { questionId: id }, agent);
    expect(response).toMatchObject({ answered: true, sealed });
    expect(response.response).toBeUndefined();
  });

  it('an answer in plain text is sealed for the program by the hub', async () => {
    await call(hub.url, 'set_agent_key', program.public, agent);
    const id = newId();
    await send(id, await envelopeOf(id, program, [device.keys.public]));
    await call(hub.url, 'answer_question', { questionId: id, response: 'Later' }, me);
    const { sealed } = await call(hub.url, 'get_response', { questionId: id }, agent);
    const expected = { senders: [await hubKeys(hub)], header: { use: 'answer' as const, session: 'default', id } };
    expect((await open(program, sealed, expected)).payload).toMatchObject({ response: 'Later' });
    expect(await stored(hub, id)).not.toContain('Later');
  });
});

describe('--require-e2e', () => {
  it('refuses what the hub could read: questions, alerts and answers', async () => {
    const hub = await startHubInProcess({ args: ['--require-e2e'] });
    const device = await pairedWith(hub);
    const program = await newKeys(true);
    await call(hub.url, 'set_agent_key', program.public, agent);
    for (const [operation, input] of [
      ['ask_question', question],
      ['ask_question', { ...question, encrypt: false }],
      ['send_alert', { message: 'Done.' }],
    ] as const) {
      const { status, body } = await post(hub.url, operation, input, agent);
      expect([status, body.error.code]).toEqual([409, 'E2E_REQUIRED']);
    }
    const header = { use: 'question' as const, session: 'default', id: 'q-e2e001', at: Date.now() };
    const payload = { text: 'Deploy?', options: [], context: null };
    const envelope = await seal(program, [device.keys.public], { header, payload });
    await call(hub.url, 'send_sealed', { id: header.id, envelope }, agent);
    const plain = { questionId: header.id, response: 'Yes' };
    expect((await post(hub.url, 'answer_question', plain, me)).body.error.code).toBe('E2E_REQUIRED');
    const sealed = await sealedAnswer(device.keys, { id: header.id, to: program.public, option: null });
    await device.call(hub.url, 'answer_question', { questionId: header.id, sealed });
  });
});
