// Questions and answers survive the hub's death; and who the local person is, is said at start.
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';

it('a question survives kill -9, and so does its answer, which the asker still gets', async () => {
  const first = await startHubProcess();
  const ask = { question: 'Deploy?', options: ['Yes', 'No'] };
  const { questionId } = await call(first.url, 'ask_question', ask, { agent: 'asker' });
  const waiting = call(first.url, 'get_response', { questionId, waitMs: 60_000 }, { agent: 'asker' }).catch(() => {});
  await first.kill();
  await waiting;
  const second = await startHubProcess({ data: first.data });
  const [question] = (await call(second.url, 'list_questions', {}, { agent: 'me' })).questions;
  expect(question).toMatchObject({ id: questionId, status: 'pending', ...ask });
  await call(second.url, 'answer_question', { questionId, option: 2 }, { agent: 'me' });
  await second.kill();
  const third = await startHubProcess({ data: first.data });
  const answer = { response: 'No', option: 2 };
  expect(await call(third.url, 'get_response', { questionId }, { agent: 'asker' })).toMatchObject(answer);
  const { messages } = await call(third.url, 'wait_for_mentions', {}, { agent: 'asker' });
  expect(messages).toMatchObject([{ sender: 'me', payload: { questionId, ...answer } }]);
});

it('a hub goes on, and says so, when an agent has the name of its local person', async () => {
  const first = await startHubProcess({ args: ['--person', 'pat'] });
  await call(first.url, 'register_agent', { agentId: 'me' });
  await first.stop();
  const second = await startHubProcess({ data: first.data });
  await eventually('the warning', () => /'me' cannot be the person at this machine/.test(second.stderr()));
  expect(second.stderr()).toContain('--person NAME');
  const { questionId } = await call(second.url, 'ask_question', { question: 'x' }, { agent: 'asker' });
  expect((await call(second.url, 'list_questions', { questionId }, { agent: 'asker' })).questions[0].to).toEqual([
    'pat',
  ]);
});
