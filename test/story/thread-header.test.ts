// A thread’s header comes once in a conversation, and again when it is needed again.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { makeKeysIn } from '../support/key-folder.js';
import { connectMcp, type ToolAnswer } from '../support/mcp-clients.js';
import { connectStdio } from '../bridge/stdio-clients.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

describe('a thread’s header', () => {
  const header = (answer: ToolAnswer) => /<status>|<participants>/.test(answer.text);

  /** It counts as shown once there is evidence that its answer arrived, which may take another call. */
  const withoutHeader = (next: () => Promise<ToolAnswer>) =>
    eventually('an answer without the header', async () => {
      const answer = await next();
      return !header(answer) && answer;
    });

  interface Talk {
    session: string;
    threadId: string;
    say: (content: string) => Promise<void>;
  }

  async function talk(session: string): Promise<Talk> {
    for (const agentId of ['ann', 'cy']) await call(hub.url, 'register_agent', { agentId }, { session });
    await call(hub.url, 'register_agent', { agentId: 'ben', agentName: 'Ben & Co' }, { session });
    const as = { agent: 'ann', session };
    const { threadId } = await call(hub.url, 'create_thread', { title: 'Plan', participants: ['ben'] }, as);
    const say = async (content: string) =>
      void (await call(hub.url, 'send_message', { threadId, content, mentions: ['ben'] }, as));
    return { session, threadId, say };
  }

  it.each(['v1', 'v2 2025'] as const)(
    'is written once to a conversation and again when the thread changes, through client %s',
    async (generation) => {
      const { session, threadId, say } = await talk(`header-${generation.replaceAll(' ', '-')}`);
      const client = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
      const next = async () => {
        await say('more');
        return client.call('get_messages', {});
      };
      const first = await next();
      expect(header(first)).toBe(true);
      expect(first.structured.threads).toHaveLength(1);
      const later = await withoutHeader(next);
      expect(later.text).toContain(`<thread id="${threadId}">`);
      expect(later.text).toContain('<mention id="ben" name="Ben &amp; Co" />');
      expect(later.structured.names).toEqual({ ben: 'Ben & Co' });
      expect(later.structured).not.toHaveProperty('threads');
      expect(later.structured.messages[0]).toMatchObject({ threadId });

      await call(hub.url, 'add_participant', { threadId, participantId: 'cy' }, { agent: 'ann', session });
      expect((await next()).text).toContain('<participant id="cy" name="cy" />');
      await withoutHeader(next);

      await say('to a new conversation');
      const fresh = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
      expect(header(await fresh.call('get_messages', {}))).toBe(true);
      await fresh.close();

      await client.call('register_agent', {});
      expect(header(await next())).toBe(true);
      await client.close();
    },
  );

  it('is written once to a connection where the client has no label, and to every new one', async () => {
    const { session, say } = await talk('header-unlabelled');
    for (const _ of ['one program', 'the next']) {
      const program = new Agent({ keepAlive: true, maxSockets: 1 });
      const next = async () => {
        await say('more');
        return readOver(program, `${hub.url}/mcp?agent=ben&session=${session}`);
      };
      expect(await next()).toContain('<participants>');
      expect(await next()).not.toContain('<participants>');
      program.destroy();
    }
  });

  it('comes again with a message whose answer was given up', async () => {
    const { session, say } = await talk('header-lost');
    const client = await connectMcp('v2 2025', `${hub.url}/mcp?agent=ben&session=${session}`);
    await say('one');
    const answer = await client.call('get_messages', { ack: 'manual' });
    expect(header(answer)).toBe(true);
    await client.call('ack_messages', { cursor: answer.structured.cursor, release: true });
    const again = await client.call('get_messages', {});
    expect(again.structured.messages.at(-1)).toMatchObject({ redelivered: true });
    expect(header(again)).toBe(true);
    await client.close();
  });

  it('is in every answer to a program', async () => {
    const { session, say } = await talk('header-http');
    for (const content of ['one', 'two']) {
      await say(content);
      const { threads } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
      expect(threads).toHaveLength(1);
    }
  });

  it('is in every answer to a client behind a relay', async () => {
    const data = tempFolder();
    const [ann = '', ben = ''] = await makeKeysIn(data, 'ann', 'ben');
    const keyed = await startHubInProcess({ data });
    for (const key of [ann, ben]) await call(keyed.url, 'register_agent', {}, { key });
    const as = { key: ann };
    const { threadId } = await call(keyed.url, 'create_thread', { title: 'Plan', participants: ['ben'] }, as);
    const relay = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const content of ['one', 'two']) {
      await call(keyed.url, 'send_message', { threadId, content, mentions: ['ben'] }, as);
      const headers = { authorization: `Bearer ${ben}`, 'x-forwarded-for': '127.0.0.1' };
      expect(await readOver(relay, `${keyed.url}/mcp`, headers)).toContain('<participants>');
    }
    relay.destroy();
  });

  it('is written once by the stdio bridge, and again by the next', async () => {
    const { session, say } = await talk('header-stdio');
    const args = [...hub.flags, '--agent', 'ben', '--session', session];
    for (const _ of ['one bridge', 'another']) {
      const client = await connectStdio('v2 2025', args);
      await say('first');
      expect(header(await client.call('get_messages', {}))).toBe(true);
      const later = await withoutHeader(async () => {
        await say('more');
        return client.call('get_messages', {});
      });
      expect(later.text).toContain('<mention id="ben" name="Ben &amp; Co" />');
      await client.close();
    }
  });
});

/** get_messages as a bare tools/call over one connection: no label, no handshake. */
async function readOver(program: Agent, address: string, headers: Record<string, string> = {}): Promise<string> {
  const asked = request(address, {
    method: 'POST',
    agent: program,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  asked.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_messages","arguments":{}}}');
  const [response]: IncomingMessage[] = await once(asked, 'response');
  const { result } = (await json(response as IncomingMessage)) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}
