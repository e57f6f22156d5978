// Marked questions, options, contexts, answers and alerts are nowhere in what a hub stores, logs or pushes, however it ends.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Envelope, PublicKeys } from '../../dist/contract/signal/signal.js';
import { open, seal } from '../../dist/signal/envelope/index.js';
import { connectStdio } from '../bridge/stdio-clients.js';
import { marksIn, newMark, recordingProxy, storedBytes } from '../support/canary.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { startPushService, type PushService } from '../support/push-service.js';
import { tempFolder } from '../support/temp-folder.js';
import { TestDevice } from '../support/test-device.js';

const agent = { agent: 'ann' };
const me = { agent: 'me' };

interface Marks {
  question: string;
  context: string;
  option: string;
  silence: string;
  answer: string;
  reason: string;
  alert: string;
}

const newMarks = (): Marks => ({
  question: newMark('question'),
  context: newMark('context'),
  option: newMark('option'),
  silence: newMark('default'),
  answer: newMark('answer'),
  reason: newMark('reason'),
  alert: newMark('alert'),
});

const asking = (marks: Marks) => ({
  question: `Deploy ${marks.question}?`,
  options: [`Yes ${marks.option}`, 'No'],
  context: `Because ${marks.context}.`,
  defaultAnswer: `Never ${marks.silence}`,
});

async function paired(hub: HubProcess): Promise<TestDevice> {
  const device = await TestDevice.make();
  expect((await device.pairOnPage(hub.url)).status).toBe(200);
  return device;
}

/** As a push service would get them. */
async function receiver(): Promise<{ host: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = JSON.stringify(request.headers);
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      bodies.push(body);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfter(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

/** As a browser does. */
async function subscribe(hub: HubProcess, device: TestDevice, push: PushService): Promise<void> {
  const facts = (await (await fetch(`${hub.url}/app/hub`)).json()) as { hub: { vapid: string } };
  const { endpoint, keys } = push.subscribe(facts.hub.vapid);
  await device.call(hub.url, 'set_channel', { kind: 'web-push', endpoint, keys });
}

/** What the push service got, and what the browser decrypted of it. */
const pushedBytes = ({ received }: PushService) =>
  Buffer.concat(received.flatMap(({ wire, text }) => [wire, Buffer.from(text)]));

/** By the device, as the page does. */
async function answerSealed(hub: HubProcess, device: TestDevice, { id, text }: { id: string; text: string }) {
  const { questions } = await device.call(hub.url, 'list_questions', { questionId: id });
  const [{ sealed, senderKeys }] = questions as [{ sealed: Envelope; senderKeys: PublicKeys }];
  const header = { session: 'default', id };
  await open(device.keys, sealed, { senders: [senderKeys], header: { ...header, use: 'question' } });
  const envelope = await seal(device.keys, [senderKeys, device.keys.public], {
    header: { ...header, use: 'answer', at: Date.now(), status: 'answered' },
    payload: { option: null, response: text },
  });
  await device.call(hub.url, 'answer_question', { questionId: id, sealed: envelope });
}

/** Calls that are refused, or fail on the way. */
async function refusedCalls(hub: HubProcess, marks: Marks): Promise<void> {
  const many = Array.from({ length: 6 }, () => marks.option);
  for (const input of [
    { ...asking(marks), options: many },
    { ...asking(marks), to: ['nobody'] },
    { ...asking(marks), [marks.question]: 1 },
    { ...asking(marks), idempotency_key: 'same', context: marks.context },
    { ...asking(marks), idempotency_key: 'same', context: marks.reason },
  ]) {
    await post(hub.url, 'ask_question', input, agent);
  }
  await post(hub.url, 'answer_question', { questionId: 'q-unknown0', response: marks.answer }, me);
  const headers = { 'content-type': 'application/json', 'coterie-agent': 'ann' };
  await fetch(`${hub.url}/v1/ask_question`, { method: 'POST', headers, body: `{"question": "${marks.question}` });
}

async function finds(hub: HubProcess, marks: Marks): Promise<{ stored: string[]; logged: string[] }> {
  const all = Object.values(marks) as string[];
  return { stored: marksIn(await storedBytes(hub.data), all), logged: marksIn(hub.stdout() + hub.stderr(), all) };
}

const nothing = { stored: [], logged: [] };

describe('at level device', () => {
  it('no mark is in database, write-ahead log, logs or pushes, also after the hub was killed', async () => {
    const [hook, push] = [await receiver(), await startPushService()];
    const marks = newMarks();
    const args = ['--push-hosts', `${hook.host},${push.host}`];
    const hub = await startHubProcess({ args });
    const device = await paired(hub);
    await device.call(hub.url, 'set_channel', { kind: 'webhook', url: `http://${hook.host}/hook` });
    await subscribe(hub, device, push);
    const asked = await call(hub.url, 'ask_question', asking(marks), agent);
    expect(asked.encryption).toBe('device');
    await refusedCalls(hub, marks);
    await answerSealed(hub, device, { id: asked.questionId, text: `Yes, ${marks.answer}` });
    const byKey = await call(hub.url, 'ask_question', asking(marks), agent);
    await call(hub.url, 'answer_question', { questionId: byKey.questionId, response: marks.answer }, me);
    const declined = await call(hub.url, 'ask_question', asking(marks), agent);
    await call(hub.url, 'decline_question', { questionId: declined.questionId, reason: marks.reason }, me);
    await call(hub.url, 'send_alert', { message: marks.alert, context: marks.context }, agent);
    const response = await call(hub.url, 'get_response', { questionId: asked.questionId }, agent);
    expect(response.response).toContain(marks.answer);
    const { messages } = await call(hub.url, 'get_messages', { markAsRead: false }, agent);
    expect(JSON.stringify(messages)).toContain(marks.answer);
    const pushed = await eventually('all is pushed', () => {
      const found = push.received.find(({ json }) => json.signal.id === asked.questionId);
      return hook.bodies.length >= 4 && push.received.length >= 4 ? found : undefined;
    });
    // The envelope is there, so the search would find a text beside it.
    expect(pushed.text).toContain(pushed.json.signal.sealed.c);

    await hub.kill();
    expect(await finds(hub, marks)).toEqual(nothing);
    const again = await startHubProcess({ data: hub.data, args });
    expect((await call(again.url, 'get_response', { questionId: asked.questionId }, agent)).response).toContain(
      marks.answer,
    );
    await again.stop();
    expect(await finds(again, marks)).toEqual(nothing);
    expect(marksIn(hook.bodies.join('\n'), Object.values(marks) as string[])).toEqual([]);
    expect(marksIn(pushedBytes(push), Object.values(marks) as string[])).toEqual([]);
  });

  it('no mark is in what a hub says when a call fails half-way, or when it crashes in one', async () => {
    const marks = newMarks();
    const { hub, fail } = await failingHub();
    await paired(hub);
    fail('reject');
    const { status, body } = await post(hub.url, 'ask_question', asking(marks), agent);
    expect([status, body.error.code]).toEqual([500, 'INTERNAL']);
    expect(marksIn(JSON.stringify(body), Object.values(marks) as string[])).toEqual([]);
    expect(hub.stderr()).toContain('sealing failed');
    await crash(hub, () => fail('crash in the middle of a call'), marks);
    expect(hub.stderr()).toContain('Error: crash in the middle of a call');
    expect(await finds(hub, marks)).toEqual(nothing);
  });
});

/** It fails while it seals, as soon as the test says so. */
async function failingHub({ args = [] }: { args?: string[] } = {}): Promise<{
  hub: HubProcess;
  fail: (how: string) => void;
}> {
  const file = join(tempFolder(), 'fail');
  const preload = new URL('../support/fails-while-sealing.mjs', import.meta.url).href;
  const env = { NODE_OPTIONS: `--import=${preload}`, COTERIE_TEST_FAIL: file };
  return { hub: await startHubProcess({ args, env }), fail: (how) => writeFileSync(file, how) };
}

/** The hub ends while it has the texts in memory. */
async function crash(hub: HubProcess, fail: () => void, marks: Marks): Promise<void> {
  fail();
  await Promise.allSettled([post(hub.url, 'ask_question', asking(marks), agent)]);
  await eventually('it has crashed', () => /\nNode\.js v\d/.test(hub.stderr()));
}

describe('at level end_to_end', () => {
  it('no mark is in the hub’s traffic either', async () => {
    const marks = newMarks();
    const hub = await startHubProcess();
    const device = await paired(hub);
    const proxy = await recordingProxy(hub.url);
    const home = tempFolder();
    const client = await connectStdio('v2 2026', ['--url', proxy.url, '--agent', 'ann'], 'test', {
      env: { HOME: home, XDG_DATA_HOME: join(home, 'data') },
    });
    const asked = await client.call('ask_question', asking(marks));
    expect(asked.structured).toMatchObject({ encryption: 'end_to_end' });
    const id = String(asked.structured?.['questionId']);
    await client.call('send_alert', { message: marks.alert });
    await answerSealed(hub, device, { id, text: marks.answer });
    expect((await client.call('get_response', { questionId: id })).text).toContain(marks.answer);
    expect((await client.call('get_messages', {})).text).toContain(marks.answer);
    await client.close();
    await hub.kill();
    expect(await finds(hub, marks)).toEqual(nothing);
    expect(proxy.traffic().length).toBeGreaterThan(1_000);
    expect(marksIn(proxy.traffic(), Object.values(marks) as string[])).toEqual([]);
  });
});

describe('the search', () => {
  it('finds what crash output and pushes would tell', async () => {
    const push = await startPushService();
    const marks = newMarks();
    const { hub, fail } = await failingHub({ args: ['--push-hosts', push.host] });
    const device = await paired(hub);
    await subscribe(hub, device, push);
    await call(hub.url, 'ask_question', { ...asking(marks), encrypt: false }, agent);
    await eventually('it is pushed', () => push.received.length > 0);
    expect(marksIn(pushedBytes(push), Object.values(marks) as string[])).toContain(marks.question);
    await crash(hub, () => fail(`told: ${marks.context}`), marks);
    expect((await finds(hub, marks)).logged).toEqual([marks.context]);
  });

  it('finds what is stored at level none, and what goes over the wire', async () => {
    const marks = newMarks();
    const hub = await startHubProcess();
    const proxy = await recordingProxy(hub.url);
    const { silence, alert: _alert, reason: _reason, answer, ...asked } = marks;
    const { questionId } = await call(proxy.url, 'ask_question', { ...asking(marks), encrypt: false }, agent);
    await call(proxy.url, 'answer_question', { questionId, response: answer }, me);
    await hub.kill();
    const expected = [...Object.values(asked), silence, answer].toSorted();
    expect((await finds(hub, marks)).stored.toSorted()).toEqual(expected);
    expect(marksIn(proxy.traffic(), Object.values(marks) as string[]).toSorted()).toEqual(expected);
  });
});
