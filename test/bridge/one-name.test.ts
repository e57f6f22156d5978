// coterie mcp under a name: known when its client connects, for one name only, and warned if it shares it.
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { connectStdio } from './stdio-clients.js';

const hub = useHub();

const agents = async (session: string) => (await call(hub.url, 'list_agents', {}, { session })).agents;
const flags = (session: string, agent: string) => [...hub.flags, '--agent', agent, '--session', session];

describe.each(generations)('with client %s', (generation) => {
  const sessionFor = (name: string) => `${name}-${generation.replaceAll(' ', '-')}`;

  it('an agent is there when its client has connected, described by it', async () => {
    const session = sessionFor('there');
    const client = await connectStdio(generation, flags(session, 'ann'), 'Gemini – CLI');
    const [ann] = await eventually('ann is there', async () => {
      const found = await agents(session);
      return found[0]?.connections === 1 && found[0].description !== '' && found;
    });
    expect(ann).toMatchObject({ id: 'ann', description: 'Gemini – CLI', presence: 'active', connections: 1 });
    await client.close();
  });

  it('registering another name is refused, with the command that runs under it', async () => {
    const session = sessionFor('other');
    const client = await connectStdio(generation, flags(session, 'ann'));
    const refused = await client.call('register_agent', { agentId: 'ben' });
    expect(refused.text).toMatch(/^IDENTITY_MISMATCH: .*'ann'.*'ben'[^]*connect with coterie mcp --agent ben\. /);
    expect((await agents(session)).map(({ id }: { id: string }) => id)).toEqual(['ann']);
    await client.close();
  });

  it('another’s inbox is only peeked at; without a name sessionId is the caller, and reads', async () => {
    const session = sessionFor('peek');
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
    const as = { agent: 'ann', session };
    const { messageId } = await call(hub.url, 'send_message', { target: 'ben', message: 'for ben' }, as);
    const state = async () => (await call(hub.url, 'get_receipts', { messageId }, as)).deliveries[0].state;
    const eve = await connectStdio(generation, flags(session, 'eve'));
    const seen = await eve.call('get_messages', { sessionId: 'ben' });
    expect(seen.structured).toMatchObject({ messages: [{ id: messageId }], peekedAt: 'ben' });
    expect(seen.text).toContain('This is the inbox of ben; nothing was marked as read.');
    expect((await eve.call('get_messages', { sessionId: 'ben', markAsRead: true })).text).toMatch(/^FORBIDDEN: /);
    await eve.close();
    expect(await state()).toBe('pending');
    const unnamed = await connectStdio(generation, [...hub.flags, '--session', session]);
    const read = await unnamed.call('get_messages', { sessionId: 'ben' });
    expect(read.structured.messages).toEqual([expect.not.objectContaining({ redelivered: true })]);
    await unnamed.call('list_agents', {});
    await eventually('it is read', async () => (await state()) === 'read');
    await unnamed.close();
  });

  it('the later of two is warned, once in the text, and not after the first has left', async () => {
    const session = sessionFor('shared');
    const one = await connectStdio(generation, flags(session, 'ann'));
    expect((await one.call('list_threads', {})).text).not.toContain('IN_USE');
    const two = await connectStdio(generation, flags(session, 'ann'));
    const warned = await two.call('list_agents', {});
    expect(warned.text.match(/IN_USE: 2 programs act as 'ann'.*coterie mcp --agent ann-2/g)).toHaveLength(1);
    expect(warned.structured.warnings).toEqual([expect.stringMatching(/^IN_USE: /)]);
    await one.close();
    await eventually('one is gone', async () => (await agents(session))[0].connections === 1);
    expect((await two.call('list_agents', {})).text).not.toContain('IN_USE');
    await two.close();
  });
});

it('a command that is run beside an agent is neither counted nor warned', async () => {
  const session = 'command';
  const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`);
  const { stdout, exitCode } = await runCli(['inbox', '--as', 'ann', '--session', session, '--json', ...hub.flags]);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('IN_USE');
  expect((await client.call('list_threads', {})).text).not.toContain('IN_USE');
  expect((await agents(session))[0].connections).toBe(1);
  const refused = await runCli(['call', 'register_agent', '--as', 'ann', '--agent-id', 'ben', ...hub.flags]);
  expect(refused.stderr).toMatch(/^IDENTITY_MISMATCH: [^]*connect with --as ben/);
  await client.close();
});
