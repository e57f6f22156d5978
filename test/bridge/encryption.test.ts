// Questions are encrypted beside the agent by coterie mcp, and answers opened there.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Envelope, PublicKeys } from '../../dist/contract/signal/signal.js';
import { HubClient, memoryOf, Sealing } from '../../dist/client/index.js';
import { programMemory } from '../../dist/files/index.js';
import { pinDevice } from '../../dist/files/pins.js';
import { contentOf, newKeys, open, seal, wrapFor } from '../../dist/signal/envelope/index.js';
import { call } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { TestDevice } from '../support/test-device.js';
import { connectStdio } from './stdio-clients.js';

const question = { question: 'Deploy 1.4?', options: ['Yes', 'No'], context: 'All tests pass.' };

interface Sealed {
  id: string;
  sealed: Envelope;
  senderKeys: PublicKeys;
}

async function newest(hub: HubInProcess, device: TestDevice): Promise<Sealed> {
  const { questions } = await device.call(hub.url, 'list_questions', { status: 'pending' });
  return questions[0] as Sealed;
}

async function readAndAnswer(
  hub: HubInProcess,
  device: TestDevice,
  { option = 1, response = 'Yes' }: { option?: number | null; response?: string } = {},
) {
  const { id, sealed, senderKeys } = await newest(hub, device);
  const header = { use: 'question' as const, session: 'default', id };
  const { payload } = await open(device.keys, sealed, { senders: [senderKeys], header });
  const answer = { ...header, use: 'answer' as const, at: Date.now(), status: 'answered' as const };
  const envelope = await seal(device.keys, [senderKeys, device.keys.public], {
    header: answer,
    payload: { option, response },
  });
  await device.call(hub.url, 'answer_question', { questionId: id, sealed: envelope });
  return { id, content: contentOf(payload) };
}

async function paired(hub: HubInProcess): Promise<TestDevice> {
  const device = await TestDevice.make();
  expect((await device.pairOnPage(hub.url)).status).toBe(200);
  return device;
}

const bridge = (hub: HubInProcess, home: string, ...args: string[]) =>
  connectStdio('v2 2026', ['--url', hub.url, '--agent', 'ann', ...args], 'test', {
    env: { HOME: home, XDG_DATA_HOME: join(home, 'data') },
  });

describe('coterie mcp', () => {
  it('seals questions for the devices, and opens answers in get_response and in messages, also after a restart', async () => {
    const hub = await startHubInProcess();
    const home = tempFolder();
    const device = await paired(hub);
    const first = await bridge(hub, home);
    const asked = await first.call('ask_question', question);
    expect(asked.text).toMatch(/Question sent/);
    const { id, content } = await readAndAnswer(hub, device);
    expect(content).toEqual({ text: 'Deploy 1.4?', options: ['Yes', 'No'], context: 'All tests pass.' });
    await first.close();

    const again = await bridge(hub, home);
    const response = await again.call('get_response', { questionId: id });
    expect(response.structured).toMatchObject({ answered: true, response: 'Yes', option: 1 });
    expect(response.text).toContain('answered question');
    expect(response.text).toContain('Yes');
    const mail = await again.call('get_messages', {});
    expect(mail.text).toContain('option 1, Yes');
    expect(JSON.stringify(mail)).not.toMatch(/sealedAnswer|\[sealed answer/);
    const { questions } = await call(hub.url, 'list_questions', { forMe: false }, { agent: 'admin' });
    expect(questions[0]).toMatchObject({ encryption: 'end_to_end' });

    const folder = join(home, 'data', 'coterie', 'signal');
    const [file = ''] = readdirSync(folder);
    expect(file).toMatch(/^ann-[0-9a-f]{16}\.json$/);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('a device paired later reads question and answer once another has shared both, and the program still does', async () => {
    const hub = await startHubInProcess();
    const device = await paired(hub);
    const client = await bridge(hub, tempFolder());
    await client.call('ask_question', question);
    const { id } = await readAndAnswer(hub, device, { option: null, response: 'After lunch' });
    const later = await paired(hub);
    const viewBy = async (by: TestDevice) => {
      const { questions } = await by.call(hub.url, 'list_questions', { questionId: id });
      return questions[0] as Sealed & { sealedAnswer: Envelope; missingWraps?: string[] };
    };
    const { sealed, sealedAnswer, missingWraps } = await viewBy(device);
    expect(missingWraps).toEqual([later.keys.public.kid]);
    const wraps = [await wrapFor(device.keys, sealed, later.keys.public)];
    const answerWraps = [await wrapFor(device.keys, sealedAnswer, later.keys.public)];
    const own = { ...answerWraps[0], k: (await newKeys(false)).public.kid };
    const share = (input: object, by = device) => by.post(hub.url, 'share_signal', { signalId: id, ...input });
    expect((await share({ wraps, answerWraps: [own] })).body.error.code).toBe('ENVELOPE_INVALID');
    expect((await share({ wraps })).body).toMatchObject({ added: 1 });
    expect((await viewBy(device)).missingWraps).toEqual([later.keys.public.kid]);
    // Who reads the question alone cannot share its answer.
    expect((await viewBy(later)).missingWraps).toBeUndefined();
    expect((await share({ wraps, answerWraps }, later)).body.error.code).toBe('ENVELOPE_INVALID');
    expect((await share({ wraps, answerWraps })).body).toMatchObject({ added: 1 });
    const shared = await viewBy(later);
    expect(shared.missingWraps).toBeUndefined();
    const header = { use: 'answer' as const, session: 'default', id };
    const opened = await open(later.keys, shared.sealedAnswer, { senders: [device.keys.public], header });
    expect(opened.payload).toEqual({ option: null, response: 'After lunch' });
    await later.call(hub.url, 'revoke_device', { deviceId: device.id });
    expect((await client.call('get_response', { questionId: id })).structured).toMatchObject({
      response: 'After lunch',
    });
  });

  it('falls back to the hub without a device, and says so; with encrypt false too', async () => {
    const hub = await startHubInProcess();
    const home = tempFolder();
    const client = await bridge(hub, home);
    expect((await client.call('ask_question', question)).structured).toMatchObject({ encryption: 'hub' });
    expect((await client.call('send_alert', { message: 'Done.' })).structured).toMatchObject({ encryption: 'hub' });
    await paired(hub);
    const plain = await client.call('ask_question', { ...question, encrypt: false });
    expect(plain.structured).toMatchObject({ encryption: 'none' });
    const alert = await client.call('send_alert', { message: 'Done.' });
    expect(alert.structured).toMatchObject({ encryption: 'end_to_end', alertId: expect.stringMatching(/^a-/) });
  });

  it('refuses a device that has other keys than before', async () => {
    const hub = await startHubInProcess();
    const home = tempFolder();
    const device = await paired(hub);
    const client = await bridge(hub, home);
    await client.call('ask_question', question);
    const folder = join(home, 'data', 'coterie', 'signal');
    const file = join(folder, readdirSync(folder)[0] ?? '');
    const memory = JSON.parse(readFileSync(file, 'utf8'));
    memory.seen[device.id] = (await newKeys(false)).public;
    writeFileSync(file, JSON.stringify(memory));
    const refused = await client.call('ask_question', question);
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^E2E_REQUIRED: The device 'Phone'/);
  });

  it('with --require-e2e never falls back, and needs a device that was verified on this machine', async () => {
    const hub = await startHubInProcess();
    const home = tempFolder();
    const client = await bridge(hub, home, '--require-e2e');
    const refused = async (input: object) => (await client.call('ask_question', { ...question, ...input })).text;
    expect(await refused({})).toMatch(/^E2E_REQUIRED/);
    const device = await paired(hub);
    expect(await refused({})).toMatch(/^E2E_REQUIRED/);
    const { hub: hubKeys } = await call(hub.url, 'get_signal_keys', {}, { agent: 'ann' });
    const { kid } = device.keys.public;
    const pin = { kid, person: 'me', session: 'default', name: 'Phone', pinnedAt: new Date().toISOString() };
    pinDevice(join(home, 'data', 'coterie', 'pins.json'), hubKeys.kid, pin);
    expect(await refused({ encrypt: false })).toMatch(/^E2E_REQUIRED/);
    expect((await client.call('ask_question', question)).structured).toMatchObject({ encryption: 'end_to_end' });
    const { id } = await readAndAnswer(hub, device, { option: null, response: 'Later' });
    const response = await client.call('get_response', { questionId: id });
    expect(response.structured).toMatchObject({ response: 'Later' });
    await client.call('ask_question', question);
    const next = await newest(hub, device);
    await call(hub.url, 'answer_question', { questionId: next.id, response: 'By the hub' }, { agent: 'me' });
    const byHub = await client.call('get_response', { questionId: next.id });
    expect(byHub.structured).toMatchObject({ readable: false });
    expect(JSON.stringify(byHub)).not.toContain('By the hub');
  });
});

describe('the SDK', () => {
  it('seals and opens with keys in a file or in memory', async () => {
    const hub = await startHubInProcess();
    const device = await paired(hub);
    const file = join(tempFolder(), 'keys.json');
    const client = () =>
      new HubClient({ url: hub.url, agent: 'ann', sealing: new Sealing({ memory: programMemory(file) }) });
    const asked = await client().call('ask_question', { ...question, defaultAnswer: 'No' });
    expect(asked).toMatchObject({ encryption: 'end_to_end', devices: 1 });
    await readAndAnswer(hub, device);
    expect(existsSync(file)).toBe(true);
    const response = await client().call('get_response', { questionId: asked.questionId, waitMs: 5_000 });
    expect(response).toMatchObject({ answered: true, response: 'Yes', option: 1 });
    expect(response.sealed).toBeUndefined();

    const other = new HubClient({ url: hub.url, agent: 'ann', sealing: new Sealing({ memory: memoryOf() }) });
    expect(await other.call('get_response', { questionId: asked.questionId })).toMatchObject({ readable: false });
    const { questionId } = await other.call('ask_question', question);
    await call(hub.url, 'answer_question', { questionId, response: 'Soon' }, { agent: 'me' });
    const byHub = await other.call('get_response', { questionId });
    expect(byHub).toMatchObject({ response: 'Soon', message: expect.stringContaining('no device has signed it') });
  });
});
