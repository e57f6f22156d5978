// A question reaches a person, and the answer comes back: its states, who may do what, and what each is told.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';
import { call as callAs, post as postAs } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

let store: Store;
const hub = useHub({ wrapStore: (opened) => (store = opened) });
const call = (agent: string, operation: string, input: unknown) => callAs(hub.url, operation, input, { agent });
const refusal = async (agent: string, operation: string, input: unknown) =>
  (await postAs(hub.url, operation, input, { agent })).body.error;
const ask = async (agent: string, input: object = {}): Promise<string> =>
  (await call(agent, 'ask_question', { question: 'Deploy?', to: 'ada', encrypt: false, ...input })).questionId;
const response = (agent: string, questionId: string) => call(agent, 'get_response', { questionId });
const mail = async (agent: string) => (await call(agent, 'wait_for_mentions', { timeoutMs: 0 })).messages;
const textOf = (message: { content: { text: string }[] }) => message.content[0]?.text;

beforeAll(async () => {
  for (const id of ['ada', 'bea']) {
    await store.addPerson({ sessionId: 'default', id, name: null, at: Date.now(), audit: cliAudit('default') });
  }
  for (const agentId of ['worker', 'other']) await callAs(hub.url, 'register_agent', { agentId });
});

describe('a question', () => {
  it('goes to the people named, is answered once, and the asker gets the answer in both ways', async () => {
    const asked = await call('asker', 'ask_question', {
      question: 'Deploy?',
      options: ['Yes', 'No'],
      context: 'It is **Friday**.',
      projectId: 'apollo',
      to: ['ada', 'bea'],
      encrypt: false,
    });
    const { questionId } = asked;
    expect(asked).toMatchObject({ success: true, encryption: 'none', devices: 0, expiresAt: expect.any(String) });
    expect(questionId).toMatch(/^q-\d{12}$/);
    expect(await response('asker', questionId)).toMatchObject({ success: true, answered: false, status: 'pending' });
    const { questions } = await call('ada', 'list_questions', { status: 'pending' });
    expect(questions[0]).toMatchObject({
      id: questionId,
      kind: 'question',
      from: 'asker',
      fromName: 'asker',
      to: ['ada', 'bea'],
      question: 'Deploy?',
      options: ['Yes', 'No'],
      optionCount: 2,
      context: 'It is **Friday**.',
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
      details: { answeredBy: 'ada', status: 'answered' },
    });
    const answer = { response: 'No', option: 2 };
    expect(await response('asker', questionId)).toMatchObject({
      answered: true,
      status: 'answered',
      by: 'ada',
      ...answer,
    });
    const [told] = await mail('asker');
    expect(told).toMatchObject({
      sender: 'ada',
      role: 'USER',
      type: 'RESULT',
      why: 'reply',
      payload: { questionId, status: 'answered', ...answer },
    });
    expect(textOf(told)).toBe(`ada answered question ${questionId}: option 2, No`);
    const again = await call('asker', 'get_messages', { include: 'recent' });
    expect(again.messages.at(-1)).toMatchObject({ payload: { questionId, ...answer } });
    const seen = (await call('bea', 'list_questions', { questionId })).questions[0];
    expect(seen).toMatchObject({ status: 'answered', answeredBy: 'ada', answeredAt: expect.any(String), ...answer });
  });

  it('keeps the answer out of what is stored as a message: only the asker is shown it', async () => {
    const questionId = await ask('keeper');
    await call('ada', 'answer_question', { questionId, response: 'the-secret-word' });
    const history = await call('other', 'query_message_history', { target: 'keeper' });
    expect(JSON.stringify(history)).toContain(`ada answered question ${questionId}`);
    expect(JSON.stringify(history)).not.toContain('the-secret-word');
    expect((await call('keeper', 'search_messages', { query: 'the-secret-word' })).messages).toEqual([]);
    const peeked = await call('other', 'get_messages', { sessionId: 'keeper' });
    expect(JSON.stringify(peeked)).not.toContain('the-secret-word');
    expect(textOf((await mail('keeper'))[0])).toContain('the-secret-word');
  });

  it('is not opened by a message that only looks like an answer', async () => {
    const questionId = await ask('forged');
    await call('ada', 'answer_question', { questionId, response: 'true words' });
    const payload = { questionId, status: 'answered' };
    const fake = { target: 'forged', message: 'bea answered', message_type: 'RESULT', payload };
    await call('other', 'send_message', fake);
    const told = await mail('forged');
    const byOther = told.find(({ sender }: { sender: string }) => sender === 'other');
    expect(byOther).toMatchObject({ payload });
    expect(textOf(byOther)).toBe('bea answered');
    // To someone else it opens nothing.
    await call('ada', 'send_message', { ...fake, target: 'other' });
    expect(JSON.stringify(await mail('other'))).not.toContain('true words');
  });

  it.each([
    ['by its text, in any case', { option: 'yes, proceed' }, { option: 1, response: 'Yes, proceed' }],
    ['by its number as text', { option: '2' }, { option: 2, response: 'No' }],
    ['with a remark', { option: 2, response: 'not today' }, { option: 2, response: 'not today' }],
    ['in free text', { response: 'ask bea' }, { response: 'ask bea' }],
  ])('is answered %s', async (_, given, expected) => {
    const questionId = await ask('choosy', { options: ['Yes, proceed', 'No'] });
    await call('ada', 'answer_question', { questionId, ...given });
    expect(await response('choosy', questionId)).toMatchObject({ answered: true, ...expected });
  });

  it.each([
    ['an option that was not offered', { option: 'Maybe' }, 'INVALID_INPUT'],
    ['a number beyond the options', { option: 3 }, 'INVALID_INPUT'],
    ['nothing', {}, 'INVALID_INPUT'],
  ])('is not answered by %s', async (_, given, code) => {
    const questionId = await ask('strict', { options: ['Yes', 'No'] });
    expect(await refusal('ada', 'answer_question', { questionId, ...given })).toMatchObject({ code });
    expect(await response('strict', questionId)).toMatchObject({ status: 'pending' });
    await call('strict', 'cancel_question', { questionId });
  });

  it('that is declined says so, with the reason, and is not a no', async () => {
    const questionId = await ask('refused');
    expect(await call('ada', 'decline_question', { questionId, reason: 'ask the board' })).toMatchObject({
      success: true,
      status: 'declined',
    });
    const got = await response('refused', questionId);
    expect(got).toMatchObject({ answered: false, status: 'declined', by: 'ada', reason: 'ask the board' });
    expect(got).not.toHaveProperty('response');
    expect(textOf((await mail('refused'))[0])).toBe(`ada declined to answer question ${questionId}: ask the board`);
    expect(await refusal('ada', 'answer_question', { questionId, response: 'x' })).toMatchObject({
      code: 'QUESTION_CLOSED',
      details: { status: 'declined' },
    });
  });

  it('is taken back by its asker, who is not told; by another, and the asker is', async () => {
    const own = await ask('fickle');
    expect(await call('fickle', 'cancel_question', { questionId: own })).toMatchObject({ status: 'cancelled' });
    expect(await response('fickle', own)).toMatchObject({ answered: false, status: 'cancelled' });
    expect(await mail('fickle')).toEqual([]);
    expect(await refusal('ada', 'answer_question', { questionId: own, response: 'x' })).toMatchObject({
      code: 'QUESTION_CLOSED',
      details: { status: 'cancelled' },
    });
    const questionId = await ask('fickle');
    await call('other', 'cancel_question', { questionId, reason: 'settled' });
    expect(await response('fickle', questionId)).toMatchObject({ status: 'cancelled', by: 'other', reason: 'settled' });
    expect(await mail('fickle')).toMatchObject([{ sender: 'system', payload: { questionId, status: 'cancelled' } }]);
  });

  it('is answered once, however many answer at once', async () => {
    const questionId = await ask('raced', { to: ['ada', 'bea'] });
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const agent = index % 2 === 0 ? 'ada' : 'bea';
        const said = `answer ${index}`;
        const { status, body } = await postAs(hub.url, 'answer_question', { questionId, response: said }, { agent });
        return { status, code: body.error?.code, by: agent, said };
      }),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'ALREADY_ANSWERED')).toHaveLength(11);
    expect(await response('raced', questionId)).toMatchObject({ response: won[0]?.said, by: won[0]?.by });
    expect(await mail('raced')).toHaveLength(1);
  });
});

describe('to', () => {
  it('names one person or several, or no one for everyone', async () => {
    const to = async (agent: string, given?: unknown) => {
      const { questionId } = await call(agent, 'ask_question', { question: 'x', to: given, encrypt: false });
      return (await call(agent, 'list_questions', { questionId })).questions[0].to;
    };
    expect(await to('names', '@ada')).toEqual(['ada']);
    expect(await to('names', ['bea', 'ada', 'bea'])).toEqual(['ada', 'bea']);
    expect(await to('names')).toEqual(['ada', 'bea', 'me']);
  });

  it('is refused for an agent, with what to do instead, and for who is unknown, with the nearest', async () => {
    expect(await refusal('names', 'ask_question', { question: 'x', to: 'worker' })).toMatchObject({
      code: 'NOT_A_PERSON',
      hint: expect.stringContaining('message_type "QUERY"'),
    });
    expect(await refusal('names', 'ask_question', { question: 'x', to: ['ada', 'beaa'] })).toMatchObject({
      code: 'PERSON_UNKNOWN',
      details: { nearest: ['bea'] },
    });
    const elsewhere = await postAs(hub.url, 'ask_question', { question: 'x' }, { agent: 'ann', session: 'nobody' });
    expect(elsewhere.body.error).toMatchObject({
      code: 'NO_PERSON',
      hint: expect.stringContaining('coterie people add'),
    });
  });
});

describe('an agent', () => {
  it('does not answer, over HTTP or MCP, under its own name or a person’s', async () => {
    const questionId = await ask('worker');
    for (const operation of ['answer_question', 'decline_question']) {
      expect(await refusal('worker', operation, { questionId, response: 'Yes', reason: 'x' })).toMatchObject({
        code: expect.stringMatching(/FORBIDDEN|UNKNOWN_FIELD/),
      });
      expect(await refusal('worker', operation, { questionId })).toMatchObject({ code: 'FORBIDDEN' });
    }
    for (const generation of generations) {
      const client = await connectMcp(generation, `${hub.url}/mcp?tools=all`);
      for (const agentId of ['worker', 'ada']) {
        const answer = await client.call('answer_question', { agentId, questionId, response: 'Yes' });
        expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^FORBIDDEN: /) });
      }
      await client.close();
    }
    expect(await response('worker', questionId)).toMatchObject({ status: 'pending' });
  });

  it('does not know a question of another session, nor one that does not exist, by the same words', async () => {
    const questionId = await ask('worker');
    const asked = async (id: string, session: string) => {
      const { body } = await postAs(hub.url, 'get_response', { questionId: id }, { agent: 'worker', session });
      return JSON.stringify(body.error).replaceAll(id, 'ID');
    };
    expect(await asked(questionId, 'apart')).toBe(await asked('q-999999999999', 'apart'));
    expect(await refusal('bea', 'answer_question', { questionId, response: 'x' })).toMatchObject({
      code: 'QUESTION_UNKNOWN',
    });
  });
});

describe('a permission prompt in open mode', () => {
  it('is decided by no one who only says to be a person', async () => {
    await call('worker', 'register_agent', {});
    const rest = { priority: 'high', level: 'none', alertType: null, threadId: null, inReplyTo: null } as const;
    await store.addSignal({
      sessionId: 'default',
      key: null,
      signal: {
        ...rest,
        sessionId: 'default',
        id: 'q-100001',
        kind: 'permission',
        callHash: 'hash',
        sender: 'worker',
        people: ['ada'],
        projectId: null,
        label: null,
        optionCount: 2,
        body: { form: 'plain', json: JSON.stringify({ text: 'Run?', options: ['Allow', 'Deny'], context: null }) },
        defaultAnswer: null,
        askedAt: Date.now(),
        expiresAt: null,
      },
    });
    for (const operation of ['answer_question', 'decline_question']) {
      const input = operation === 'answer_question' ? { option: 'Allow' } : {};
      expect(await refusal('ada', operation, { questionId: 'q-100001', ...input })).toMatchObject({
        code: 'FORBIDDEN',
        hint: expect.stringContaining('coterie pair'),
      });
    }
    expect(await response('worker', 'q-100001')).toMatchObject({ status: 'pending' });
  });
});

describe('a follow-up', () => {
  it('names the question before it, and the chain can be read', async () => {
    const first = await ask('chain', { threadId: 'release talk' });
    const second = await ask('chain', { threadId: 'release talk', inReplyTo: first });
    const [view] = (await call('ada', 'list_questions', { questionId: second })).questions;
    expect(view).toMatchObject({ inReplyTo: first, threadId: 'release talk' });
    // By another agent, to the same person.
    expect(await ask('chain2', { inReplyTo: second })).toMatch(/^q-/);
    const unknown = { question: 'x', inReplyTo: 'q-999999999999' };
    expect(await refusal('chain', 'ask_question', unknown)).toMatchObject({ code: 'QUESTION_UNKNOWN' });
    const toOther = { question: 'x', to: 'bea', inReplyTo: first };
    expect(await refusal('chain2', 'ask_question', toOther)).toMatchObject({ code: 'QUESTION_UNKNOWN' });
  });

  it('in a real thread lets the other members know the fact alone', async () => {
    const thread = { title: 'Release', participants: ['worker'] };
    const { threadId } = await call('poster', 'create_thread', thread);
    const questionId = await ask('poster', { threadId });
    await call('ada', 'answer_question', { questionId, response: 'only for the asker' });
    const { messages } = await call('worker', 'get_thread', { threadId });
    expect(messages.at(-1)).toMatchObject({ sender: 'system', payload: { questionId, status: 'answered' } });
    expect(textOf(messages.at(-1))).toBe(`ada answered question ${questionId}`);
    expect(JSON.stringify(messages)).not.toContain('only for the asker');
    expect(textOf((await mail('poster')).at(-1))).toContain('only for the asker');
  });
});

describe('a retry with the same key', () => {
  it('is the first question, and another question with it is refused', async () => {
    const input = { question: 'Once?', to: 'ada', encrypt: false, idempotency_key: 'k-1' };
    const first = await call('retry', 'ask_question', input);
    const second = await call('retry', 'ask_question', input);
    expect(second).toMatchObject({ questionId: first.questionId, duplicate: true });
    expect(await refusal('retry', 'ask_question', { ...input, question: 'Twice?' })).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    expect((await call('retry', 'list_questions', {})).questions).toHaveLength(1);
    const alert = { message: 'Once', to: 'ada', idempotency_key: 'k-2', encrypt: false };
    const { alertId } = await call('retry', 'send_alert', alert);
    expect(await call('retry', 'send_alert', alert)).toMatchObject({ alertId, duplicate: true });
  });
});

describe('list_questions', () => {
  it('shows what is yours, page by page, newest first', async () => {
    const asked: string[] = [];
    for (const question of ['1', '2', '3']) asked.push(await ask('pager', { question }));
    const first = await call('pager', 'list_questions', { limit: 2 });
    const rest = await call('pager', 'list_questions', { limit: 2, cursor: first.cursor });
    const listed = [...first.questions, ...rest.questions].map(({ id }: { id: string }) => id);
    expect(listed.toSorted()).toEqual(asked.toSorted());
    expect(rest.cursor).toBeNull();
    expect(await refusal('pager', 'list_questions', { cursor: 'x' })).toMatchObject({ code: 'INVALID_INPUT' });
    const all = (await call('other', 'list_questions', { forMe: false, limit: 500 })).questions;
    expect(all.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(asked));
    const others = (await call('other', 'list_questions', {})).questions;
    expect(others).toEqual([]);
  });
});

describe('send_alert', () => {
  it('goes to people, who list it', async () => {
    const sent = await call('worker', 'send_alert', {
      message: 'Deploy done',
      alertType: 'success',
      context: 'v1.4',
      sessionId: 'run-7',
      projectId: 'apollo',
      to: 'ada',
      encrypt: false,
    });
    expect(sent).toMatchObject({ success: true, alertId: expect.stringMatching(/^a-\d{12}$/), devices: 0 });
    const [alert] = (await call('ada', 'list_alerts', {})).alerts;
    expect(alert).toMatchObject({
      id: sent.alertId,
      from: 'worker',
      to: ['ada'],
      alertType: 'success',
      message: 'Deploy done',
      context: 'v1.4',
      label: 'run-7',
      projectId: 'apollo',
    });
    expect((await call('bea', 'list_alerts', {})).alerts).toEqual([]);
    expect(await refusal('ada', 'answer_question', { questionId: sent.alertId, response: 'x' })).toMatchObject({
      code: 'QUESTION_UNKNOWN',
    });
  });
});

describe('the result', () => {
  it('is true where no device is paired', async () => {
    const asked = await call('honest', 'ask_question', { question: 'x', to: 'ada', encrypt: false });
    expect(asked.message).toMatch(/^Question stored; ada can see it in the app at http:\/\/127\.0\.0\.1:\d+$/);
    expect(asked.warnings).toEqual([expect.stringMatching(/^No device is paired, .*coterie questions/)]);
  });
});
