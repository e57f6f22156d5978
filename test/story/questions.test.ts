// A question reaches a person, and the answer comes back: its states, who may do what, and what each is told.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';
import { call as callAs, post as postAs } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

let store: Store;
const hub = useHub({ wrapStore: (opened) => (store = opened) });
const call = (agent: string, operation: string, input: unknown) => callAs(hub.url, operation, input, { agent });
const refusal = async (agent: string, operation: string, input: unknown) =>
  (await postAs(hub.url, operation, input, { agent })).body.error;
const ask = (input: object = {}, agent = 'asker') => call(agent, 'ask_question', { question: 'Deploy?', ...input });

beforeAll(async () => {
  for (const id of ['ada', 'bea']) {
    await store.addPerson({ sessionId: 'default', id, name: null, at: Date.now(), audit: cliAudit('default') });
  }
  await callAs(hub.url, 'register_agent', { agentId: 'worker' }, {});
});

describe('a question', () => {
  it('goes to the people of the session, is answered once, and the asker gets the answer in both ways', async () => {
    const { questionId, ...asked } = await ask({ options: ['Yes', 'No'], projectId: 'apollo', to: ['ada', 'bea'] });
    expect(asked).toMatchObject({ success: true, encryption: 'none', devices: 0 });
    expect(questionId).toMatch(/^q-\d{12}$/);
    expect(await call('asker', 'get_response', { questionId })).toMatchObject({
      success: true,
      answered: false,
      status: 'pending',
    });
    const { questions } = await call('ada', 'list_questions', { status: 'pending' });
    expect(questions[0]).toMatchObject({
      id: questionId,
      from: 'asker',
      to: ['ada', 'bea'],
      question: 'Deploy?',
      options: ['Yes', 'No'],
      projectId: 'apollo',
      status: 'pending',
    });
    expect(await call('ada', 'answer_question', { questionId, option: 2 })).toMatchObject({
      success: true,
      status: 'answered',
      response: 'No',
      option: 2,
    });
    expect(await refusal('bea', 'answer_question', { questionId, response: 'Yes' })).toMatchObject({
      code: 'ALREADY_ANSWERED',
      details: { answeredBy: 'ada' },
    });
    expect(await call('asker', 'get_response', { questionId })).toMatchObject({
      answered: true,
      status: 'answered',
      response: 'No',
      option: 2,
      by: 'ada',
    });
    const { messages } = await call('asker', 'wait_for_mentions', { timeoutMs: 0 });
    expect(messages[0]).toMatchObject({
      sender: 'ada',
      type: 'RESULT',
      why: 'reply',
      payload: { questionId, status: 'answered' },
    });
  });
});
