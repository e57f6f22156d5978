// What a key may hold at once: parked waits, event streams, bytes of requests. Every way in which one of them ends frees it.
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { makeKey, keysSeen, type TestKey } from '../support/keys.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const caps = { waitsPerKey: 3, waitsPerAddress: 5, streamsPerKey: 2, streamsPerAddress: 3 };
const bodies = { requestBytes: 200_000, bodyBytesPerKey: 300_000, bodyBytesPerAddress: 450_000, bodyBytes: 600_000 };
let store: Store;
const hub = useHub({
  wrapStore: (wrapped) => (store = wrapped),
  args: ['--config', configFile({ limits: { ...caps, ...bodies } })],
});

let [ann, ben]: TestKey[] = [];
beforeAll(async () => {
  ann = await makeKey(store, { agent: 'ann', capabilities: ['send', 'read', 'admin'] });
  ben = await makeKey(store, { agent: 'ben' });
  await keysSeen(hub.url);
  for (const key of [ann, ben]) expect((await call('register_agent', {}, key)).status).toBe(200);
  const question = { title: 'The question', participants: ['ben'], initial_message: '?', wait_for_responses: 1 };
  await call('create_critical_thread', { ...question, timeout_ms: 1 });
});

const textOf = (key: TestKey | undefined) => key?.text ?? '';
const headersOf = (key: TestKey | undefined) => ({ authorization: `Bearer ${textOf(key)}` });

async function call(operation: string, input: object, key = ann, signal?: AbortSignal) {
  const response = await fetch(`${hub.url}/v1/${operation}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', ...headersOf(key) },
    ...(signal === undefined ? {} : { signal }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests read the fields they promise; a wrong one fails the assertion.
  return { status: response.status, body: (await response.json()) as any };
}

/** Parks so many waits; undefined if one is refused. */
async function park(count: number, key = ann): Promise<(() => void) | undefined> {
  const end = new AbortController();
  let isRefused = false;
  for (let index = 0; index < count; index++) {
    void call('wait_for_mentions', { timeoutMs: 60_000, from: 'noone' }, key, end.signal).then(
      () => (isRefused = true),
      () => {},
    );
  }
  // Answered after the waits were parked: a connection serves one request at a time, but these came first.
  await eventually('they wait or are refused', async () => isRefused || (await parked(key)) === count);
  if (!isRefused) return () => end.abort();
  end.abort();
  return undefined;
}

const parked = async (key: TestKey | undefined) => {
  const response = await fetch(`${hub.url}/metrics`, { headers: headersOf(key ?? ann) });
  return Number(/^coterie_waits_parked (\d+)$/m.exec(await response.text())?.[1]);
};

const noneParked = () => eventually('no wait is parked', async () => (await parked(ann)) === 0);

/** Exactly as many waits fit as the cap says: nothing leaked before. */
async function expectRoom(): Promise<void> {
  await noneParked();
  const end = await park(caps.waitsPerKey);
  expect(end).toBeDefined();
  expect((await call('wait_for_mentions', { timeoutMs: 0 })).status).toBe(429);
  end?.();
  await noneParked();
}

describe('parked waits', () => {
  it('of a key are refused beyond its number, with what to do', async () => {
    const end = await park(caps.waitsPerKey);
    for (const [operation, input] of waits) {
      const { status, body } = await call(operation, input);
      expect([status, body.error?.code, body.error?.details]).toEqual([429, 'LIMIT_REACHED', { limit: 3 }]);
      expect(body.error.hint).toContain('get_messages');
    }
    const client = await connectMcp('v2 2026', `${hub.url}/mcp`, { key: textOf(ann) });
    const answer = await client.call('wait_for_mentions', { timeoutMs: 0 });
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^LIMIT_REACHED: This key .* 3\./) });
    await client.close();
    // It may do all else, and others may wait.
    expect((await call('get_messages', {})).status).toBe(200);
    expect((await call('wait_for_mentions', { timeoutMs: 0 }, ben)).status).toBe(200);
    end?.();
    await noneParked();
  });

  it('of an address are refused beyond its number', async () => {
    const first = await park(caps.waitsPerKey);
    const end = new AbortController();
    for (let index = 0; index < 2; index++) {
      void call('wait_for_mentions', { timeoutMs: 60_000 }, ben, end.signal).catch(() => {});
    }
    await eventually('both keys wait', async () => (await parked(ann)) === 5);
    const { status, body } = await call('wait_for_mentions', { timeoutMs: 0 }, ben);
    expect([status, body.error.message]).toEqual([429, expect.stringContaining('address')]);
    first?.();
    end.abort();
    await noneParked();
  });
});

const long = 60_000;
/** Every operation that parks. */
const waits: [operation: string, input: object][] = [
  ['wait_for_mentions', { timeoutMs: long, from: 'noone' }],
  ['wait_for_agents', { agentIds: ['noone'], timeoutMs: long }],
  ['create_critical_thread', { title: 'q', participants: ['ben'], initial_message: '?', timeout_ms: long }],
  ['wait_for_responses', { threadId: 'The question', timeout_ms: long }],
];

/** What is refused where possible after a place was taken. */
const wrong: Record<string, object> = {
  wait_for_mentions: { cursor: 'zzz' },
  wait_for_agents: { no_such_field: 1 },
  create_critical_thread: { participants: ['noone'] },
  wait_for_responses: { threadId: 't-none' },
};

type Ending = (operation: string, input: object) => Promise<void>;

const request = (operation: string, input: object) => {
  const body = JSON.stringify(input);
  const head = `POST /v1/${operation} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${textOf(ann)}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

const endings: Record<string, Ending> = {
  async 'its timeout'(operation, input) {
    await call(operation, { ...input, ...('timeoutMs' in input ? { timeoutMs: 20 } : { timeout_ms: 20 }) });
  },
  async 'a disconnect'(operation, input) {
    const end = new AbortController();
    const lost = call(operation, input, ann, end.signal).catch(() => {});
    await eventually('it waits', async () => (await parked(ann)) === 1);
    end.abort();
    await lost;
  },
  async 'a cancellation'(operation, input) {
    const client = await connectMcp('v2 2025', `${hub.url}/mcp`, { key: textOf(ann) });
    const end = new AbortController();
    const lost = client.call(operation, { ...input }, { signal: end.signal }).catch(() => {});
    await eventually('it waits', async () => (await parked(ann)) === 1);
    end.abort();
    await lost;
    await client.close();
  },
  async 'a disconnect while its answer is queued behind another'(operation, input) {
    const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
    socket.write(request('wait_for_mentions', { timeoutMs: long, from: 'noone' }) + request(operation, input));
    await eventually('both wait', async () => (await parked(ann)) === 2);
    socket.destroy();
  },
  async 'an error'(operation, input) {
    const { status } = await call(operation, { ...input, ...wrong[operation] });
    expect([400, 404]).toContain(status);
  },
  async 'the end of its key'(operation, input) {
    const key = await makeKey(store, { agent: 'ann' });
    const refused = call(operation, input, key);
    await eventually('it waits', async () => (await parked(ann)) === 1);
    const audit = { at: 1, actor: 'cli', keyId: null, address: '', act: 'keys revoke', target: key.id, details: {} };
    await store.revokeKey({ sessionId: null, id: key.id, at: Date.now(), audit });
    expect((await refused).status).toBe(401);
  },
};

describe.each(waits)('a place taken by %s', (operation, input) => {
  it.each(Object.entries(endings))('is free after %s', async (_, end) => {
    for (let round = 0; round < 2; round++) {
      await end(operation, input);
      await noneParked();
    }
    await expectRoom();
  });
});

describe('event streams', () => {
  const open = async (key = ann) => {
    const end = new AbortController();
    const response = await fetch(`${hub.url}/v1/events`, { headers: headersOf(key), signal: end.signal });
    return { status: response.status, end: () => end.abort() };
  };

  it('of a key and of an address are refused beyond their number, and free a place when they end', async () => {
    for (let round = 0; round < 3; round++) {
      // The first of a round may have to wait for the last of the one before.
      const first = await eventually('a place is free', async () => {
        const opened = await open();
        return opened.status === 200 && opened;
      });
      const second = await eventually('another is free', async () => {
        const opened = await open();
        return opened.status === 200 && opened;
      });
      expect((await open()).status).toBe(429);
      const third = await open(ben);
      expect([third.status, (await open(ben)).status]).toEqual([200, 429]);
      for (const { end } of [first, second, third]) end();
    }
  });

  it('whose client is gone before its turn comes are not counted', async () => {
    for (let round = 0; round < 5; round++) {
      const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
      const events = `GET /v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${textOf(ann)}\r\n\r\n`;
      socket.write(request('wait_for_mentions', { timeoutMs: long, from: 'noone' }) + events);
      await eventually('it waits', async () => (await parked(ann)) === 1);
      socket.destroy();
      await noneParked();
    }
    const opened = await eventually('a place is free', async () => {
      const stream = await open();
      return stream.status === 200 && stream;
    });
    opened.end();
  });
});

describe('bytes of requests', () => {
  /** Sends all but the last byte of a body of this size. */
  const upload = (bytes: number, key = ann) => {
    const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    const head = `POST /v1/list_agents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${textOf(key)}\r\n`;
    socket.write(`${head}content-length: ${bytes}\r\n\r\n{${' '.repeat(bytes - 2)}`);
    return { answer: () => answer, finish: () => socket.write('}'), end: () => socket.destroy() };
  };
  const large = (path: string) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = `{${' '.repeat(150_000)}}`;
    return fetch(hub.url + path, { method: 'POST', headers: { ...headers, ...headersOf(ann) }, body });
  };

  it('that a key has in flight are refused beyond its number, and free when answered or gone', async () => {
    for (let round = 0; round < 6; round++) {
      let first = upload(200_000);
      const refused = await eventually('the first is counted', async () => {
        // Whichever comes last is refused: then it is sent again, alone.
        if (first.answer() !== '') return void (first = upload(200_000));
        const answer = await large(round % 2 === 0 ? '/v1/list_agents' : '/mcp');
        return answer.status === 429 && answer;
      });
      expect(await refused.json()).toMatchObject({
        error: { code: 'LIMIT_REACHED', message: expect.stringMatching(/^This key .*unanswered requests.*300000/) },
      });
      // Short requests pass.
      expect((await call('list_agents', {})).status).toBe(200);
      if (round % 3 === 0) {
        first.finish();
        await eventually('the first is answered', () => first.answer().startsWith('HTTP/1.1 200 '));
      }
      first.end();
      await eventually('its bytes are free', async () => (await large('/v1/list_agents')).status === 200);
    }
  });

  it('of an address are refused beyond its number', async () => {
    const keys = await Promise.all(['cas', 'dan', 'eva'].map((agentId) => makeKey(store, { agent: agentId })));
    const uploads = keys.map((key) => upload(140_000, key));
    await eventually('all are counted', async () => {
      const lost = uploads.findIndex(({ answer }) => answer() !== '');
      if (lost >= 0) return void (uploads[lost] = upload(140_000, keys[lost]));
      const answer = await large('/v1/list_agents');
      return answer.status === 429 && ((await answer.json()) as Refusal).error.message.startsWith('Your address ');
    });
    for (const { end } of uploads) end();
    await eventually('their bytes are free', async () => (await large('/v1/list_agents')).status === 200);
  });
});

interface Refusal {
  error: { message: string };
}
