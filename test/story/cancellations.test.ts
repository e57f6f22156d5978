// What a cancelled call's messages become: it depends on why it was cancelled, and on how far its answer was written.
// With several hubs the call is made at one of them and cancelled at another.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { connectMcp, type Generation } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

/** More than the kernel holds for a client that does not read. */
const pictureBytes = 6 * 1024 * 1024;

const hub = useHub({ args: ['--config', configFile({ limits: { shownBytes: pictureBytes } })] });

let here: string;
let elsewhere: string;
beforeAll(() => {
  [here = '', elsewhere = here] = hubsAt(hub.url);
});

const ann = (session: string) => ({ agent: 'ann', session });
const ben = (session: string) => ({ agent: 'ben', session });

async function sendTo(session: string, message: unknown = 'hello'): Promise<string> {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  return (await call(hub.url, 'send_message', { target: 'ben', message }, ann(session))).messageId;
}

const stateOf = async (session: string, messageId: string): Promise<string> =>
  (await call(hub.url, 'get_receipts', { messageId }, ann(session))).deliveries[0].state;

const becomes = (session: string, messageId: string, state: string) =>
  eventually(`${messageId} ${state}`, async () => (await stateOf(session, messageId)) === state);

const inbox = async (session: string, input: Record<string, unknown> = {}) =>
  (await call(here, 'get_messages', input, ben(session))).messages;

const headers = (session: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-session-id': `label-${session}`,
});

const toolCall = (id: string | number, name = 'get_messages') =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });

function rpc(at: string, session: string, body: string): Promise<Response> {
  return fetch(`${at}/mcp?agent=ben&session=${session}`, { method: 'POST', headers: headers(session), body });
}

/** Without a pool in between, on a connection that the test chooses. */
function ask(client: Socket, session: string, body: string): void {
  const lines = Object.entries({ host: new URL(here).host, 'content-length': body.length, ...headers(session) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  client.write(`POST /mcp?agent=ben&session=${session} HTTP/1.1\r\n${head}\r\n${body}`);
}

const cancellationOf = (requestId: string | number, reason?: string) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });

async function cancel(session: string, requestId: string | number, reason?: string): Promise<void> {
  await rpc(elsewhere, session, cancellationOf(requestId, reason));
}

/** Cancellations are heard in their order: when this has shown, those before have been heard. */
async function earlierOnesAreHeard(session: string): Promise<void> {
  const last = await sendTo(session, 'the last');
  await (await rpc(here, session, toolCall('last'))).text();
  await cancel(session, 'last', 'Request timed out');
  await becomes(session, last, 'pending');
}

/** As clients say that their own timer ended the call: the official one, Rust's, Go's, those that give a code. */
const timeOuts = [
  'McpError: MCP error -32001: Request timed out',
  'request timeout',
  'context deadline exceeded',
  'timed_out',
  'REQUEST_TIMED_OUT',
];

/** What follows answers that were used: from a signal that outlives its call, or for no reason. */
const aborts = [
  'AbortError: This operation was aborted',
  'TimeoutError: The operation was aborted due to timeout',
  'TimeoutError: The operation timed out.',
  undefined,
];

describe('a cancellation after the whole answer was written', () => {
  it.each(timeOuts)('takes the messages back when it says "%s"', async (reason) => {
    const session = `late-${timeOuts.indexOf(reason)}`;
    const id = await sendTo(session);
    expect(await (await rpc(here, session, toolCall(7))).text()).toContain('hello');
    await (await rpc(here, session, toolCall(8, 'list_agents'))).text();
    await becomes(session, id, 'read');
    await cancel(session, 7, reason);
    await becomes(session, id, 'pending');
    expect(await inbox(session)).toMatchObject([{ id, redelivered: true }]);
  });

  it.each(aborts)('leaves them read when it says "%s", and the reader can look again', async (reason) => {
    const session = `aborted-${aborts.indexOf(reason)}`;
    const id = await sendTo(session);
    await (await rpc(here, session, toolCall(7))).text();
    await (await rpc(here, session, toolCall(8, 'list_agents'))).text();
    await becomes(session, id, 'read');
    await cancel(session, 7, reason);
    await earlierOnesAreHeard(session);
    expect(await stateOf(session, id)).toBe('read');
    const recent = await inbox(session, { include: 'recent' });
    expect(recent.map((message: { id: string }) => message.id)).toContain(id);
  });

  it('neither takes back nor confirms an answer still in doubt when it was an abort', async () => {
    const id = await sendTo('in-doubt');
    const client = connect(Number(new URL(here).port), '127.0.0.1');
    ask(client, 'in-doubt', toolCall(7));
    expect(String(await once(client, 'data'))).toContain('hello');
    // Over the connection of the answer, where any other request would confirm it.
    ask(client, 'in-doubt', cancellationOf(7, 'AbortError: This operation was aborted'));
    expect(String(await once(client, 'data'))).toMatch(/^HTTP.1.1 202 /);
    expect(await stateOf('in-doubt', id)).toBe('delivered');
    // Two seconds with the connection open confirm it, as any other answer.
    await becomes('in-doubt', id, 'read');
    expect(await inbox('in-doubt')).toEqual([]);
    client.destroy();
  });

  it.each<Generation>(['v1', 'v2 2025', 'v2 2026'])(
    'is not sent, or changes nothing, when client %s ends a signal that it used for calls before',
    async (generation) => {
      const session = `signal-${generation.replaceAll(' ', '-')}`;
      const id = await sendTo(session);
      const client = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
      const turn = new AbortController();
      const got = await client.call('get_messages', {}, { signal: turn.signal });
      expect(got.text).toContain('hello');
      turn.abort();
      expect((await client.call('get_messages', {})).structured.messages).toEqual([]);
      await becomes(session, id, 'read');
      expect((await client.call('get_messages', {})).structured.messages).toEqual([]);
      await client.close();
    },
  );
});

describe('a cancellation while the answer is being written', { timeout: 120_000 }, () => {
  it.each(['AbortError: This operation was aborted', 'Request timed out'])(
    'takes the messages back when it says "%s"',
    async (reason) => {
      const session = `stuck-${reason.slice(0, 5).toLowerCase()}`;
      const id = await sendTo(session, [
        { type: 'image', mimeType: 'image/png', data: Buffer.alloc(pictureBytes - 1024).toString('base64') },
      ]);
      const client = connect(Number(new URL(here).port), '127.0.0.1').pause();
      // Not read: the kernel takes only a part of the answer.
      ask(client, session, toolCall(7));
      await once(client, 'readable');
      await becomes(session, id, 'delivered');
      await cancel(session, 7, reason);
      await becomes(session, id, 'pending');
      client.destroy();
      expect(await inbox(session)).toMatchObject([{ id, redelivered: true }]);
    },
  );
});

describe('a cancellation before its call', () => {
  async function cancelledCall(session: string): Promise<Response> {
    await cancel(session, 'a');
    return rpc(here, session, toolCall('a'));
  }

  it('is never given for a call whose cancellation came first', async () => {
    const id = await sendTo('early-cancel');
    const answer = await cancelledCall('early-cancel');
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    const { deliveries } = await call(hub.url, 'get_receipts', { messageId: id }, ann('early-cancel'));
    expect(deliveries).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(await inbox('early-cancel')).toMatchObject([{ id }]);
  });

  it('leaves its messages to the next reader, wherever it was heard', async () => {
    const id = await sendTo('overtaken');
    await (await cancelledCall('overtaken')).text();
    const found = await call(hub.url, 'wait_for_mentions', { timeoutMs: 20_000 }, ben('overtaken'));
    expect(found.messages).toMatchObject([{ id }]);
  });
});
