// Request bodies that are costly to parse, and many large ones at once.
import { expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { healthDuring, healthMsMax, startSmallHub } from './attacked-hub.js';
import { peakMiB, peakMiBMax } from './long-messages.js';

it('a body of very many keys is refused before it is parsed, over HTTP and MCP', async () => {
  const hub = await startSmallHub();
  const keys = Array.from({ length: 900_000 }, (_, index) => `"k${index}":1`).join(',');
  const payload = `{"target":"ann","content":"x","payload":{${keys}}}`;
  const tool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message","arguments":${payload}}}`;
  const health = await healthDuring(hub.url, async () => {
    for (let index = 0; index < 3; index += 1) {
      const { status, body } = await post(hub.url, 'send_message', payload, { agent: 'ann' });
      expect([status, body.error.code]).toEqual([400, 'JSON_TOO_MANY_VALUES']);
      const response = await fetch(`${hub.url}/mcp?agent=ann`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: tool,
      });
      expect(await response.json()).toMatchObject({ error: { data: { code: 'JSON_TOO_MANY_VALUES' } } });
    }
  });
  expect(health.slowestMs).toBeLessThan(healthMsMax);
});

it('a batch of very many messages is refused', async () => {
  const hub = await startSmallHub();
  const one = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_agents' } };
  const response = await fetch(`${hub.url}/mcp?agent=ann`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(Array.from({ length: 101 }, () => one)),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
});

it('fifty large bodies at once are served or told to come again', { tags: ['long'], timeout: 120_000 }, async () => {
  const hub = await startSmallHub();
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
  const data = Buffer.alloc(8 * 1024 * 1024).toString('base64');
  const image = [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data } }];
  const body = JSON.stringify({ target: 'ben', content: image });
  const codes: string[] = [];
  const health = await healthDuring(hub.url, async () => {
    const sends = Array.from({ length: 50 }, () => post(hub.url, 'send_message', body, { agent: 'ann' }));
    for (const { status, body: answer } of await Promise.all(sends))
      codes.push(status === 200 ? 'ok' : answer.error.code);
  });
  expect(codes).toContain('ok');
  // On a machine that is busy with other things, sending a body may take too long.
  const comeAgain = new Set(['ok', 'BUSY', 'REQUEST_TIMEOUT']);
  expect(codes.filter((code) => !comeAgain.has(code))).toEqual([]);
  expect(health.slowestMs).toBeLessThan(healthMsMax);
  expect(peakMiB(hub.pid)).toBeLessThan(peakMiBMax);
});
