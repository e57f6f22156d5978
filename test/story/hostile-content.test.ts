// Content made to hurt: each is refused with its code and the place of the fault, and however often it comes, the hub
// needs no more memory for it than a few times what is sent.
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { useHubProcess } from '../support/use-hub-process.js';

const hub = useHubProcess();

beforeAll(async () => {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
});

const mebibyte = 1024 * 1024;
const text = { type: 'text', text: 'x' };
const picture = (data: string) => ({ type: 'image', source: { type: 'base64', mediaType: 'image/png', data } });
const result = (output: unknown) => ({ type: 'tool_result', toolUseId: 'c', output });
const inside = (depth: number): object => (depth === 0 ? text : result([inside(depth - 1)]));
const many = (count: number, block: unknown) => Array.from({ length: count }, () => block);

const attacks: [what: string, content: unknown, code: string, field: string | undefined][] = [
  ['a picture over the limit', [picture('AAAA'.repeat(2_900_000))], 'TOO_LARGE', 'content[0].source.data'],
  [
    'megabytes with one bad sign',
    [picture(`${'AAAA'.repeat(2_000_000)}AA*A`)],
    'INVALID_INPUT',
    'content[0].source.data',
  ],
  [
    'the same inside a result',
    [result([picture('!'.repeat(8_000_000))])],
    'INVALID_INPUT',
    'content[0].output[0].source.data',
  ],
  ['5,000 blocks', many(5_000, text), 'INVALID_INPUT', 'content'],
  ['40,000 blocks that are none', many(40_000, 0), 'INVALID_INPUT', 'content'],
  ['100,000 blocks', many(100_000, text), 'JSON_TOO_MANY_VALUES', undefined],
  ['a result of 1,000 parts', [result(many(1_000, text))], 'INVALID_INPUT', 'content[0].output'],
  ['80 results of 100 parts', many(80, result(many(100, text))), 'INVALID_INPUT', 'content[9].output'],
  ['results 20 deep', [inside(20)], 'INVALID_INPUT', 'content[0].output[0].type'],
  ['results 1,000 deep', [inside(1_000)], 'JSON_TOO_DEEP', undefined],
  ['brackets 5,000,000 deep', '@', 'JSON_TOO_DEEP', undefined],
];

const bodyOf = (content: unknown) =>
  JSON.stringify({ target: 'ben', content }).replace('"@"', () => '['.repeat(5_000_000) + ']'.repeat(5_000_000));

describe('content made to hurt', () => {
  it.each(attacks)('%s is refused with its place', async (_, content, code, field) => {
    const { body } = await post(hub.url, 'send_message', bodyOf(content), { agent: 'ann' });
    expect(body.error.code).toBe(code);
    expect(body.error.details.field).toBe(field);
  });

  // Only Linux tells a process's highest mark, and lets it be set back.
  it.runIf(process.platform === 'linux').each(attacks)(
    '%s, again and again, costs no more memory',
    { tags: ['long'] },
    async (_, content) => {
      const body = bodyOf(content);
      const send = () => post(hub.url, 'send_message', body, { agent: 'ann' });
      for (let count = 0; count < 5; count += 1) await send();
      const before = resident();
      for (let count = 0; count < 20; count += 1) await send();
      const grown = highest() - before;
      // Kept, they would be twenty bodies or more; the rest is what the collector leaves lying for a while.
      expect(grown).toBeLessThan(8 * body.length + 96 * mebibyte);
    },
  );
});

function memory(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${hub.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
}

const highest = () => memory('VmHWM');

/** And begins a new highest mark. */
function resident(): number {
  writeFileSync(`/proc/${hub.pid}/clear_refs`, '5');
  return memory('VmRSS');
}

describe('a body over the limit', () => {
  it('is refused by its head alone', async () => {
    const answer = await talk((write) => write(`${head}content-length: 20000000\r\n\r\n[`));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('"code":"BODY_TOO_LARGE"');
    expect(answer).toContain('is 20000000 bytes; at most 12582912');
  });

  it('is refused while it streams in, though it never ends, and is cut off in the end', async () => {
    const before = process.platform === 'linux' ? resident() : 0;
    const chunk = `100000\r\n${'x'.repeat(mebibyte)}\r\n`;
    const seen = { sent: 0, sentWhenRefused: 0 };
    const answer = await talk((write, received) => {
      write(`${head}transfer-encoding: chunked\r\n\r\n`);
      const more = () => {
        seen.sent += 1;
        if (received() !== '' && seen.sentWhenRefused === 0) seen.sentWhenRefused = seen.sent;
        write(chunk, more);
      };
      more();
    });
    expect(answer).toContain('"code":"BODY_TOO_LARGE"');
    expect(seen.sentWhenRefused).toBeLessThan(40);
    expect(seen.sent).toBeLessThan(200);
    if (process.platform === 'linux') expect(highest() - before).toBeLessThan(64 * mebibyte);
    expect(await call(hub.url, 'list_agents', {}, { agent: 'ann' })).toHaveProperty('agents');
  });
});

const head =
  'POST /v1/send_message HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncoterie-agent: ann\r\n';

/** Everything the hub says on one connection, until it is whole or the hub cuts it. */
function talk(
  speak: (write: (text: string, done?: () => void) => void, received: () => string) => void,
): Promise<string> {
  return new Promise((resolve) => {
    const { port, hostname } = new URL(hub.url);
    const socket = connect(Number(port), hostname);
    let said = '';
    let isEndless = false;
    const write = (given: string, done?: () => void) => {
      isEndless ||= done !== undefined;
      socket.write(given, (error) => (error ? undefined : done?.()));
    };
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
    socket.on('data', (bytes) => {
      said += bytes.toString();
      if (!isEndless && said.endsWith('}')) socket.destroy();
    });
    socket.on('connect', () => speak(write, () => said));
  });
}
