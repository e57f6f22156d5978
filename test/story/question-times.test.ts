// Waiting for an answer, and questions whose time is over.
import { beforeAll, describe, expect, it } from 'vitest';
import { call as callAs, post as postAs } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { movableClock } from '../support/movable-clock.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });
const call = (agent: string, operation: string, input: unknown) => callAs(hub.url, operation, input, { agent });
const ask = async (agent: string, input: object = {}): Promise<string> =>
  (await call(agent, 'ask_question', { question: 'Deploy?', encrypt: false, ...input })).questionId;
const dayMs = 24 * 60 * 60 * 1000;

beforeAll(() => callAs(hub.url, 'register_agent', { agentId: 'worker' }));

describe('get_response with waitMs', () => {
  it('returns as soon as the answer is there', async () => {
    const questionId = await ask('waiter');
    const waiting = call('waiter', 'get_response', { questionId, waitMs: 20_000 });
    await parkedAt(hub, 1);
    await call('me', 'answer_question', { questionId, response: 'go' });
    expect(await waiting).toMatchObject({ answered: true, response: 'go', waitedMs: expect.any(Number) });
    await parkedAt(hub, 0);
  });

  it('ends pending at its time-out, and a later call gets the answer', async () => {
    const questionId = await ask('waiter');
    expect(await call('waiter', 'get_response', { questionId, waitMs: 10 })).toMatchObject({
      answered: false,
      status: 'pending',
    });
    await call('me', 'answer_question', { questionId, response: 'late' });
    expect(await call('waiter', 'get_response', { questionId, waitMs: 10_000 })).toMatchObject({ response: 'late' });
  });

  it('is cut to the limit of an MCP client, which says so', async () => {
    const questionId = await ask('mcp');
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=mcp`);
    const waiting = client.call('get_response', { questionId, waitMs: 600_000 });
    await parkedAt(hub, 1);
    clock.advance(51_000);
    const { structured, text } = await waiting;
    expect(structured).toMatchObject({ status: 'pending', clampedToMs: expect.any(Number) });
    expect(text).toContain(`Call get_response with questionId "${questionId}"`);
    await client.close();
  });

  it('ends when the question is declined', async () => {
    const questionId = await ask('waiter');
    const waiting = call('waiter', 'get_response', { questionId, waitMs: 20_000 });
    await parkedAt(hub, 1);
    await call('me', 'decline_question', { questionId });
    expect(await waiting).toMatchObject({ answered: false, status: 'declined' });
  });
});

describe('a question past its time', () => {
  it('is expired after seven days, which its asker is told, and is never an answer', async () => {
    const questionId = await ask('patient');
    clock.advance(7 * dayMs + 1);
    const got = await call('patient', 'get_response', { questionId });
    expect(got).toMatchObject({ answered: false, status: 'expired' });
    expect(got).not.toHaveProperty('response');
    const { body } = await postAs(hub.url, 'answer_question', { questionId, response: 'x' }, { agent: 'me' });
    expect(body.error).toMatchObject({ code: 'QUESTION_CLOSED', details: { status: 'expired' } });
    const { messages } = await call('patient', 'wait_for_mentions', { timeoutMs: 20_000 });
    expect(messages).toMatchObject([{ sender: 'system', type: 'RESULT', payload: { questionId, status: 'expired' } }]);
    expect((await call('me', 'list_questions', { status: 'expired' })).questions[0]).toMatchObject({ id: questionId });
  });

  it('has its default answer, marked as such, only if one was asked for', async () => {
    const options = ['Yes', 'No'];
    const questionId = await ask('cautious', { ttl: 60, options, defaultAnswer: 'No' });
    const [pending] = (await call('me', 'list_questions', { questionId })).questions;
    expect(pending).toMatchObject({ defaultAnswer: 'No' });
    expect(await call('cautious', 'get_response', { questionId })).not.toHaveProperty('response');
    clock.advance(61_000);
    const expected = { status: 'expired', response: 'No', option: 2, isDefault: true };
    expect(await call('cautious', 'get_response', { questionId })).toMatchObject({ answered: false, ...expected });
    const { messages } = await call('cautious', 'wait_for_mentions', { timeoutMs: 20_000 });
    expect(messages).toMatchObject([{ payload: { questionId, ...expected } }]);
    expect(messages[0].content[0].text).toContain('its default answer applies: option 2, No');
  });

  it('wakes a wait', async () => {
    const questionId = await ask('waker', { ttl: 60 });
    const waiting = call('waker', 'get_response', { questionId, waitMs: 600_000 });
    await parkedAt(hub, 1);
    clock.advance(61_000);
    expect(await waiting).toMatchObject({ status: 'expired' });
  });

  it('never comes with ttl 0', async () => {
    const questionId = await ask('eternal', { ttl: 0 });
    clock.advance(400 * dayMs);
    expect(await call('eternal', 'get_response', { questionId })).toMatchObject({ status: 'pending' });
  });

  it('makes room for new ones', async () => {
    for (let count = 0; count < 20; count++) await ask('many', { ttl: 60 });
    const { body } = await postAs(hub.url, 'ask_question', { question: 'x' }, { agent: 'many' });
    expect(body.error).toMatchObject({ code: 'LIMIT_REACHED', details: { limit: 20 } });
    clock.advance(61_000);
    expect(await ask('many')).toMatch(/^q-/);
  });
});
