// Questions in a hub with keys: who may read and answer, what an admin's reading leaves behind, and what people are shown live.
import { beforeAll, describe, expect, it } from 'vitest';
import { cliAudit } from '../support/cli-audit.js';
import { eventually } from '../support/eventually.js';
import { followEvents } from '../support/follow-events.js';
import { post } from '../support/http-call.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { connectMcp } from '../support/mcp-clients.js';

const keyed = useKeyedHub({ asker: agentRights, other: agentRights, chief: ['admin'] });
let ada: string;
let bea: string;
beforeAll(async () => {
  ada = (await keyed.makePerson('ada')).text;
  bea = (await keyed.makePerson('bea')).text;
});

const as = async (key: string, operation: string, input: object) =>
  (await post(keyed.hub.url, operation, input, { key })).body;
const ask = async (input: object = {}): Promise<string> =>
  (await keyed.call('asker', 'ask_question', { question: 'Go?', to: 'ada', ...input })).questionId;

describe('a question in a hub with keys', () => {
  it('is answered by who has the key of the person it was put to, over any door', async () => {
    const questionId = await ask();
    expect((await as(bea, 'answer_question', { questionId, response: 'x' })).error.code).toBe('QUESTION_UNKNOWN');
    for (const agent of ['asker', 'other', 'chief']) {
      const { body } = await keyed.post(agent, 'answer_question', { questionId, response: 'x' });
      expect(body.error.code).toBe('FORBIDDEN');
    }
    const client = await connectMcp('v2 2026', `${keyed.hub.url}/mcp?tools=all`, { key: ada });
    expect(await client.call('answer_question', { questionId, response: 'by key' })).toMatchObject({ isError: false });
    await client.close();
    expect(await keyed.call('asker', 'get_response', { questionId })).toMatchObject({ response: 'by key', by: 'ada' });
  });

  it('is read by its asker, its people and admins, whose reading is audited', async () => {
    const questionId = await ask();
    expect((await keyed.post('other', 'get_response', { questionId })).body.error.code).toBe('QUESTION_UNKNOWN');
    expect((await keyed.call('other', 'list_questions', {})).questions).toEqual([]);
    expect((await keyed.post('other', 'list_questions', { questionId })).body.error.code).toBe('QUESTION_UNKNOWN');
    expect((await keyed.post('other', 'cancel_question', { questionId })).body.error.code).toBe('QUESTION_UNKNOWN');
    expect((await as(ada, 'get_response', { questionId })).error).toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('list_questions'),
    });
    expect((await as(ada, 'list_questions', { questionId })).questions).toMatchObject([{ question: 'Go?' }]);
    expect(await keyed.call('chief', 'get_response', { questionId })).toMatchObject({ status: 'pending' });
    expect((await keyed.call('chief', 'list_questions', {})).questions[0]).toMatchObject({ id: questionId });
    const { entries } = await keyed.call('chief', 'list_audit', { actor: 'chief' });
    const acts = entries.map(({ act, target }: { act: string; target?: string }) => `${act} ${target ?? ''}`);
    expect(acts).toEqual(expect.arrayContaining([`get_response ${questionId}`, 'list_questions ']));
    expect(JSON.stringify(entries)).not.toContain('Go?');
  });
});

describe('a permission prompt', () => {
  const permission = { kind: 'permission', callHash: 'hash' } as const;
  const put = async (id: string) => {
    const at = Date.now();
    await keyed.store().addSignal({
      sessionId: 'default',
      key: null,
      signal: {
        ...permission,
        sessionId: 'default',
        id,
        sender: 'asker',
        people: ['ada'],
        level: 'none',
        priority: 'high',
        alertType: null,
        threadId: null,
        inReplyTo: null,
        projectId: null,
        label: null,
        optionCount: 2,
        body: { form: 'plain', json: JSON.stringify({ text: 'Run?', options: ['Allow', 'Deny'], context: null }) },
        defaultAnswer: null,
        askedAt: at,
        expiresAt: null,
      },
    });
  };

  it('is decided with a person’s key', async () => {
    await put('q-100001');
    expect(await as(ada, 'answer_question', { questionId: 'q-100001', option: 'Allow' })).toMatchObject({
      status: 'answered',
      option: 1,
    });
  });

  it('cannot be asked in plain fields', async () => {
    const { body } = await keyed.post('asker', 'ask_question', { question: 'Run?', kind: 'permission' });
    expect(body.error.code).toBe('UNKNOWN_FIELD');
  });
});

describe('the local person of open mode who never came', () => {
  it('gets no question to everyone once there are keys, but one by its name', async () => {
    const person = { sessionId: 'default', id: 'ghost', name: null, at: Date.now(), audit: null };
    await keyed.store().addPerson({ ...person, isUnseen: true });
    const { questionId } = await keyed.call('asker', 'ask_question', { question: 'x' });
    const { questions } = await keyed.call('asker', 'list_questions', { questionId });
    expect(questions[0].to).toContain('ada');
    expect(questions[0].to).not.toContain('ghost');
    expect(await keyed.call('asker', 'ask_question', { question: 'x', to: ['ghost'] })).toMatchObject({
      success: true,
    });
  });
});

describe('the events of a session', () => {
  it('tell people, and people alone, that questions changed', async () => {
    const person = await followEvents(keyed.hub.url, { key: ada });
    const agent = await followEvents(keyed.hub.url, { key: keyed.key('other') });
    const signals = () => person.events.filter(({ event }) => event === 'signals').length;
    const questionId = await ask();
    await eventually('the question', () => signals() >= 1);
    const before = signals();
    await as(ada, 'answer_question', { questionId, response: 'x' });
    await eventually('the answer', () => signals() > before);
    expect(person.events.find(({ event }) => event === 'signals')).toMatchObject({ data: {} });
    expect(agent.events.filter(({ event }) => event === 'signals')).toEqual([]);
  });
});

describe('a closed session', () => {
  it('takes no question, and shows those it has', async () => {
    const { url } = keyed.hub;
    const sessionId = 'ending';
    await keyed.call('chief', 'create_session', { sessionId });
    await keyed.store().addPerson({ sessionId, id: 'ada', name: null, at: Date.now(), audit: cliAudit(sessionId) });
    const { text: key } = await keyed.makeKey('asker', agentRights, sessionId);
    await eventually('the key', async () => (await post(url, 'register_agent', {}, { key })).status === 200);
    const { questionId } = (await post(url, 'ask_question', { question: 'x' }, { key })).body;
    await keyed.call('chief', 'close_session', { sessionId });
    expect((await post(url, 'ask_question', { question: 'x' }, { key })).body.error.code).toBe('SESSION_CLOSED');
    expect((await post(url, 'get_response', { questionId }, { key })).body).toMatchObject({ status: 'pending' });
    expect((await post(url, 'get_response', { questionId, waitMs: 100 }, { key })).body.error.code).toBe(
      'SESSION_CLOSED',
    );
  });
});
