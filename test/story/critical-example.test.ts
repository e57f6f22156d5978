// Critical threads as the published usage example and its rules show them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations, type McpClient } from '../support/mcp-clients.js';
import { metric } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const example = {
  creator_id: 'agent-1',
  title: 'Urgent: System Deployment Decision',
  participants: ['agent-2', 'agent-3', 'agent-4'],
  initial_message: 'We need to decide on the deployment strategy. Please provide your input.',
  wait_for_responses: 2,
  timeout_ms: 300000,
};

async function team(session: string): Promise<void> {
  for (const agentId of ['agent-1', ...example.participants]) {
    await call(hub.url, 'register_agent', { agentId }, { session });
  }
}

/** What the participant finds when the thread calls it: the opening, by which it learns where to answer. */
async function opening(session: string, agent: string) {
  return eventually(`${agent} has the opening`, async () => {
    const { messages } = await call(hub.url, 'wait_for_mentions', { timeoutMs: 10_000 }, { agent, session });
    return messages.find(({ sender }: { sender: string }) => sender === 'agent-1');
  });
}

async function answer(session: string, agent: string, content: string) {
  const { threadId } = await opening(session, agent);
  return call(hub.url, 'send_message', { threadId, content }, { agent, session });
}

describe.each(generations)('through client %s', (generation) => {
  const session = generation.replaceAll(' ', '-');
  let client: McpClient;
  beforeAll(async () => {
    await team(session);
    client = await connectMcp(generation, `${hub.url}/mcp?session=${session}`, 'coterie-bridge');
  });
  afterAll(() => client.close());

  it('the example blocks until two have answered and returns their responses', async () => {
    const waiting = client.call('create_critical_thread', example, { timeout: 60_000 });
    const called = await opening(session, 'agent-4');
    expect(called).toMatchObject({ urgent: true, content: [{ text: example.initial_message }] });
    await answer(session, 'agent-3', 'Blue-green.');
    await answer(session, 'agent-2', 'Canary.');
    const { structured, text, isError } = await waiting;
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      success: true,
      title: example.title,
      critical: true,
      creator: 'agent-1',
      complete: true,
      participants: ['agent-1', ...example.participants],
      missing: ['agent-4'],
      responses: [
        { sender: 'agent-3', content: [{ text: 'Blue-green.' }], urgent: true },
        { sender: 'agent-2', content: [{ text: 'Canary.' }], urgent: true },
      ],
    });
    expect(structured.threadId).toBe(called.threadId);
    expect(text).toMatch(/2 of 2 responses[^]*Blue-green[^]*Canary[^]*Not answered: agent-4/);
  });
});

it('create_critical_thread and wait_for_responses are among the everyday tools', async () => {
  const client = await connectMcp('v2 2026', `${hub.url}/mcp`);
  const names = (await client.tools()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['create_critical_thread', 'wait_for_responses']));
  await client.close();
});

const create = (session: string, fields: Record<string, unknown>) =>
  call(hub.url, 'create_critical_thread', { ...example, ...fields }, { session });

describe('a response', () => {
  it('counts once per participant, only from participants, and only after the opening', async () => {
    const session = 'counting';
    await team(session);
    await call(hub.url, 'register_agent', { agentId: 'late' }, { session });
    const waiting = create(session, {});
    const { threadId } = await opening(session, 'agent-2');
    const say = (agent: string, content: string) =>
      call(hub.url, 'send_message', { threadId, content }, { agent, session });
    await say('agent-2', 'first');
    await say('agent-2', 'second thoughts');
    await say('agent-1', 'the creator speaks too');
    await call(hub.url, 'join_thread', { threadId }, { agent: 'late', session });
    await say('late', 'I came later');
    expect(await metric(hub.url, 'coterie_waits_parked')).toBe(1);
    await say('agent-4', 'last');
    const { responses, complete } = await waiting;
    expect(complete).toBe(true);
    expect(responses.map(({ sender, content }: Said) => [sender, content[0]?.text])).toEqual([
      ['agent-2', 'first'],
      ['agent-4', 'last'],
    ]);
  });

  it('of one who joined later counts when it is required', async () => {
    const session = 'late';
    await team(session);
    await call(hub.url, 'register_agent', { agentId: 'late' }, { session });
    const { threadId } = await create(session, { wait_for_responses: 0 });
    await call(hub.url, 'join_thread', { threadId }, { agent: 'late', session });
    await call(hub.url, 'send_message', { threadId, content: 'here' }, { agent: 'late', session });
    const wait = (fields: Record<string, unknown>) =>
      call(hub.url, 'wait_for_responses', { threadId, timeout_ms: 0, ...fields }, { agent: 'agent-1', session });
    expect(await wait({})).toMatchObject({ responses: [], complete: false, timedOut: true });
    expect(await wait({ required: ['late'] })).toMatchObject({ responses: [{ sender: 'late' }], complete: true });
    const more = await wait({ wait_for_responses: 2, required: ['late'] });
    expect(more).toMatchObject({ complete: false, missing: ['agent-2', 'agent-3', 'agent-4'] });
  });
});

interface Said {
  sender: string;
  content: { text: string }[];
}

it('who must answer is waited for, and named while missing', async () => {
  const session = 'required';
  await team(session);
  const waiting = create(session, { wait_for_responses: 1, required: ['agent-4'], timeout_ms: 20_000 });
  await answer(session, 'agent-2', 'me first');
  const { threadId } = await opening(session, 'agent-4');
  const now = { threadId, timeout_ms: 0 };
  const look = await call(hub.url, 'wait_for_responses', now, { agent: 'agent-1', session });
  expect(look).toMatchObject({ complete: false, missing: ['agent-4'], required: ['agent-4'] });
  await call(hub.url, 'send_message', { threadId, content: 'yes' }, { agent: 'agent-4', session });
  const { responses, complete } = await waiting;
  expect(complete).toBe(true);
  expect(responses.map(({ sender }: Said) => sender)).toEqual(['agent-2', 'agent-4']);
});

it('with wait_for_responses 0 it does not wait, and can be waited for later', async () => {
  const session = 'no-wait';
  await team(session);
  const made = await create(session, { wait_for_responses: 0 });
  expect(made).toMatchObject({ responses: [], waitedMs: 0, critical: true });
  const waiting = call(
    hub.url,
    'wait_for_responses',
    { threadId: made.threadId, timeout_ms: 20_000 },
    { agent: 'agent-1', session },
  );
  await answer(session, 'agent-3', 'late but here');
  expect(await waiting).toMatchObject({ complete: true, responses: [{ sender: 'agent-3' }] });
});
