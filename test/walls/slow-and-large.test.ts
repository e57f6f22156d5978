// Requests that never end, or are too large, or are no HTTP: each is answered with a code and its connection closed,
// while the hub serves the others.
import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { configFile } from '../support/config-file.js';
import { call, post } from '../support/http-call.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { ask, connectRaw, partsOf } from './raw-http.js';

const limits = { headersMs: 1_000, requestMs: 1_500, headers: 20 };
const hub = useHubProcess({ args: ['--config', configFile({ limits })] });

/** Sends a byte now and then until the hub ends it; the time it took. */
async function crawl(bytes: string): Promise<{ text: string; ms: number }> {
  const started = performance.now();
  const { socket, answer } = connectRaw(hub.url, bytes);
  const dripping = setInterval(() => socket.write('x'), 100);
  const text = await answer;
  clearInterval(dripping);
  return { text, ms: performance.now() - started };
}

const halfBody = 'content-length: 100000\r\n\r\n{';
const crawling: [start: string, limitMs: number][] = [
  ['GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ', limits.headersMs],
  [`POST /v1/list_agents HTTP/1.1\r\nhost: 127.0.0.1\r\n${halfBody}`, limits.requestMs],
  [`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${halfBody}`, limits.requestMs],
];

describe('a request that crawls', () => {
  it('in its headers or its body ends in time', async () => {
    const crawls = crawling.map(([start]) => crawl(start));
    expect((await ask(hub.url, { path: '/healthz' })).status).toBe(200);
    for (const [index, { text, ms }] of (await Promise.all(crawls)).entries()) {
      const [start = '', limitMs = 0] = crawling[index] ?? [];
      const error = { code: 'REQUEST_TIMEOUT', retry: 'later' };
      expect({ start, ...partsOf(text) }).toMatchObject({ start, status: 408, error });
      expect(ms).toBeGreaterThan(limitMs - 100);
      // Far less than the minutes that Node allows by itself.
      expect(ms).toBeLessThan(limitMs + 10_000);
    }
  });

  it('and never begins ends in time', async () => {
    const idle = Array.from({ length: 200 }, () => connectRaw(hub.url));
    expect((await ask(hub.url, { path: '/healthz' })).status).toBe(200);
    await Promise.all(idle.map(({ answer }) => answer));
  });
});

describe('what takes time on the hub’s side', () => {
  it('is not cut: a parked wait, a stream, an idle connection', { tags: ['long'] }, async () => {
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { agent: 'ann' });
    // Past the next time that the hub looks for requests that take too long.
    const waitMs = limits.requestMs + 2_000;
    const stream = await fetch(`${hub.url}/v1/events`);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const port = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${hub.url}/healthz`, { agent }, (response) => {
          const { localPort } = response.socket;
          response.resume().once('end', () => resolve(localPort));
        });
        sent.once('error', reject).end();
      });
    const first = await port();
    const { body } = await post(hub.url, 'wait_for_mentions', { timeoutMs: waitMs }, { agent: 'ann' });
    expect(body).toMatchObject({ timedOut: true });
    expect(body.waitedMs).toBeGreaterThanOrEqual(waitMs - 50);
    expect(await port()).toBe(first);
    agent.destroy();
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});

describe('headers', () => {
  const send = async (lines: string) => {
    const { answer } = connectRaw(
      hub.url,
      `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}connection: close\r\n\r\n`,
    );
    return answer;
  };

  it('of 15 KB are read, of 17 KB refused', async () => {
    expect(await send(`x: ${'y'.repeat(15 * 1024)}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(partsOf(await send(`x: ${'y'.repeat(17 * 1024)}\r\n`))).toMatchObject({
      status: 431,
      error: { code: 'HEADERS_TOO_LARGE', details: { limit: 16_384 } },
    });
    const { answer } = connectRaw(hub.url, `GET /${'y'.repeat(17 * 1024)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
    expect(partsOf(await answer).status).toBe(431);
  });

  it('are at most as many as the limit says', async () => {
    const headers = (count: number) => Array.from({ length: count - 2 }, (_, index) => `x-${index}: y\r\n`).join('');
    expect(await send(headers(limits.headers))).toMatch(/^HTTP\/1\.1 200 /);
    for (const count of [limits.headers + 1, 500]) {
      expect(partsOf(await send(headers(count)))).toMatchObject({ status: 431, error: { code: 'HEADERS_TOO_LARGE' } });
    }
    // A header that Node drops must not slip past the checks.
    expect(partsOf(await send(`${headers(limits.headers)}origin: http://evil.example\r\n`)).status).toBe(431);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['a carriage return in a header', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: a\rb\r\n\r\n'],
    ['a line feed in a name', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx\n: a\r\n\r\n'],
    ['a header with a null byte', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: a\0b\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization : Bearer x\r\n\r\n'],
    ['a line without a name', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n: x\r\n\r\n'],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    ],
    ['a negative length', 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: -2\r\n\r\n{}'],
    ['a chunk of no size', 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['an unknown method', 'GRAB / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['words', 'hello there\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const { answer } = connectRaw(hub.url, bytes);
    expect(partsOf(await answer)).toMatchObject({
      status: 400,
      error: { code: 'HTTP_INVALID', retry: 'after_fixing_input' },
    });
    expect((await ask(hub.url, { path: '/healthz' })).status).toBe(200);
  });

  it('after a request that waits does not mix with its answer', async () => {
    const bytes = 'GET /v1/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
    const { socket, answer } = connectRaw(hub.url, bytes);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('no HTTP\r\n\r\n');
    expect(await answer).not.toContain('HTTP_INVALID');
  });

  it('after the last request does not mix with its answer', async () => {
    const bytes = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n';
    const { answer } = connectRaw(hub.url, `${bytes}{"no":"HTTP"}`);
    expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  it('in a name never becomes a header of the answer', async () => {
    const path = `/mcp?agent=${encodeURIComponent('a\r\nset-cookie: x=y')}`;
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a\r\nset-cookie: x=y', version: '1' },
      },
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const to of [path, '/mcp']) {
      const answer = await ask(hub.url, { method: 'POST', path: to, headers, body });
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });
});
