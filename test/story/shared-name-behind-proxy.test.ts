// Behind a proxy a socket says nothing of the program that uses it. Only a hub with keys serves forwarded requests.
import { expect, it } from 'vitest';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';

const { hub, key } = useKeyedHub({ ann: agentRights });

it('the later of two programs under one name is warned when the earlier one calls again', async () => {
  let id = 0;
  const send = (method: string, params: object, label?: string) =>
    fetch(`${hub.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        via: '1.1 proxy',
        authorization: `Bearer ${key('ann')}`,
        ...(label === undefined ? {} : { 'mcp-session-id': label }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }),
    });
  const start = async () => {
    const clientInfo = { name: 'test', version: '1' };
    const answer = await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await answer.text();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  const listed = async (label: string) => (await send('tools/call', { name: 'list_threads' }, label)).text();
  const one = await start();
  await listed(one);
  const two = await start();
  expect(await listed(two)).not.toContain('IN_USE');
  expect(await listed(one)).not.toContain('IN_USE');
  expect(await listed(two)).toContain('IN_USE');
});
