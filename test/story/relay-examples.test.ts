// The four published examples of Relay, exactly as written there, through every generation of client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { connectMcp, generations, type McpClient } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

interface Example {
  name: string;
  arguments: Record<string, unknown>;
}

const directMessage: Example = JSON.parse(`{
  "name": "send_message",
  "arguments": {
    "source": "builder",
    "target": "orchestrator",
    "message_type": "STATUS",
    "message": "Auth fix complete. PR #42 open. Tests passing."
  }
}`);

const multicast: Example = JSON.parse(`{
  "name": "send_message",
  "arguments": {
    "source": "orchestrator",
    "target": "all",
    "message_type": "STATUS",
    "message": "Sprint 3 starting. Check your task queues."
  }
}`);

const checkForDirectives: Example = JSON.parse(`{
  "name": "get_messages",
  "arguments": {
    "sessionId": "builder",
    "message_type": "DIRECTIVE"
  }
}`);

const groupsResponse: { groups: { name: string; members: string[] }[] } = JSON.parse(`{
  "groups": [
    { "name": "all", "members": ["orchestrator", "builder", "reviewer", "castor"] },
    { "name": "builders", "members": ["builder", "reviewer"] },
    { "name": "council", "members": ["orchestrator"] },
    { "name": "intelligence", "members": ["analyst"] }
  ]
}`);

const hub = useHub();

const [everyone, ...others] = groupsResponse.groups;

describe.each(generations)('through client %s', (generation) => {
  const session = generation.replaceAll(' ', '-');
  let client: McpClient;
  beforeAll(async () => {
    client = await connectMcp(generation, `${hub.url}/mcp?session=${session}`);
    for (const agentId of everyone?.members ?? []) await client.call('register_agent', { agentId });
    for (const { name, members } of others) await client.call('set_group', { name, members });
  });
  afterAll(() => client.close());

  const run = async ({ name, arguments: input }: Example) => {
    const answer = await client.call(name, input);
    expect(answer.isError, answer.text).toBe(false);
    return answer;
  };
  const inbox = async (sessionId: string) =>
    (await client.call('get_messages', { sessionId, markAsRead: false })).structured.messages;

  it('list_groups answers in the shape of the example', async () => {
    const { structured } = await run({ name: 'list_groups', arguments: {} });
    const [all, ...rest] = structured.groups;
    expect({ ...all, members: all.members.toSorted() }).toEqual({ ...everyone, members: everyone?.members.toSorted() });
    // The example's analyst is in a group and not in all: such a member is named, and receives once it is registered.
    expect(rest).toEqual(others.map((group) => expect.objectContaining(group)));
    expect(rest.at(-1)).toEqual({ ...others.at(-1), unknownMembers: ['analyst'] });
  });

  it('the direct message reaches the orchestrator alone', async () => {
    const { structured } = await run(directMessage);
    expect(structured).toMatchObject({ success: true, recipients: [{ id: 'orchestrator', state: 'pending' }] });
    const [got, ...more] = await inbox('orchestrator');
    expect(more).toEqual([]);
    expect(got).toMatchObject({ sender: 'builder', target: 'orchestrator', why: 'direct' });
    expect(got.content).toEqual([{ type: 'text', text: directMessage.arguments['message'] }]);
  });

  it('the multicast reaches everyone but its sender, each with a copy of its own', async () => {
    const { structured } = await run(multicast);
    const ids = structured.recipients.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual(['builder', 'castor', 'reviewer']);
    for (const id of ids)
      expect(await inbox(id)).toMatchObject([{ sender: 'orchestrator', target: 'all', why: 'group' }]);
    expect(await inbox('orchestrator')).toHaveLength(1);
  });

  it('get_messages checks one inbox for directives, hands them out once, and leaves the rest', async () => {
    expect((await run(checkForDirectives)).structured.messages).toEqual([]);
    const directive = {
      source: 'orchestrator',
      target: 'builder',
      message_type: 'DIRECTIVE',
      message: 'Fix the auth.',
    };
    await client.call('send_message', directive);
    const { structured } = await run(checkForDirectives);
    expect(structured.messages).toMatchObject([{ sender: 'orchestrator', type: 'DIRECTIVE' }]);
    expect((await run(checkForDirectives)).structured.messages).toEqual([]);
    // The status that was sent to all is still there.
    expect(await inbox('builder')).toMatchObject([{ target: 'all' }]);
  });

  it('get_dead_letters shows a message to a program that does not exist', async () => {
    const lost = { ...directMessage.arguments, target: 'pollux' };
    expect((await client.call('send_message', lost)).text).toMatch(/^TARGET_UNKNOWN: /);
    const { structured } = await run({ name: 'get_dead_letters', arguments: { limit: 1 } });
    expect(structured.deadLetters).toMatchObject([{ recipient: 'pollux', reason: 'TARGET_UNKNOWN' }]);
  });
});

it('the same examples over plain HTTP', async () => {
  const session = 'http';
  for (const agentId of everyone?.members ?? []) await call(hub.url, 'register_agent', { agentId }, { session });
  for (const { name, arguments: input } of [directMessage, multicast, checkForDirectives]) {
    await call(hub.url, name, input, { session });
  }
  const { messages } = await call(hub.url, 'get_messages', { sessionId: 'reviewer' }, { session });
  expect(messages).toMatchObject([{ target: 'all' }]);
});
