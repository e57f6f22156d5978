// A device that seals something else than an answer harms nobody: not who asked, not who lists questions.
import { expect, it } from 'vitest';
import type { PublicKeys } from '../../dist/contract/signal/signal.js';
import { newKeys, seal } from '../../dist/signal/envelope/index.js';
import { call, post } from '../support/http-call.js';
import { TestDevice } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const asker = { agent: 'asker' };

async function device(): Promise<TestDevice> {
  const made = await TestDevice.make();
  await made.pairOnPage(hub.url);
  return made;
}

const answer = (by: TestDevice, id: string, readers: PublicKeys[], payload: unknown) => {
  const header = { use: 'answer' as const, session: 'default', id, at: Date.now(), status: 'answered' as const };
  return seal(by.keys, readers, { header, payload });
};

const hubKeys = async () => (await call(hub.url, 'get_signal_keys', {}, asker)).hub as PublicKeys;

it.each([null, 7, { option: 'x', response: 1 }, 'text'])(
  'is refused where the hub reads the answer: %j',
  async (payload) => {
    const phone = await device();
    const { questionId } = await call(hub.url, 'ask_question', { question: 'Deploy?' }, asker);
    const sealed = await answer(phone, questionId, [await hubKeys()], payload);
    const { status, body } = await phone.post(hub.url, 'answer_question', { questionId, sealed });
    expect([status, body.error?.code]).toEqual([400, 'ENVELOPE_INVALID']);
    await call(hub.url, 'cancel_question', { questionId }, asker);
  },
);

it('leaves inbox and lists readable where only the asker’s program should read it', async () => {
  const phone = await device();
  const program = await newKeys(false);
  await call(hub.url, 'set_agent_key', program.public, asker);
  const id = 'q-abcdef';
  const header = { use: 'question' as const, session: 'default', id, at: Date.now() };
  const content = { text: 'Deploy?', options: [], context: null };
  const envelope = await seal(program, [phone.keys.public], { header, payload: content });
  await call(hub.url, 'send_sealed', { kind: 'question', id, envelope }, asker);
  const sealed = await answer(phone, id, [program.public, await hubKeys()], {});
  expect((await phone.post(hub.url, 'answer_question', { questionId: id, sealed })).status).toBe(200);
  for (const [operation, input] of [
    ['get_response', { questionId: id }],
    ['list_questions', {}],
    ['get_messages', {}],
  ] as const)
    expect([operation, (await post(hub.url, operation, input, asker)).status]).toEqual([operation, 200]);
});
