// coterie mcp through the official clients: the same tools, texts and results as the hub's own door.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { startRawBridge } from './raw-bridge.js';
import { connectStdio, type StdioClient } from './stdio-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

/** A tool that is not listed is listed in another way on stdio. */
const onStdio = (hint: string) =>
  hint.replace('Connect with ?tools=all in the address', 'Start coterie mcp with --tools all');

const parked = (count: number) => parkedAt(hub, count);

const receiptOf = async (session: string, messageId: string) =>
  (await call(hub.url, 'get_receipts', { messageId }, { agent: 'ann', session })).deliveries[0];

const stateOf = (session: string, messageId: string, state: string) =>
  eventually(`${messageId} ${state}`, async () => (await receiptOf(session, messageId)).state === state);

async function sendTo(session: string, message: unknown): Promise<string> {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  return (await call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann', session })).messageId;
}

describe.each(generations)('through client %s', (generation) => {
  const session = `seed-${generation.replaceAll(' ', '-')}`;
  let writer: StdioClient;
  let analyzer: StdioClient;
  beforeAll(async () => {
    const args = [...hub.flags, '--session', session];
    writer = await connectStdio(generation, [...args, '--agent', 'report-writer']);
    analyzer = await connectStdio(generation, [...args, '--agent', 'data-analyzer'], 'coterie-bridge');
  });
  afterAll(() => Promise.all([writer.close(), analyzer.close()]));

  it('holds the report conversation', async () => {
    expect(writer.revision).toBe(generation === 'v2 2026' ? '2026-07-28' : '2025-11-25');
    const registered = await writer.call('register_agent', { agentId: 'report-writer', agentName: 'Report Writer' });
    expect(registered.text).toBe('Registered report-writer (Report Writer).');
    await analyzer.call('register_agent', { agentId: 'data-analyzer', agentName: 'Data Analyzer' });
    await analyzer.call('set_notify_prefs', { muteKinds: ['created'] });
    const thread = await writer.call('create_thread', {
      threadName: 'Data Source Discussion',
      participantIds: ['data-analyzer'],
    });
    const { threadId } = thread.structured;
    const waiting = analyzer.call('wait_for_mentions', { timeoutMs: 20_000 });
    const sent = await writer.call('send_message', {
      threadId,
      content: 'What were the final Q4 sales figures?',
      mentions: ['data-analyzer'],
    });
    expect(sent.text).toContain('Message sent successfully:\nID: ');
    expect(sent.structured).toMatchObject({ success: true, threadId, duplicate: false });
    const got = await waiting;
    const [message] = got.structured.messages;
    expect(got.text).toBe(
      [
        '<messages>',
        `<thread id="${threadId}" name="Data Source Discussion">`,
        '<status>open</status>',
        '<participants>',
        '<participant id="report-writer" name="Report Writer" />',
        '<participant id="data-analyzer" name="Data Analyzer" />',
        '</participants>',
        '<messages>',
        `<message id="${message.id}" timestamp="${Date.parse(message.timestamp)}">`,
        '<sender id="report-writer" name="Report Writer" />',
        '<mentions><mention id="data-analyzer" name="Data Analyzer" /></mentions>',
        '<content>What were the final Q4 sales figures?</content>',
        '</message>',
        '</messages>',
        '</thread>',
        '</messages>',
      ].join('\n'),
    );
    expect(message).not.toHaveProperty('redelivered');
  });

  it('says in the example’s words that nothing came in time', async () => {
    const got = await analyzer.call('wait_for_mentions', { timeout_ms: 50 });
    expect(got.isError).toBe(false);
    expect(got.text).toBe('No new messages received within the timeout period');
    expect(got.structured).toMatchObject({ messages: [], timedOut: true, hasMore: false });
  });

  it('shows the same tools and instructions as the hub’s own door', async () => {
    const direct = await connectMcp(generation, `${hub.url}/mcp`);
    expect(await writer.tools()).toEqual(await direct.tools());
    expect(writer.instructions()).toBe(direct.instructions());
    await direct.close();
    const all = await connectStdio(generation, [...hub.flags, '--tools', 'all']);
    expect((await all.tools()).map(({ name }) => name)).toContain('get_receipts');
    await all.close();
  });

  it('refuses in the words of the hub’s own door', async () => {
    const direct = await connectMcp(generation, `${hub.url}/mcp?session=${session}&agent=report-writer`);
    for (const input of [{ target: 'nobody', message: 'hi' }, { target: 'ben' }, { mesage: 'hi' }, { senderId: 'x' }]) {
      const [here, there] = [await writer.call('send_message', input), await direct.call('send_message', input)];
      expect(here.isError).toBe(true);
      expect(here.text).toBe(onStdio(there.text));
      const { code, hint } = there.meta['coterie/error'];
      expect(here.meta['coterie/error']).toMatchObject({ code, hint: onStdio(hint) });
      expect(here.structured).toBeUndefined();
    }
    const unknown = await writer.call('wait_for_mention', {});
    expect(unknown.text).toMatch(/^OPERATION_UNKNOWN: .*\n.*wait_for_mentions/);
    await direct.close();
  });

  it('frees the wait of a call that is given up, and loses nothing', async () => {
    const abort = new AbortController();
    const waiting = analyzer.call('wait_for_mentions', { timeoutMs: 60_000 }, { signal: abort.signal });
    await parked(1);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await parked(0);
    await writer.call('send_message', { target: 'data-analyzer', message: 'still there?' });
    const got = await analyzer.call('wait_for_mentions', { timeoutMs: 5_000 });
    expect(got.structured.messages).toHaveLength(1);
    expect(got.structured.messages[0]).not.toHaveProperty('redelivered');
  });
});

describe('a message in an answer', () => {
  it('is delivered while the answer is in doubt, and read when the client goes on', async () => {
    const id = await sendTo('next', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'next']);
    await bridge.answer(bridge.callTool('get_messages', {}));
    expect(await receiptOf('next', id)).toMatchObject({ state: 'delivered', attempts: 1 });
    // The hub has been told before it hears of the next call.
    await bridge.answer(bridge.callTool('list_agents', {}));
    await stateOf('next', id, 'read');
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
  });

  it('is read after two seconds with the pipe open', async () => {
    const id = await sendTo('quiet', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'quiet']);
    await bridge.answer(bridge.callTool('wait_for_mentions', {}));
    await stateOf('quiet', id, 'read');
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
  });

  it('is read when the client closes its end and reads on', async () => {
    const id = await sendTo('closes', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'closes']);
    await bridge.answer(bridge.callTool('get_messages', {}));
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
    await stateOf('closes', id, 'read');
  });

  it('comes again, marked, when the client vanishes', async () => {
    const id = await sendTo('vanishes', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'vanishes']);
    await bridge.answer(bridge.callTool('get_messages', {}));
    bridge.vanish();
    expect(await bridge.exited).toBe(0);
    const again = await call(hub.url, 'get_messages', {}, { agent: 'ben', session: 'vanishes' });
    expect(again.messages).toMatchObject([{ id, redelivered: true }]);
  });

  it('comes again, marked, when the call had timed out as its answer came', async () => {
    const id = await sendTo('crossed', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'crossed']);
    const requestId = bridge.callTool('get_messages', {});
    await bridge.answer(requestId);
    bridge.notify('notifications/cancelled', { requestId, reason: 'McpError: MCP error -32001: Request timed out' });
    const again = await bridge.answer(bridge.callTool('get_messages', {}));
    expect(again.structuredContent.messages).toMatchObject([{ id, redelivered: true }]);
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
  });

  it.each(['AbortError: This operation was aborted', undefined])(
    'stays read when its call is cancelled after the answer with the reason %s',
    async (reason) => {
      const session = `aborted-${reason === undefined ? 'silently' : 'late'}`;
      const id = await sendTo(session, 'hello');
      const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', session]);
      const requestId = bridge.callTool('get_messages', {});
      await bridge.answer(requestId);
      bridge.notify('notifications/cancelled', { requestId, reason });
      const next = await bridge.answer(bridge.callTool('get_messages', {}));
      expect(next.structuredContent.messages).toEqual([]);
      await stateOf(session, id, 'read');
      const recent = await bridge.answer(bridge.callTool('get_messages', { include: 'recent' }));
      expect(recent.structuredContent.messages).toMatchObject([{ id }]);
      bridge.endInput();
      expect(await bridge.exited).toBe(0);
    },
  );

  it('comes again, marked, when its call is aborted while the answer is not wholly in the pipe', async () => {
    const data = Buffer.alloc(700_000).toString('base64');
    const id = await sendTo('half-written', [{ type: 'image', mimeType: 'image/png', data }]);
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'half-written']);
    bridge.pauseReading();
    const requestId = bridge.callTool('get_messages', {});
    await eventually('the answer begins', () => bridge.unreadBytes() > 0);
    bridge.notify('notifications/cancelled', { requestId, reason: 'AbortError: This operation was aborted' });
    await stateOf('half-written', id, 'pending');
    bridge.resumeReading();
    const again = await bridge.answer(bridge.callTool('get_messages', {}));
    expect(again.structuredContent.messages).toMatchObject([{ id, redelivered: true }]);
    bridge.endInput();
    expect(await bridge.exited).toBe(0);
  });

  it('stays with the agent that acknowledges by hand', async () => {
    const id = await sendTo('by-hand', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'by-hand']);
    const got = await bridge.answer(bridge.callTool('get_messages', { ack: 'manual' }));
    expect(got.content[0].text).toContain('Acknowledge with cursor');
    await bridge.answer(bridge.callTool('list_agents', {}));
    expect(await receiptOf('by-hand', id)).toMatchObject({ state: 'delivered' });
    await bridge.answer(bridge.callTool('ack_messages', { cursor: got.structuredContent.cursor }));
    await stateOf('by-hand', id, 'read');
    bridge.endInput();
    await bridge.exited;
  });

  it('is settled for whoever an argument names, when the bridge has no name', async () => {
    const id = await sendTo('argument', 'hello');
    const bridge = await startRawBridge([...hub.flags, '--session', 'argument']);
    const got = await bridge.answer(bridge.callTool('get_messages', { sessionId: 'ben' }));
    expect(got.structuredContent.messages).toMatchObject([{ id }]);
    await bridge.answer(bridge.callTool('list_agents', {}));
    await stateOf('argument', id, 'read');
    bridge.endInput();
    await bridge.exited;
  });
});

describe('the end of the client', () => {
  it.each([
    ['closing its end', (bridge: { endInput(): void }) => bridge.endInput()],
    ['vanishing', (bridge: { vanish(): void }) => bridge.vanish()],
  ])('by %s frees its parked wait and ends the bridge', async (_, leave) => {
    await call(hub.url, 'register_agent', { agentId: 'ben' }, { session: 'leaves' });
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'leaves'], 'coterie-bridge');
    bridge.callTool('wait_for_mentions', { timeoutMs: 100_000 });
    await parked(1);
    leave(bridge);
    await parked(0);
    expect(await bridge.exited).toBe(0);
  });

  it('may come before its last answers, which still leave', async () => {
    const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'last']);
    const id = bridge.callTool('list_agents', {});
    bridge.endInput();
    expect((await bridge.answer(id)).content[0].text).toContain('ben');
    expect(await bridge.exited).toBe(0);
  });
});

it('a signal ends the bridge with a wait parked', async () => {
  const bridge = await startRawBridge([...hub.flags, '--agent', 'ben', '--session', 'signal'], 'coterie-bridge');
  bridge.callTool('wait_for_mentions', { timeoutMs: 100_000 });
  await parked(1);
  bridge.kill('SIGTERM');
  expect(await bridge.exited).toBe(0);
  await parked(0);
  expect(bridge.stderr()).toBe('');
});

it('an agent without a name is told how to give one on stdio', async () => {
  const bridge = await startRawBridge([...hub.flags]);
  const got = await bridge.answer(bridge.callTool('send_message', { target: 'ben', message: 'x' }));
  expect(got.content[0].text).toMatch(
    /^IDENTITY_REQUIRED: .*\nStart coterie mcp with --agent NAME \(or --agent auto\)/,
  );
  expect(got.content[0].text).not.toContain('?agent=');
  bridge.endInput();
  await bridge.exited;
});
