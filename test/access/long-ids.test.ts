// What a client names its calls is kept for minutes, to cancel them by: it must not fill the hub's memory.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { startedBefore } from '../support/use-hub.js';
import { ask, bearer } from './ask.js';
import { startKeyedHub } from './key-states.js';

const hub = startedBefore(startKeyedHub);

const megabyte = 1024 * 1024;

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

it('ids of megabytes do not stay in memory', async () => {
  const headers = [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
    ['mcp-session-id', 'one'],
    bearer(hub.keys.reader),
  ] as const;
  const cancel = (requestId: string) => {
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
    return ask(hub.url, { method: 'POST', path: '/mcp', headers, body });
  };
  expect((await cancel('first')).status).toBe(202);
  const before = heapBytes();
  for (let number = 0; number < 20; number += 1) {
    expect((await cancel(`${number}${'x'.repeat(5 * megabyte)}`)).status).toBe(202);
  }
  expect(heapBytes() - before).toBeLessThan(30 * megabyte);
});
