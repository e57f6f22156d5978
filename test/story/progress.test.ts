// While a client waits, it hears that the hub is still there, if it asked to.
import { expect, it } from 'vitest';
import { fastClock } from '../support/fast-clock.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub({ clock: fastClock(50) });

it.each(generations)(
  'client %s that gave a token is told every 15 seconds, and gets its message on the same call',
  async (generation) => {
    const session = generation.replaceAll(' ', '-');
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`);
    let told = 0;
    const twice = new Promise<void>((resolve) => {
      const onprogress = () => {
        told += 1;
        if (told === 2) resolve();
      };
      answer = client.call('wait_for_mentions', { timeoutMs: 50_000 }, { onprogress });
    });
    await twice;
    await call(hub.url, 'send_message', { target: 'ben', message: 'at last' }, { agent: 'ann', session });
    const got = await answer;
    expect(got?.structured.messages).toMatchObject([{ content: [{ text: 'at last' }] }]);
    expect(told).toBeGreaterThanOrEqual(2);
    await client.close();
  },
);

it('so is one that waits for agents', async () => {
  const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben&session=barrier`);
  let told = 0;
  const once = new Promise<void>((resolve) => {
    const onprogress = () => {
      told += 1;
      resolve();
    };
    answer = client.call('wait_for_agents', { agentIds: ['zoe'], timeoutMs: 50_000 }, { onprogress });
  });
  await once;
  await call(hub.url, 'register_agent', { agentId: 'zoe' }, { agent: 'zoe', session: 'barrier' });
  expect((await answer)?.structured).toMatchObject({ complete: true });
  expect(told).toBeGreaterThanOrEqual(1);
  await client.close();
});

let answer: ReturnType<Awaited<ReturnType<typeof connectMcp>>['call']> | undefined;
