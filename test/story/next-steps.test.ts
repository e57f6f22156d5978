// What a caller is told to do next is what helps: hints and texts of empty answers.
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { call, post } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const session = 'steps';

beforeAll(async () => {
  await call(hub.url, 'register_agent', { agentId: 'ann', capabilities: 'docs, tests' }, { session });
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
});

describe('sessionId in get_messages', () => {
  it.each(['default', session])('as the name of a session (%s) is explained', async (sessionId) => {
    for (const options of [{ agent: 'ann', session }, { session }]) {
      const { body } = await post(hub.url, 'get_messages', { sessionId }, options);
      expect(body.error).toMatchObject({ code: 'AGENT_UNKNOWN', message: `No agent '${sessionId}' is registered.` });
      expect(body.error.hint).toMatch(/whose inbox.*agent id.*left out, it is your own.*the connection chooses it/);
      expect(body.error.hint).not.toMatch(/register_agent/);
    }
  });

  it('as another unknown name says how to receive under it', async () => {
    const { body } = await post(hub.url, 'get_messages', { sessionId: 'noone' }, { session });
    expect(body.error.hint).toMatch(/list_agents.*To receive as 'noone', call register_agent/);
  });
});

describe('an empty list', () => {
  it('of agents says what was asked for, not that there is no one', async () => {
    const ann = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`);
    const text = async (input: Record<string, unknown>) => (await ann.call('list_agents', input)).text;
    const all = 'list_agents without group and capability shows all.';
    expect(await text({ capability: 'sql' })).toBe(`No registered agent has the capability 'sql'.\n${all}`);
    expect(await text({ group: 'council' })).toBe(`No registered agent in group 'council'.\n${all}`);
    expect(await text({ capability: 'docs' })).toMatch(/^ann /);
    const filtered = await ann.call('list_threads', { participant: 'ben' });
    expect(filtered.text).toBe('No such threads.\nlist_threads without status, participant and title shows all.');
    expect((await ann.call('list_threads', {})).text).toBe('No threads yet.\nOpen one with create_thread.');
    await ann.close();
    const nobody = await connectMcp('v2 2026', `${hub.url}/mcp?session=nobody`);
    expect((await nobody.call('list_agents', {})).text).toMatch(/^No agents are registered yet/);
    await nobody.close();
  });

  it('says the same at the terminal', async () => {
    const run = async (...args: string[]) => (await runCli([...args, '--url', hub.url, '--session', session])).stdout;
    expect(await run('agents', '--capability', 'sql')).toBe('No such agents. All of them: coterie agents\n');
    expect(await run('threads', '--status', 'closed')).toBe('No such threads. All of them: coterie threads\n');
    expect(await run('threads')).toMatch(/^No threads. Create one/);
  });
});

it('a message to the hub itself is refused without a word of replaying it', async () => {
  const { body } = await post(hub.url, 'send_message', { target: 'system', content: 'x' }, { agent: 'ann', session });
  expect(body.error).toMatchObject({ code: 'TARGET_UNKNOWN', message: expect.stringMatching(/'system' is the hub/) });
  expect(body.error.hint).toMatch(/list_agents/);
  expect(body.error.hint).not.toMatch(/replay|register/);
});
